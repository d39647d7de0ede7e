// Helps while an outcome is tapped in: fills what is certain, makes faint what cannot be, opens the
// next part. It knows no points and never changes what was tapped.

const all = (root, selector) => [...root.querySelectorAll(selector)];
const picked = (slot) => slot.querySelector(".pad :checked");
const isAuto = (input) => input.hasAttribute("data-auto");
const typed = (slot) => {
  const input = picked(slot);
  return input && !isAuto(input) ? input : null;
};
const slotsOf = (answer) => all(answer, ".slot");
const name = (slot) => slot.querySelector(".slot-name")?.textContent ?? "";

// A word with a direction of its own: a name, a card.
const word = (text) => Object.assign(document.createElement("bdi"), { textContent: text });
const listed = (parts) => parts.flatMap((part, place) => (place ? [" · ", part] : [part]));
// What people are called beside Save, where there is little room.
const short = (seat) => document.querySelectorAll("#preview .purse-name")[seat]?.textContent;
// "Q♠ Amal", "Badr 5", or just the taker.
const result = (slot) => {
  const chip = picked(slot)?.parentElement;
  const chosen = short(chip?.dataset.seat) ?? chip?.querySelector("b")?.textContent ?? "";
  const pair = Object.assign(document.createElement("bdi"), { dir: document.dir });
  pair.append(word(name(slot)), " ", word(chosen));
  return pair;
};

function choose(slot, value) {
  const input = slot.querySelector(`.pad [value="${value}"]`);
  if (!input) return;
  input.checked = true;
  input.setAttribute("data-auto", "");
}

// What follows for sure from the taps: the last of four counts, nobody gets what is not left,
// the last to go out.
function certain(answer) {
  const slots = slotsOf(answer);
  const empty = slots.filter((slot) => !typed(slot));
  const values = slots.filter(typed).map((slot) => Number(typed(slot).value));
  if (answer.classList.contains("counts")) {
    const left = Number(answer.dataset.exist) - values.reduce((sum, value) => sum + value, 0);
    if (empty.length === 1 && left >= 0) return [[empty[0], left]];
    if (empty.length < 4 && left === 0) return empty.map((slot) => [slot, 0]);
  }
  if (answer.classList.contains("order") && values.length >= Number(answer.dataset.needed)) {
    const rest = [0, 1, 2, 3].filter((seat) => !values.includes(seat));
    if (rest.length === empty.length) return empty.map((slot, place) => [slot, rest[place]]);
  }
  return [];
}

// In a deal that was broken off nothing follows, and nothing need be said.
const brokenOff = (form) => !!form.querySelector(".trouble .chip:not(.none) :checked");

function fill(answer) {
  for (const input of all(answer, "[data-auto]")) {
    input.checked = false;
    input.removeAttribute("data-auto");
  }
  if (brokenOff(answer.closest("form"))) return;
  for (const [slot, value] of certain(answer)) choose(slot, value);
}

// Faint, not forbidden: a finger may insist, and the page then says what is wrong.
function dim(answer) {
  const slots = slotsOf(answer);
  const others = (slot) =>
    slots.filter((other) => other !== slot && typed(other)).map((other) => Number(typed(other).value));
  for (const slot of slots) {
    const taken = others(slot);
    const left = Number(answer.dataset.exist) - taken.reduce((sum, value) => sum + value, 0);
    for (const input of all(slot, ".pad input")) {
      const value = Number(input.value);
      const unlikely = answer.classList.contains("counts")
        ? value > left
        : answer.classList.contains("order") && taken.includes(value);
      input.parentElement.classList.toggle("unlikely", unlikely);
    }
    const note = slot.querySelector(".slot-left");
    if (note) note.textContent = note.dataset[left < 0 ? "over" : "left"].replace("{}", Math.abs(left));
  }
}

const missing = (answer) => slotsOf(answer).filter((slot) => !picked(slot));

// Every count is there, and they are not as many as there are.
const isOff = (answer) => {
  const sum = slotsOf(answer).reduce((all, slot) => all + Number(picked(slot)?.value), 0);
  return answer.classList.contains("counts") && sum !== Number(answer.dataset.exist);
};

// Opens the first part that is not whole yet, and ticks those that are.
function advance(form, from) {
  const parts = all(form, ".part");
  const whole = (part) => all(part, ".answer").every((answer) => !missing(answer).length);
  for (const part of parts) {
    const asked = part.querySelector(".answer");
    part.classList.toggle("filled", asked ? whole(part) : !!part.querySelector(".chip:not(.none) :checked"));
  }
  const next = parts.find((part) => !whole(part));
  const tab = next?.querySelector(".tab input");
  // Not under keys that still look for the right choice: they leave it with Tab.
  if (tab && from && whole(from) && !from.querySelector(":focus-visible")) tab.checked = true;
}

// Save says what is still open, by name; when nothing is, it repeats what was tapped.
function label(form) {
  const what = form.querySelector(".save-what");
  const answers = all(form, ".answer");
  const tabs = all(form, ".part:not(.filled):has(.answer) > .tab .tab-name").map((tab) => tab.textContent);
  const gaps = brokenOff(form) ? [] : answers.flatMap(missing);
  form.classList.toggle("is-open", gaps.length > 0 || (!brokenOff(form) && answers.some(isOff)));
  const open = tabs.length > 1 ? tabs : gaps.map(name).filter(Boolean);
  if (gaps.length && open.length) what.replaceChildren(what.dataset.textOpen, " ", ...listed(open.map(word)));
  else if (gaps.length || answers.length !== 1) what.replaceChildren(what.dataset.text);
  else what.replaceChildren(...listed(slotsOf(answers[0]).map(result)));
}

