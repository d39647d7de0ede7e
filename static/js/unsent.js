// The page of everything that waits on this phone, whichever match it belongs to.

import { one } from "./page.js";
import { store } from "./store.js";
import * as waiting from "./waiting.js";

const looked = (row) => location.assign(`${row.match}?contract=#look=${row.key}`);

async function draw() {
  const rows = await store.waiting().catch(() => []);
  one(".unsent-none").hidden = rows.length > 0;
  one(".unsent-some").hidden = !rows.length;
  waiting.draw(one(".waiting-list"), rows, { words: document, looked, named: true });
}

document.addEventListener("trex:queue", draw);
draw();
