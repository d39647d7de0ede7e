// Follows a match while somebody looks. What is the same for all replaces what stood there; a page
// with parts of its own is drawn anew, but under a form it only says what has happened.

import { dispatch, isLost, land, one, parsed } from "./page.js";

const EVERY = 1500;
const PATIENCE = 6000; // then the question is given up and asked again
const STALE = 8000;
let root = null; // what is followed: htmx puts another in its place
let tag = ""; // of the newest that was told; what is shown may be older
let asking = false;
let timer = 0;
let alarm = 0;
let since = "";

const build = (of) => of.slice(of.lastIndexOf("-"));
// With its date where that is another day: the page may be a kept copy.
const clock = (moment = new Date()) => {
  const time = moment.toLocaleTimeString("en-GB");
  const day = moment.toLocaleDateString("en-GB");
  return day === new Date().toLocaleDateString("en-GB") ? time : `${day} ${time}`;
};

function find() {
  const found = one("[data-live]");
  if (found !== root) tag = found?.dataset.tag;
  root = found;
  return root;
}

// how old it is

function say(mark, text) {
  const place = one(mark);
  if (!place) return;
  const [before, after] = text.split("{}");
  const time = Object.assign(document.createElement("bdi"), { dir: "ltr", textContent: since });
  if (after === undefined) place.textContent = text;
  else place.replaceChildren(before, time, after);
}

function cut(text) {
  document.body.classList.toggle("stale", !!text);
  say(".cut", text);
}

function watch() {
  clearTimeout(alarm);
  alarm = setTimeout(() => cut(one(".cut").dataset.cut), STALE);
}

// What enters deals without a network wants to know as well.
const line = (up) => dispatch("trex:line", { up });

function confirmed() {
  line(true);
  since = clock();
  say(".as-of", one(".as-of").dataset.text);
  if (document.body.classList.contains("stale")) cut("");
  watch();
}

// what is new

const changed = (input) =>
  input.checked !== input.defaultChecked || (input.type !== "file" && input.value !== input.defaultValue);
// Without a network the page is another script's until it has drawn it anew.
const inHand = () =>
  "offline" in root.dataset ||
  !!root.querySelector("form.entry, #conflict-title, .htmx-request") ||
  (root.contains(document.activeElement) && document.activeElement.matches("input, textarea, select")) ||
  [...root.querySelectorAll("input, textarea")].some(changed);

// What is open stays open, and the focus where it was, as far as it is there again.
function keeping(place) {
  const name = (fold) => fold.querySelector("summary")?.textContent;
  const folds = (of) => [...of.querySelectorAll("details")];
  const open = folds(place).filter((fold) => fold.open).map(name);
  const isInside = place.contains(document.activeElement);
  const href = isInside && document.activeElement.getAttribute("href");
  return (now) => {
    for (const fold of folds(now)) fold.open ||= open.includes(name(fold));
    if (href) now.querySelector(`a[href="${CSS.escape(href)}"]`)?.focus({ preventScroll: true });
    if (isInside && isLost()) land(now);
  };
}

const isSelected = (place) => {
  const chosen = getSelection();
  return !chosen.isCollapsed && place.contains(chosen.anchorNode);
};

function put(text, is) {
  const region = root.querySelector("#live") ?? root;
  const again = keeping(region);
  region.replaceChildren(parsed(text));
  root.dataset.tag = is;
  again(region);
  const next = region.querySelector("[data-next]");
  if (next) location.replace(next.dataset.next);
}

// Over a form: another phone has it now, or has saved this very deal.
function tell(text) {
  const news = parsed(text).firstElementChild;
  const { settled, by, lease, state } = news.dataset;
  const mine = root.dataset.personal;
  const closed = root.querySelector(".closed-meanwhile");
  if (closed) closed.hidden = state === "running";
  const bar = one("#lease");
  const name = bar?.querySelector(".keeper");
  if (name) {
    name.textContent = news.textContent;
    bar.hidden = !lease || lease === mine;
  }
  const line = root.querySelector(".meanwhile");
  const number = root.querySelector('form.entry [name="deal_number"]')?.value;
  if (line) line.hidden = by === mine || !settled.split(" ").includes(number);
}

// A page about one deal only says that the match has gone on.
function moved(now) {
  tag = now;
  root.querySelector(".moved-on").hidden = false;
  confirmed();
}

async function redraw() {
  const again = keeping(root);
  await htmx.ajax("GET", location.href, { source: "#content", target: "#match", swap: "outerHTML" });
  again(find());
}
// A finger was quicker than the answer: what it has asked for is not swept away.
document.addEventListener("htmx:before:swap", (event) => {
  if (event.detail.ctx.sourceElement.id === "content" && find() && inHand()) event.preventDefault();
});

async function take(answer, asked) {
  const told = answer.headers.get("ETag")?.replace(/^W\/|"/g, "");
  if (answer.status === 200 && told) {
    const text = await answer.text();
    if (find() !== asked) return confirmed(); // somebody's tap has brought a newer page
    if ("told" in root.dataset) return moved(told);
    if (isSelected(root)) return confirmed(); // asked again once nothing is selected
    tag = told;
    if ("personal" in root.dataset) tell(text);
    else if (build(told) !== build(root.dataset.tag)) location.reload();
    else put(text, told);
  } else if (answer.status !== 304) return;
  confirmed();
  if ("personal" in root.dataset && tag !== root.dataset.tag && !inHand()) await redraw();
}

// asking

async function ask() {
  const patience = new AbortController();
  const limit = setTimeout(() => patience.abort(), PATIENCE);
  const asked = root;
  try {
    const headers = { "If-None-Match": `"${tag}"` };
    const answer = await fetch(root.dataset.live, { headers, cache: "no-store", signal: patience.signal });
    if (answer.status === 403 || answer.status === 404) return end();
    await take(answer, asked);
  } catch {
    // How old the page is says so by itself.
    if (document.visibilityState === "visible") line(false);
  } finally {
    clearTimeout(limit);
  }
}

// The page says why it follows no more. A form and a television stay as they are.
function end() {
  const stays = document.body.matches(".screen") || inHand();
  removeEventListener("pageshow", look);
  document.removeEventListener("visibilitychange", look);
  clearTimeout(alarm);
  root = null;
  if (!stays) return location.reload();
  one(".overhead")?.remove(); // who keeps score is no matter here any more
  cut(one(".cut").dataset.over);
}

async function poll() {
  if (asking || !find()) return;
  asking = true;
  await ask();
  asking = false;
  if (root && document.visibilityState === "visible") timer = setTimeout(poll, EVERY);
}

function look() {
  clearTimeout(timer);
  clearTimeout(alarm);
  if (document.visibilityState !== "visible") return;
  watch();
  poll();
}

if (find()) {
  since = clock(new Date(one(".as-of").dataset.drawn));
  say(".as-of", one(".as-of").dataset.text);
  document.addEventListener("visibilitychange", look);
  addEventListener("pageshow", look);
}