function refresh(form, from = null) {
  for (const answer of all(form, ".answer")) {
    fill(answer);
    dim(answer);
  }
  advance(form, from);
  label(form);
}

document.addEventListener("change", ({ target }) => {
  if (target.id === "plays") deal(target.closest("details"));
  const form = target.closest?.("form.entry");
  if (!form || !target.closest(".chip")) return;
  target.removeAttribute("data-auto");
  const answer = target.closest(".answer");
  if (answer && !target.matches(":focus-visible")) shut(answer);
  for (const told of all(answer ?? form, ".field-error")) told.remove();
  target.closest(".part")?.classList.remove("wrong");
  refresh(form, target.closest(".part"));
});

// by keyboard

const shut = (answer) => {
  for (const opener of all(answer, ".slot-head input")) opener.checked = false;
};

// While keys choose in it, a slot is held open: between two choices nothing has the focus.
function hold(slot) {
  const opener = slot.querySelector(".slot-head input");
  if (opener) opener.checked = true;
}

// Opens a slot, and its part, and goes to its choice or to the first that may be chosen.
function enter(slot) {
  const tab = slot.closest(".part").querySelector(".tab input");
  if (tab) tab.checked = true;
  hold(slot);
  (picked(slot) ?? slot.querySelector(".pad input")).focus({ preventScroll: true });
}

// Tab goes from slot to slot, whichever of them is open.
function leave(event, slot) {
  const slots = all(slot.closest("form"), ".answer .slot");
  const next = slots[slots.indexOf(slot) + (event.shiftKey ? -1 : 1)];
  if (!next || next.closest(".answer") !== slot.closest(".answer")) shut(slot.closest(".answer"));
  if (!next) return;
  event.preventDefault();
  enter(next);
}

// Digits enter a count, a second one makes it greater than nine.
const DIGITS = ["0123456789", "٠١٢٣٤٥٦٧٨٩", "۰۱۲۳۴۵۶۷۸۹"];
const digitOf = (key) => Math.max(...DIGITS.map((digits) => (key.length === 1 ? digits.indexOf(key) : -1)));
let begun = null; // the slot whose count may still get a second digit

function count(event, slot) {
  const digit = digitOf(event.key);
  const chipOf = (value) => slot.querySelector(`.counts .pad [value="${value}"]`);
  const chip = digit < 0 ? null : ((begun === slot && chipOf(`${picked(slot)?.value}${digit}`)) || chipOf(digit));
  begun = chip ? slot : null;
  if (!chip) return;
  event.preventDefault();
  hold(slot);
  chip.focus({ preventScroll: true });
  chip.click();
}

document.addEventListener("keydown", (event) => {
  const slot = event.target.closest?.("form.entry .answer .slot");
  if (!slot || event.altKey || event.ctrlKey || event.metaKey) return;
  if (event.key === "Tab") leave(event, slot);
  if (event.key.startsWith("Arrow")) hold(slot);
  if (event.key !== "Shift") count(event, slot);
});

// The cards of fifty-one: each tap writes one more into the text, "back" takes the last away.
function deal(fold) {
  const text = fold.querySelector("#plays");
  const written = text.value.split(/[\s,،;]+/).filter(Boolean);
  for (const chip of all(fold, "[data-card]")) {
    const place = written.indexOf(chip.dataset.card);
    chip.classList.toggle("unlikely", place >= 0);
  }
  fold.querySelector(".deck").hidden = false;
  fold.querySelector(".card-back").hidden = !written.length;
  return written;
}

function write(fold, cards) {
  const text = fold.querySelector("#plays");
  text.value = cards.join(" ");
  text.dispatchEvent(new Event("change", { bubbles: true }));
}

document.addEventListener("click", ({ target }) => {
  const fold = target.closest?.("details.cards");
  const card = target.closest?.("[data-card]")?.dataset.card;
  const written = fold ? deal(fold) : [];
  if (card && !written.includes(card)) write(fold, [...written, card]);
  if (target.closest?.(".card-back")) write(fold, written.slice(0, -1));
  if (fold) deal(fold);
});

const start = (root) => {
  for (const form of root.querySelectorAll("form.entry")) refresh(form);
  for (const fold of root.querySelectorAll("details.cards")) deal(fold);
};
// The second tap of a double tap on Save must not land on what has just appeared below it.
const calm = (match) => {
  match.classList.add("calm");
  setTimeout(() => match.classList.remove("calm"), 300);
};

// What was told once is no news after a reload.
const forget = () => {
  const address = new URL(location.href);
  if (!address.searchParams.has("undone")) return;
  address.searchParams.delete("undone");
  history.replaceState(history.state, "", address);
};

document.addEventListener("trex:drawn", () => {
  start(document);
  calm(document.getElementById("match"));
});
document.addEventListener("htmx:after:swap", ({ detail }) => {
  start(document);
  setTimeout(forget);
  if (detail.ctx.target?.id !== "preview") calm(document.getElementById("match"));
});
start(document);
forget();
