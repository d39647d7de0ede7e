// Tapping never waits for the network: every request sends all that was tapped, so that only the
// last answer counts. Whose turn it is, the server says.

const form = () => document.getElementById("keys");
const keyOf = (card) => form().querySelector(`.key[value="${card}"]`);
// All that was tapped, until an answer shows it. While one is being drawn nothing is sent.
let newest = null;
// At first the page itself: until htmx listens, a form that is sent would load everything anew.
let drawing = true;
document.addEventListener("DOMContentLoaded", () => setTimeout(catchUp));
const written = () => (newest ?? form().elements.cards.value).split(".").filter(Boolean);

// What was tapped stands in the address at once: a reload loses nothing that is still on its way.
const send = () => {
  document.querySelectorAll('#pad [name="cards"]').forEach((field) => (field.value = newest));
  drawCards();
  form().elements.back.disabled = document.querySelector(".pad-save button").disabled = !newest;
  // What is asked before the first card goes with the tap.
  if (newest) document.querySelector(".pad-leader")?.remove();
  form().requestSubmit();
  history.replaceState(null, "", `?${new URLSearchParams(new FormData(form()))}`);
  clearTimeout(late);
  late = setTimeout(sayWaiting, ANSWER_WITHIN);
};
// Keys and count never wait for an answer.
const drawCards = () => {
  const cards = written();
  form().querySelectorAll(".key").forEach((key) => (key.disabled = cards.includes(key.value)));
  form().querySelector(".pad-count bdi").textContent = cards.length;
};
const setCards = (cards) => {
  newest = cards.join(".");
  if (!drawing) send();
};
const takeBack = (cards) => {
  const key = keyOf(cards.at(-1));
  if (key) key.disabled = false;
  setCards(cards.slice(0, -1));
};

// An answer overtaken by a tap would take that tap back: the one that counts is on its way.
let answered = null;
document.addEventListener("htmx:before:swap", (event) => {
  answered = new URL(event.detail.ctx.request.action, location).searchParams.get("cards");
  if (newest !== null && answered !== newest) event.preventDefault();
  else drawing = true;
});
// What came while it was drawn goes now.
function drawn() {
  if (!drawing) return;
  drawing = false;
  if (newest === answered) newest = null;
  if (newest !== null) send();
}
document.addEventListener("htmx:finally:swap", drawn);

// Without an answer the cards go on; whose turn it is comes with the network, which is tried again.
const ANSWER_WITHIN = 4000;
let late = 0;
function sayWaiting() {
  if (newest === null) return;
  document.querySelector(".pad-turn").textContent = document.getElementById("pad").dataset.textWaiting;
}
const resend = () => newest !== null && !drawing && send();
document.addEventListener(
  "htmx:error",
  (event) => {
    if (newest === null) return;
    event.stopPropagation();
    drawing = false;
    sayWaiting();
    clearTimeout(late);
    late = setTimeout(resend, ANSWER_WITHIN);
  },
  true,
);
addEventListener("online", resend);

// A copy of the page, loaded without a network, is older than its address.
function catchUp() {
  const asked = new URLSearchParams(location.search);
  const cards = asked.get("cards");
  const isTap = ["card", "back", "at", "mend"].some((name) => asked.has(name));
  if (form() && cards !== null && !isTap && cards !== form().elements.cards.value) {
    for (const [name, value] of asked) {
      document.querySelectorAll(`#pad [type="hidden"][name="${CSS.escape(name)}"]`).forEach((field) => (field.value = value));
    }
    newest = cards;
  }
  drawn();
}

// Who leads and who doubled goes with the cards too, if one is tapped before the answer.
document.addEventListener("change", ({ target }) => {
  if (!target.closest(".pad-leader")) return;
  const fields = document.querySelectorAll(`#pad [type="hidden"][name="${target.name}"]`);
  fields.forEach((field) => (field.value = target.value));
});

// A tap is taken note of at once; the request then needs to name it no more.
document.addEventListener(
  "click",
  (event) => {
    const key = event.target.closest?.('#keys [name="card"], #keys [name="back"]');
    // Another card in the place of one goes to the server as it is.
    if (!key || !window.htmx || form().elements.at) return;
    event.preventDefault();
    event.stopPropagation();
    held = document.activeElement === key ? key.value : "";
    if (key.name === "back") return takeBack(written());
    if (key.classList.contains("key")) key.disabled = true;
    setCards([...written(), key.value]);
  },
  true,
);

// The answer draws every key anew. Whoever goes from key to key stays where he was, at the next one
// that is left, and hears whose turn it is.
const SAVE = ".pad-save button";
let held = "";
document.addEventListener("htmx:before:swap", () => {
  if (document.activeElement.matches(SAVE)) held = SAVE;
});
document.addEventListener("htmx:after:swap", () => {
  const turn = document.querySelector(".pad-turn");
  document.getElementById("pad-said").textContent = turn?.textContent ?? "";
  if (!held || !form()) return;
  const keys = [...form().querySelectorAll("button")];
  const at = keys.findIndex((key) => key.value === held);
  const next = at < 0 ? document.querySelector(SAVE) : keys.slice(at).find((key) => !key.disabled);
  next?.focus();
});

// The suit that is to be followed, whatever is still on its way: four cards are a trick.
const led = () => {
  const cards = written();
  return "tricks" in form().dataset && cards[cards.length - (cards.length % 4)]?.[1];
};

// By keyboard: the rank, then the suit; Enter means the suit that was led.
let rank = "";
const RANKS = { 1: "A", 0: "T" };
// A keyboard with other letters on it has these keys in their places.
const nameOf = ({ key, code }) =>
  (/^[^\0-\x7f]$/.test(key) ? code.replace(/^(Key|Digit|Numpad)/, "") : key).toUpperCase();
const press = (card) => {
  const key = form().querySelector(`[name="card"][value="${card}"]:not(:disabled)`);
  rank = "";
  key?.click();
};
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !form()) return;
  const name = nameOf(event);
  if (event.key === "Backspace") form().elements.back?.click();
  else if (name === "P" || name === "-") press("-");
  else if ("SHDC".includes(name) && rank) press(rank + name);
  else if (event.key === "Enter" && rank && led()) press(rank + led());
  else if ("23456789TJQKA10".includes(name)) rank = RANKS[name] ?? name;
  else return;
  event.preventDefault();
});
