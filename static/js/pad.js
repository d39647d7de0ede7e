// Tapping never waits for the network: every request sends all that was tapped, so that only the
// last answer counts. Whose turn it is, the server says.

const form = () => document.getElementById("keys");
const write = (cards) => {
  document.querySelectorAll('#pad [name="cards"]').forEach((field) => (field.value = cards.join(".")));
  document.querySelector(".pad-save button").disabled = !cards.length;
  form().requestSubmit();
};
const written = () => form().elements.cards.value.split(".").filter(Boolean);

// A tap is taken note of at once; the request then needs to name it no more.
document.addEventListener(
  "click",
  (event) => {
    const key = event.target.closest?.('#keys [name="card"], #keys [name="back"]');
    if (!key || !window.htmx) return;
    event.preventDefault();
    event.stopPropagation();
    if (key.name === "back") return write(written().slice(0, -1));
    if (key.classList.contains("key")) key.disabled = true;
    write([...written(), key.value]);
  },
  true,
);

// By keyboard: the rank, then the suit; Enter means the suit that was led.
let rank = "";
const RANKS = { 1: "A", 0: "T" };
const press = (card) => {
  const key = form().querySelector(`[name="card"][value="${card}"]:not(:disabled)`);
  rank = "";
  key?.click();
};
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !form()) return;
  const name = event.key.toUpperCase();
  if (event.key === "Backspace") form().elements.back.click();
  else if (name === "P" || name === "-") press("-");
  else if ("SHDC".includes(name) && rank) press(rank + name);
  else if (event.key === "Enter" && rank && form().dataset.led) press(rank + form().dataset.led);
  else if ("23456789TJQKA10".includes(name)) rank = RANKS[name] ?? name;
  else return;
  event.preventDefault();
});
