// Sends what waits on this phone, in order, by itself: when the page opens, when the network is back,
// when somebody looks again, and with growing pauses. Events: "trex:queue" when what waits has changed,
// "trex:line" for whether the server answers.

import { dispatch } from "./page.js";
import { store } from "./store.js";

const PATIENCE = 8000; // then it counts as no answer
const PAUSES = [2, 4, 8, 15, 30, 60];
const direct = new Set(); // keys that the page itself is sending at this moment
let up = true;
let running = null;
let pauses = 0;
let timer = 0;
let token = "";


function line(now) {
  if (up !== now) dispatch("trex:line", { up: now });
}
document.addEventListener("trex:line", ({ detail }) => {
  if (detail.up === up) return;
  up = detail.up;
  told();
  if (up) flush();
  else later();
});

// How many wait, for the menus of all pages.
async function told(detail = {}) {
  dispatch("trex:queue", detail);
  const rows = await store.waiting().catch(() => []);
  const count = rows.filter((row) => !direct.has(row.key)).length;
  try {
    if (count) localStorage.setItem("unsent", count);
    else localStorage.removeItem("unsent");
  } catch {} // no storage: the menu does not say so
  dispatch("trex:unsent", { count });
}

async function patiently(url, options) {
  const patience = new AbortController();
  const limit = setTimeout(() => patience.abort(), PATIENCE);
  try {
    const answer = await fetch(url, { ...options, cache: "no-store", signal: patience.signal });
    return { status: answer.status, text: await answer.text() };
  } finally {
    clearTimeout(limit);
  }
}

const tokenOfPage = () => JSON.parse(document.body.getAttribute("hx-headers:inherited"))["x-csrftoken"];

// What the server says to an entry. Anything that is not a word of ours is no answer, and throws.
async function answer(row, again = true) {
  const { key, version, client } = row;
  const body = new URLSearchParams({ ...row.fields, entry_key: key, version, client });
  const headers = { "X-CSRFToken": token || tokenOfPage() };
  const { status, text } = await patiently(`${row.match}unsent/`, { method: "POST", body, headers });
  if (status === 429 || status >= 500) throw new Error(`not now: ${status}`);
  const said = JSON.parse(text);
  if (said.code !== "form_expired" || !said.token || !again) return said;
  token = said.token; // the page is older than the cookie
  return answer(row, false);
}

// The first that may go: nothing waits before it, and it was not refused.
async function next(tried, again) {
  const rows = await store.waiting();
  const keys = new Set(rows.map((row) => row.key));
  const free = ({ key, after }) => !keys.has(after) && !tried.has(key) && !direct.has(key);
  return rows.find((row) => free(row) && (again || row.state !== "refused"));
}

async function send(again) {
  const tried = new Set();
  for (let row; (row = await next(tried, again)); ) {
    tried.add(row.key);
    const { state, version, number, code, text } = await answer(row);
    if (state === "saved") await store.arrived(row.key, version, number);
    else await store.change(row.key, { state: "refused", code, text });
  }
  if (!tried.size && !up) await patiently("/health/", {});
  return tried.size > 0;
}

async function work(again) {
  clearTimeout(timer);
  try {
    const news = await send(again);
    pauses = 0;
    line(true);
    if (news) told({ news });
  } catch {
    line(false);
    later();
  }
}

function later() {
  clearTimeout(timer);
  if (document.visibilityState !== "visible") return;
  const wait = PAUSES[Math.min(pauses++, PAUSES.length - 1)];
  timer = setTimeout(flush, wait * 1000 * (0.8 + 0.4 * Math.random()));
}

// `again`: those that were refused as well, for the reason may be gone.
function flush({ again = false } = {}) {
  running ??= work(again).finally(() => (running = null));
  return running;
}

addEventListener("online", () => flush());
addEventListener("offline", () => line(false));
addEventListener("pageshow", ({ persisted }) => persisted && flush());
document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && flush());
document.addEventListener("DOMContentLoaded", () => flush({ again: true }).then(() => told()));

const isUp = () => up;

export { PATIENCE, direct, flush, isUp, line, told };
