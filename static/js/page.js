// What scripts share. Importing it does nothing by itself.

export const one = (selector, root = document) => root.querySelector(selector);

export const say = (text, kind = "") => {
  const toast = document.createElement("p");
  toast.className = `toast ${kind}`;
  toast.textContent = text;
  document.getElementById("toasts").replaceChildren(toast);
};

export const parsed = (text) => {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content;
};

export const dispatch = (name, detail = {}) => document.dispatchEvent(new CustomEvent(name, { detail }));

// After a part was swapped: the same field, the first gap, or the heading.
export const isLost = () => !document.activeElement || document.activeElement === document.body;
const isVisible = (element) =>
  element.getClientRects().length && !element.closest("details:not([open]) > :not(summary)");
const sameAs = ({ id }, part) => (id && part.id !== id ? part.querySelector(`#${CSS.escape(id)}`) : null);
const gapIn = (part) =>
  [...part.querySelectorAll(".answer .slot")]
    .filter((slot) => !slot.querySelector(".pad :checked"))
    .map((slot) => slot.querySelector(".pad input"))
    .find((input) => input && isVisible(input));
export const land = (part, before = null) => {
  const heading = [...part.querySelectorAll("h1, h2, legend")].find(isVisible);
  const place = (before && sameAs(before, part)) ?? gapIn(part) ?? heading ?? part;
  if (place.tabIndex < 0) place.tabIndex = -1;
  place.focus({ preventScroll: true });
};
