// What every page does with a script. Without it the same pages work, only with more taps.

import { isLost, land, say } from "./page.js";

// An answer that is not a part of this page stays out of it: a sentence instead.
const fits = ({ detail }) => {
  const { status } = detail.ctx.response;
  return status < 400 || status === 409 || status === 422;
};
document.addEventListener("htmx:response:error", (event) => {
  const { textFailed: failed, textRefused: refused } = document.body.dataset;
  if (!fits(event)) say([403, 404].includes(event.detail.ctx.response.status) ? refused : failed, "error");
});
document.addEventListener("htmx:error", () => say(document.body.dataset.textOffline, "error"));
// The next answer settles it: what has gone wrong before is over, and must not lie on what is new.
document.addEventListener("htmx:after:swap", (event) => {
  if (fits(event)) document.querySelectorAll(".toast.error").forEach((toast) => toast.remove());
});

// After a refusal the page shows where the first error is, however long the form; what is said of
// the whole only where no field is marked. That entry and cards of a deal differ is none.
const showError = () => {
  const main = document.querySelector("main");
  const first =
    main?.querySelector('[aria-invalid="true"], .field-error') ??
    main?.querySelector(".note.error:not(.audit *, .stage *)");
  for (let fold = first?.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
  if (first?.matches(".note")) first.tabIndex = -1;
  first?.scrollIntoView({ block: "center" });
  first?.focus({ preventScroll: true });
};
document.addEventListener("DOMContentLoaded", showError);
// A part of the page that is refused is one too: htmx has scrolled to its top by then.
document.addEventListener("htmx:after:swap", ({ detail }) => {
  if (detail.ctx.response.status === 422) showError();
});

// A part that is swapped takes the focus with it. It goes on at the same field, the first gap, or the
// heading; news is heard in a region that was there before.
let focused = null; // what had the focus, or was tapped, in the part that goes
const announce = (part) => {
  const news = part?.querySelector(".news > p, .note.error, .field-error, [data-tell]")?.textContent;
  const announcer = document.getElementById("announcer");
  if (news && announcer.textContent !== news) announcer.textContent = news;
};
document.addEventListener("DOMContentLoaded", () => announce(document.querySelector("main")));
document.addEventListener("htmx:before:swap", ({ detail: { ctx } }) => {
  const { activeElement } = document;
  if (ctx.target.contains(activeElement)) focused = activeElement;
  else focused = ctx.target.contains(ctx.sourceElement) && ctx.sourceElement !== ctx.target ? ctx.sourceElement : null;
});
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  const part = document.getElementById(ctx.target.id) ?? ctx.target;
  if (focused && isLost()) land(part, focused);
  focused = null;
  if (!part.matches("[aria-live]")) announce(part);
});
document.addEventListener("trex:drawn", () => isLost() && land(document.getElementById("match")));

// Notices go after a while; errors stay until they are tapped.
const fade = () =>
  document.querySelectorAll(".toast:not(.error)").forEach((toast) => {
    setTimeout(() => toast.remove(), 6000);
  });
document.addEventListener("DOMContentLoaded", fade);
document.addEventListener("htmx:after:settle", fade);
document.addEventListener("click", ({ target }) => target.closest?.(".toast")?.remove());

// Without a network the browser would put its own page in place of all that was typed. A server on
// this very machine answers all the same.
const sendWhereReached = async (event) => {
  const { target: form, submitter } = event;
  event.preventDefault();
  const reached = await fetch("/health/", { cache: "no-store" }).then(() => true, () => false);
  if (!reached) return say(document.body.dataset.textOffline, "error");
  form.dataset.reached = "1";
  form.requestSubmit(submitter);
};

// One tap sends once. The server holds the key that makes a second one harmless.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (event.defaultPrevented || form.method === "get") return;
  if (form.dataset.sent) return event.preventDefault();
  if (!navigator.onLine && !form.dataset.reached) return sendWhereReached(event);
  form.dataset.sent = "1";
});
addEventListener("pageshow", () => {
  document.querySelectorAll("form[data-sent]").forEach((form) => delete form.dataset.sent);
});

// Another language, the same place: htmx may have moved on since the menu was drawn.
document.addEventListener("submit", ({ target }) => {
  if (target.matches(".menu-languages")) target.elements.next.value = location.pathname + location.search;
});

// Enter moves to the next name; in the last one it sends.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.isComposing) return;
  if (event.target.getAttribute?.("enterkeyhint") !== "next") return;
  const fields = [...event.target.form.querySelectorAll("input.input")];
  event.preventDefault();
  fields[fields.indexOf(event.target) + 1]?.focus();
});

// The menu closes like one.
document.addEventListener("click", ({ target }) => {
  document.querySelectorAll("details.menu[open]").forEach((menu) => {
    if (!menu.contains(target)) menu.open = false;
  });
});
document.addEventListener("keydown", ({ key }) => {
  const menu = key === "Escape" && document.querySelector("details.menu[open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
});

// Something waits on this phone: the menu leads to it.
const sayUnsent = () => {
  const line = document.querySelector(".menu-unsent");
  try {
    if (line) line.hidden = !localStorage.getItem("unsent");
  } catch {} // no storage: nothing waits
};
for (const name of ["DOMContentLoaded", "trex:unsent"]) document.addEventListener(name, sayUnsent);
