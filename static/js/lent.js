// Says when the time of an arbiter on this phone is over. The server has ended it by then; a form
// that is half filled in stays as it is.

const bar = document.querySelector(".lent");
const end = Date.now() + Number(bar.dataset.seconds) * 1000;
const look = () => {
  if (Date.now() < end || bar.dataset.ended) return;
  bar.dataset.ended = "1";
  bar.querySelector("p").textContent = bar.dataset.over;
  bar.querySelector("form").remove();
};
setTimeout(look, end - Date.now());
// A phone that slept has missed it.
document.addEventListener("visibilitychange", look);
