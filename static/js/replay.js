// Steps through a deal. The page tells where each card goes; nothing about the game is known here.

const stage = document.getElementById("stage");
const scenes = JSON.parse(stage.dataset.scenes);
const last = scenes.length - 1;
const slider = stage.querySelector(".slider");
const cards = new Map([...stage.querySelectorAll("[data-card]")].map((card) => [card.dataset.card, card]));
// As people hold them: the order in which the server wrote the hands.
const order = stage.dataset.order.split(" ");
const steps = [...document.querySelectorAll("#steps [data-to]")];
const start = document.getElementById("said").dataset.start;
const right = getComputedStyle(stage).direction === "rtl" ? -1 : 1;
let shown = Number(stage.dataset.shown);
let timer = null;

const placeOf = (card, place) =>
  place === "row" ? stage.querySelector(`[data-slot="${card}"]`) : stage.querySelector(`[data-place="${place}"]`);

// A hand stays sorted; a pile, a trick and what was taken lie as they came.
const put = (name, place) => {
  const card = cards.get(name);
  const there = placeOf(name, place);
  const after = place.startsWith("hand-")
    ? [...there.children].find((other) => order.indexOf(other.dataset.card) > order.indexOf(name))
    : null;
  there.insertBefore(card, after ?? null);
};

// Where every card lies, those that moved last at the end.
const placesAt = (target) => {
  const places = new Map();
  for (const { moves } of scenes.slice(0, target + 1)) {
    for (const [card, place] of Object.entries(moves)) {
      places.delete(card);
      places.set(card, place);
    }
  }
  return places;
};

const write = (scene) => {
  stage.querySelectorAll(".side").forEach((side) => {
    const seat = Number(side.dataset.seat);
    side.classList.toggle("turn", scene.turn === seat);
    side.classList.toggle("won", scene.won === seat);
    side.querySelector("[data-points] bdi").textContent = scene.points[seat];
    const tricks = side.querySelector("[data-tricks]");
    if (tricks) tricks.textContent = tricks.dataset.text.replace("{}", scene.tricks[seat]);
  });
  const sum = stage.querySelector("[data-sum] bdi");
  if (sum) sum.textContent = scene.sum;
};

const tell = () => {
  const said = document.getElementById("said");
  const link = steps[shown - 1];
  if (link) said.innerHTML = link.innerHTML;
  else said.textContent = start;
  steps.forEach((step) => step.removeAttribute("aria-current"));
  link?.setAttribute("aria-current", "step");
  stage.querySelector("[data-shown]").textContent = shown;
  slider.value = shown;
};

const show = (target) => {
  const to = Math.max(0, Math.min(last, target));
  if (to === shown) return;
  placesAt(to).forEach((place, name) => {
    if (cards.get(name).parentElement !== placeOf(name, place)) put(name, place);
  });
  shown = to;
  write(scenes[shown]);
  tell();
  history.replaceState(null, "", address());
};

const address = () => {
  const url = new URL(location);
  url.searchParams.set("play", shown);
  return url;
};

const stop = () => {
  clearInterval(timer);
  timer = null;
  toggle.textContent = "▶▶";
  toggle.setAttribute("aria-label", toggle.dataset.start);
};

const toggle = stage.querySelector("[data-play]");
toggle.hidden = false;
toggle.dataset.start = toggle.getAttribute("aria-label");
const play = () => {
  if (timer) return stop();
  if (shown === last) show(0);
  toggle.textContent = "■";
  toggle.setAttribute("aria-label", toggle.dataset.stop);
  timer = setInterval(() => (shown === last ? stop() : show(shown + 1)), 1000);
};
toggle.addEventListener("click", play);

const stepBy = (step) => {
  stop();
  show({ first: 0, last }[step] ?? shown + Number(step));
};
stage.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step]");
  if (!link) return;
  event.preventDefault();
  stepBy(link.dataset.step);
});
slider.addEventListener("input", () => {
  stop();
  show(Number(slider.value));
});
document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-to]");
  if (!link || event.metaKey || event.ctrlKey) return;
  event.preventDefault();
  stop();
  show(Number(link.dataset.to));
  stage.scrollIntoView({ block: "start" });
});

const keys = { Home: "first", End: "last", PageUp: -4, PageDown: 4 };
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target === slider) return;
  const arrow = { ArrowRight: right, ArrowLeft: -right }[event.key];
  const step = arrow ?? keys[event.key];
  if (step !== undefined) {
    event.preventDefault();
    stepBy(step);
  } else if (event.key === " " && !event.target.closest("button, a, summary, input")) {
    event.preventDefault();
    play();
  }
});

// A swipe over the table goes one card on or back, the way people read.
let from = null;
const board = stage.querySelector(".board");
board.addEventListener("pointerdown", (event) => (from = event.isPrimary ? event : null));
board.addEventListener("pointerup", (event) => {
  if (!from) return;
  const [across, down] = [event.clientX - from.clientX, event.clientY - from.clientY];
  from = null;
  if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) stepBy(across < 0 ? right : -right);
});
