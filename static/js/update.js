// The service worker; and a word when the server has newer pages, but never over a form, a draft or
// something that waits to be sent.

if (isSecureContext) navigator.serviceWorker?.register("/sw.js").catch(() => {});

const build = () => document.querySelector("[data-tag]")?.dataset.tag.split("-").at(-1);
const first = build();
const hasDraft = (match) => {
  try {
    return Object.keys(localStorage).some((key) => key === "unsent" || key.startsWith(`draft:${match}`));
  } catch {
    return false; // no storage: no draft either
  }
};

function offer() {
  const place = document.getElementById("update");
  const part = document.getElementById("match");
  if (!place || !part) return;
  const isBusy = !!part.querySelector("form.entry, #conflict-title") || hasDraft(part.dataset.drafts);
  place.hidden = build() === first || isBusy;
}

for (const name of ["htmx:after:swap", "trex:drawn", "trex:unsent"]) document.addEventListener(name, offer);
document.addEventListener("click", ({ target }) => target.closest?.("#update button") && location.reload());
