// Keeps on this phone what was tapped in a form and not sent yet: written on every change, put back
// when the form is drawn anew, thrown away once the page says that it is settled.

const DAY = 24 * 60 * 60 * 1000;
const MARK = "draft:";
const before = new WeakMap(); // what the server had drawn
const waiting = new WeakMap(); // what has no input yet: some are asked once others are answered
const quietly = (act) => {
  try {
    act();
  } catch {} // no storage, or not ours
};
const inputs = (form) => [...form.elements].filter((each) => each.matches(".chip > input, .input"));
const isText = (input) => input.type !== "radio";
const drawn = (input) => (isText(input) ? input.defaultValue : input.defaultChecked ? input.value : null);
// What another script filled in was not tapped.
const isTapped = (input) => isText(input) || input.matches(":checked:not([data-auto])");
const tapped = (input) => (isTapped(input) ? input.value : null);
const values = (form, read) =>
  Object.fromEntries(inputs(form).flatMap((each) => (read(each) === null ? [] : [[each.name, read(each)]])));

function keep(form) {
  const key = MARK + form.dataset.draft;
  const all = Object.entries({ ...waiting.get(form), ...values(form, tapped) });
  // "Nobody" is a value too, where somebody was drawn.
  const kept = all.filter(([name, value]) => (before.get(form)[name] ?? "") !== value);
  if (kept.length) localStorage.setItem(key, JSON.stringify({ at: Date.now(), kept }));
  else localStorage.removeItem(key);
}

// As if tapped: first all of it, then the news of each, so that whoever listens sees the whole.
function put(form, kept) {
  const told = new Map(kept);
  const fits = (input) => (isText(input) ? told.has(input.name) : told.get(input.name) === input.value);
  const met = inputs(form).filter(fits);
  for (const input of met) {
    if (isText(input)) input.value = told.get(input.name);
    else input.checked = true;
    told.delete(input.name);
    input.closest("details")?.setAttribute("open", "");
  }
  waiting.set(form, Object.fromEntries(told));
  for (const input of met) input.dispatchEvent(new Event("change", { bubbles: true }));
}

// What the server filled in, even in part, wins over what was kept.
function begin(form) {
  const { draft, filled } = form.dataset;
  before.set(form, filled === undefined ? values(form, drawn) : {});
  const found = filled === undefined && localStorage.getItem(MARK + draft);
  if (!found) return;
  form.reset();
  put(form, JSON.parse(found).kept);
}

// What is over: too old, or of a place that the page says is settled.
const isOver = (key, { drafts, settled }) => {
  const [owner, place] = key.slice(MARK.length).split(":");
  if (owner === drafts && settled.split(" ").includes(place)) return true;
  return !(Date.now() - JSON.parse(localStorage.getItem(key)).at < DAY);
};
const sweep = ({ dataset }) =>
  Object.keys(localStorage)
    .filter((key) => key.startsWith(MARK) && isOver(key, dataset))
    .forEach((key) => localStorage.removeItem(key));

const look = () => {
  quietly(() => sweep(document.querySelector("[data-drafts]")));
  for (const form of document.querySelectorAll("form[data-draft]")) {
    if (before.has(form)) put(form, Object.entries(waiting.get(form) ?? {}));
    else quietly(() => begin(form));
  }
};
const note = ({ target: { form } }) => before.has(form) && quietly(() => keep(form));
for (const name of ["change", "input"]) document.addEventListener(name, note);
const soon = () => setTimeout(look); // the others listen by then
for (const name of ["DOMContentLoaded", "htmx:after:swap", "trex:drawn"]) document.addEventListener(name, soon);
