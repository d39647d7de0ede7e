// Draws the entries that wait on this phone, each with its state and with what can be done about it.

import { parsed } from "./page.js";
import * as queue from "./queue.js";
import { store } from "./store.js";

const one = (root, name) => root.querySelector(`.waiting-${name}`);

// Where each is: refused, behind another, or on its way.
const stateOf = (row, rows) => {
  if (row.state === "refused") return "refused";
  return rows.some(({ key }) => key === row.after) ? "behind" : "waiting";
};

// A word with a direction of its own: a name, a card.
const word = (text) => Object.assign(document.createElement("bdi"), { textContent: text });

// The server's own sentence, else the one that the page has for this code.
function say(place, row, state) {
  const own = place.dataset[state === "refused" ? row.code : state];
  if (state === "refused" && row.text) place.replaceChildren(parsed(row.text));
  else place.textContent = own ?? place.dataset.form_expired;
  place.dataset.code = state === "refused" ? row.code : state;
}

function show(item, row, state) {
  one(item, "title").textContent = `${one(item, "title").textContent.replace("{n}", row.number)} · ${row.title}`;
  one(item, "label").replaceChildren(...row.label.flatMap(([asked, chosen], place) => {
    const pair = Object.assign(document.createElement("bdi"), { dir: document.dir });
    pair.append(word(asked), " ", word(chosen));
    return place ? [" · ", pair] : [pair];
  }));
  say(one(item, "state"), row, state);
  item.dataset.state = state;
  item.dataset.key = row.key;
  const look = item.querySelector(".look");
  look.hidden = state !== "refused" || row.code === "not_allowed";
  look.textContent = look.dataset[row.code === "stale" ? "stale" : "other"];
  item.querySelector(".retry").hidden = state === "behind";
}

function act(item, row, looked) {
  const on = (name, does) => item.querySelector(`.${name}`).addEventListener("click", does);
  const sure = (asks) => {
    one(item, "sure").hidden = !asks;
    one(item, "acts").hidden = asks;
    item.querySelector(asks ? ".keep" : ".discard").focus();
  };
  on("look", () => looked(row));
  on("retry", async () => {
    await store.change(row.key, { state: "waiting" });
    queue.told();
    await queue.flush({ again: true });
    queue.told();
  });
  on("discard", () => sure(true));
  on("keep", () => sure(false));
  on("discard-now", async () => {
    await store.discard(row.key);
    item.remove();
    queue.told({ news: true });
    queue.flush();
  });
}

// `words` holds the template, `looked` opens an entry beside what the server has.
function draw(list, rows, { words, looked, named = false }) {
  if (list.querySelector(".waiting-sure:not([hidden])")) return; // a question is open
  const open = [...list.querySelectorAll("[data-key]:has([open])")].map((item) => item.dataset.key);
  const template = words.querySelector("#waiting-item");
  list.replaceChildren(
    ...rows.map((row) => {
      const item = template.content.firstElementChild.cloneNode(true);
      show(item, row, stateOf(row, rows));
      if (named) Object.assign(one(item, "match"), { textContent: row.name, hidden: false });
      act(item, row, looked);
      item.firstElementChild.open = row.state === "refused" || open.includes(row.key);
      return item;
    }),
  );
}

export { draw, stateOf };
