// The screen stays on while a deal is being entered, and where a page is for a wall, as far as the
// browser allows it. A hidden page loses the lock.

let held = null;
const ask = () => navigator.wakeLock.request("screen").catch(() => null);

function settle() {
  const entering = document.visibilityState === "visible" && document.querySelector("form.entry, [data-awake]");
  if (entering && !held) held = ask();
  if (entering || !held) return;
  held.then((lock) => lock?.release()).catch(() => {});
  held = null;
}

if (navigator.wakeLock) {
  document.addEventListener("visibilitychange", settle);
  for (const name of ["htmx:after:swap", "trex:drawn"]) document.addEventListener(name, settle);
  settle();
}
