// The page of a match without a network: what waits, which contracts are left by the plan, and their
// forms out of the kit. What hangs on cards, lots or ties it asks, or leaves to the server.

import { dispatch, one, parsed, say } from "./page.js";
import * as planned from "./plan.js";
import * as queue from "./queue.js";
import { store } from "./store.js";
import * as waiting from "./waiting.js";

let [kit, seen] = [null, null];
let under = null; // the table below a form that was opened with a network
let told = null; // who chooses, where the table has said so
const part = () => document.getElementById("match");
const address = () => part()?.dataset.at;
const template = (name) => one(`#offline-${name}`, kit.fragment)?.content.cloneNode(true);
const isFilling = () => !!one("form.entry, #conflict-title", part());

const mine = async () => (await store.waiting()).filter((row) => row.match === address() && !queue.direct.has(row.key));
const moving = (rows) => rows.filter((row) => waiting.stateOf(row, rows) === "waiting");

// what is taken along: it belongs to one reader, and goes with him

// Whether the page is older than what was seen before: a copy, without a network.
async function remember() {
  const { at, plan: text, reader } = part().dataset;
  const before = await store.seen("reader");
  if (before?.reader !== reader) {
    await store.forget();
    await store.see({ match: "reader", reader });
  }
  seen = (await store.seen(at)) ?? null;
  const plan = text ? JSON.parse(text) : null;
  if (!plan || plan.version < (seen?.plan.version ?? 0)) return !!plan;
  const table = one(".table", part())?.outerHTML ?? seen?.table ?? "";
  seen = { match: at, plan, table };
  await store.see(seen);
  return false;
}

async function take() {
  const { at, kit: tag } = part().dataset;
  if (!tag || (await store.kit(tag))) return;
  const answer = await fetch(`${at}kit/`);
  if (answer.ok) await store.keepKit(await answer.json());
}

// Both, where there are both.
async function ready() {
  const { at, kit: tag } = part().dataset;
  if (kit?.tag !== tag) kit = (await store.kit(tag)) ?? null;
  if (kit) kit.fragment ??= parsed(kit.words);
  return !!kit && seen?.match === at;
}

// What this phone has entered since the plan was made: arrived already, or still here.
async function entered() {
  const arrived = (await store.sent()).filter(({ match, version }) => match === address() && version > seen.plan.version);
  const rows = (await store.waiting()).filter((row) => row.match === address());
  return [...arrived, ...rows].filter((row) => row.number >= seen.plan.number);
}

// the table

function fill(place, now) {
  const said = place.innerHTML.replaceAll("{n}", now.number).replaceAll("{total}", seen.plan.total);
  return parsed(said);
}

function turnOf(now, chooser) {
  const turn = seen.plan.asks || (now.isOver ? "over" : (chooser ?? "ask"));
  return one(`[data-turn="${turn}"]`, template("words"));
}

function contracts(root, now, chooser) {
  for (const offer of kit.offers) {
    const item = one(`[data-key="${CSS.escape(offer.key)}"]`, root);
    const open = planned.isOffered(offer, seen.plan, now, chooser);
    const done = !offer.parts.some((name) => now.left[chooser].includes(name));
    one(open ? "span.contract" : "button", item).remove();
    if (open) continue;
    one(".contract", item).classList.add(done ? "done" : "later");
    for (const mark of item.querySelectorAll(done ? ".offline-later" : ".offline-done")) mark.remove();
  }
}

async function table() {
  if (!(await ready())) return false;
  const rows = await entered();
  const now = planned.ahead(seen.plan, kit, rows);
  const chooser = told ?? now.chooser;
  const root = template("table");
  one("h1", root).append(fill(turnOf(now, chooser), now));
  one(".offline-old", root).hidden = !rows.length;
  const isSettled = seen.plan.asks || now.isOver;
  const deals = one(`[data-deals="${isSettled ? "" : now.dealer(chooser)}"]`, template("words"));
  if (deals) one("h1", root).after(deals);
  if (isSettled || chooser === null) for (const each of root.querySelectorAll(".contracts, .offline-lot")) each.remove();
  else contracts(root, now, chooser);
  if (isSettled) one(".offline-chooser", root).remove();
  else if (chooser === null) one(".offline-chooser", root).open = true;
  stand("contract=", "replaceState");
  draw("table", ...parsed(seen.table).children, root);
  return true;
}

// Where Back leads to, and what a reload asks for once there is a network.
function stand(query, how) {
  const url = `${address()}?${query}`;
  history.replaceState({ htmx: true }, "");
  if (location.pathname + location.search !== url) history[how]({ htmx: true }, "", url);
}

function draw(state, ...parts) {
  const place = part();
  under = null;
  place.classList.toggle("entering", state === "form");
  place.dataset.offline = state;
  place.replaceChildren(...parts);
  scrollTo(0, 0);
  dispatch("trex:drawn");
}

const title = (key) => one(`[data-title="${CSS.escape(key)}"]`, kit.fragment).content.cloneNode(true);

// a form

async function open(key) {
  if (!(await ready()) || !kit.forms[key]) return false;
  const rows = await entered();
  const now = planned.ahead(seen.plan, kit, rows);
  const chooser = told ?? now.chooser;
  const offer = kit.offers.find((each) => each.key === key);
  if (chooser === null || seen.plan.asks || !planned.isOffered(offer, seen.plan, now, chooser)) return false;
  const head = template("head");
  one("h1", head).append(title(key));
  one(".offline-turn", head).append(fill(turnOf(now, chooser), now));
  const form = one("form", parsed(kit.forms[key]));
  place(form, rows, now, chooser);
  stand(`contract=${encodeURIComponent(key)}`, "pushState");
  draw("form", head, form);
  return true;
}

// With a network: the answers out of the kit, all else as the server has drawn it with the table.
function openLive(key, how) {
  const shell = one(`template[data-opens~="${CSS.escape(key)}"]`, part())?.content.cloneNode(true);
  if (!shell || kit?.tag !== part().dataset.kit) return false;
  const blank = one("form", parsed(kit.forms[key]));
  const form = one("form.entry", shell);
  const contract = one('[name="contract"]', form);
  form.dataset.draft = form.dataset.draft.replace(`:${contract.value}:`, `:${key}:`);
  contract.value = key;
  stand(`contract=${encodeURIComponent(key)}`, how);
  for (const name of ["action", "hx-post"]) {
    for (const each of shell.querySelectorAll(`[${name}]`)) each.setAttribute(name, location.pathname + location.search);
  }
  for (const each of shell.querySelectorAll("h1, .savebar-where b")) each.replaceChildren(title(key));
  one(".save-what", form).replaceWith(one(".save-what", blank));
  one(".parts", form).replaceWith(...blank.querySelectorAll(":scope > :not(input, .savebar)"));
  const table = [...part().childNodes];
  drawLive("form", shell);
  under = table;
  htmx.process(part());
  return true;
}

function drawLive(...drawing) {
  draw(...drawing);
  delete part().dataset.offline;
}

// Back to the table; what has happened since, the next look at the match brings.
function closeLive(how) {
  if (!under) return false;
  stand("contract=", how);
  drawLive("table", ...under);
  return true;
}

function goLive(href, how) {
  const { pathname, searchParams } = new URL(href);
  const key = searchParams.get("contract");
  return pathname === address() && (key ? openLive(key, how) : closeLive(how));
}

// Where its entry belongs: the deal, who chooses, and what it is based on.
function place(form, rows, now, chooser) {
  const last = rows.at(-1);
  const again = now.isFirst ? seen.plan.again : 0;
  form.setAttribute("action", address());
  form.dataset.draft = `${part().dataset.drafts}:${now.number}:${one('[name="contract"]', form).value}:${again}`;
  form.dataset.version = last?.version ?? seen.plan.version;
  if (last && !last.arrived) form.dataset.after = last.key;
  for (const [name, value] of Object.entries({ deal_number: now.number, chooser })) {
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  }
}

// the bar

function said(rows, { dataset }) {
  if (!queue.isUp()) return rows.length ? (kit.counts[rows.length] ?? kit.counts.at(-1)) : dataset.none;
  if (moving(rows).length) return dataset.sending;
  // The page that shows both says which it is.
  return rows.length && !one("#conflict-title", part()) ? dataset.refused : "";
}

async function bar() {
  if (!address() || !(await ready())) return;
  const rows = await mine();
  const place = one("#line") ?? one("#line", template("bar"));
  const text = one("#line-said", place);
  const words = said(rows, text);
  list(rows);
  if (!words) return place.remove();
  if (text.textContent !== words) text.textContent = words;
  one(".line-plain", place).hidden = queue.isUp() || isSecureContext;
  if (!place.isConnected) part().parentElement.prepend(place);
}

// Below what is to be tapped next; above it where somebody has to decide.
function list(rows) {
  const place = one("#line-list") ?? one("#line-list", template("list"));
  if (!rows.length) return place.remove();
  const asks = rows.some((row) => row.state === "refused");
  if (!place.isConnected || asks !== !!place.nextElementSibling?.matches("#match")) part()[asks ? "before" : "after"](place);
  waiting.draw(one(".waiting-list", place), rows, { words: kit.fragment, looked: look });
}

// In turn: a table that is being drawn would put away the place that this answer is for.
const look = (row) =>
  quietly(() => {
    const values = { ...row.fields, entry_key: row.key, version: row.version };
    return htmx.ajax("POST", `${row.match}?contract=`, { source: "#line-list", target: "#match", swap: "outerHTML", values });
  })();

// when

// The server has drawn something. What waits here may be newer, or the page a copy of an older one.
async function drawn() {
  [told, under] = [null, null];
  if (!address()) return;
  const isOld = await remember();
  await take().catch(() => {});
  await bar();
  const rows = await mine();
  if ((isOld || moving(rows).length) && !isFilling()) await table();
}

async function redraw() {
  const number = (await store.sent()).filter((row) => row.match === address()).at(-1)?.number;
  const url = `${address()}?${number ? `saved=${number}` : "contract="}`;
  history.replaceState(history.state, "", url);
  await htmx.ajax("GET", url, { source: "body", target: "#match", swap: "outerHTML" });
}
// A finger was quicker than the answer.
document.addEventListener("htmx:before:swap", (event) => {
  const { sourceElement: from, target } = event.detail.ctx;
  if (from === document.body && target?.id === "match" && isFilling()) event.preventDefault();
});

// Something has arrived, was refused, or was discarded.
async function settle({ detail }) {
  if (!address()) return;
  await bar();
  if (isFilling()) return;
  const isMoving = moving(await mine()).length > 0;
  const isOffline = "offline" in part().dataset;
  if (queue.isUp() && !isMoving && (detail.news || isOffline)) await redraw();
  else if (isOffline) await table();
}

// One after the other, as it happened. Without a database nothing of it does.
let turn = Promise.resolve();
const quietly = (does) => (event) => (turn = turn.then(() => does(event)).catch(() => {}));
document.addEventListener("trex:queue", quietly(settle));
document.addEventListener(
  "trex:kept",
  quietly(async () => {
    told = null;
    if (!(await table())) say(document.body.dataset.textOffline, "error");
    await bar();
  }),
);
const goOffline = quietly(async (href) => {
  const key = new URL(href).searchParams.get("contract");
  if (!(key && (await open(key))) && !(await table())) say(document.body.dataset.textOffline, "error");
});
document.addEventListener("trex:open", ({ detail }) => goOffline(detail.href));
document.addEventListener("click", (event) => {
  const { target } = event;
  const button = target.closest?.("[data-open], [data-back], [data-chooses]");
  if (button?.dataset.open) open(button.dataset.open);
  else if (button?.dataset.chooses) {
    told = Number(button.dataset.chooses);
    table();
  } else if (button) table();
});
// Taps on the page of the server lead on here at once: nobody answers, or the kit holds the form.
document.addEventListener(
  "click",
  (event) => {
    const link = event.target.closest?.("#match a.contract, #match a.back");
    if (!link || !kit || !seen || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (queue.isUp() && !goLive(link.href, "pushState")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!queue.isUp()) goOffline(link.href);
  },
  true,
);
document.addEventListener("htmx:before:history:restore", (event) => {
  if (!address() || (queue.isUp() && !goLive(location.href, "replaceState"))) return;
  event.preventDefault();
  if (!queue.isUp()) goOffline(location.href);
});
// A page out of the browser's memory: it is as old as it looks.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && address() && queue.isUp() && !isFilling()) redraw().catch(() => {});
});

document.addEventListener(
  "DOMContentLoaded",
  quietly(async () => {
    await drawn();
    const key = location.hash.match(/^#look=([\w-]+)$/)?.[1];
    if (!key) return;
    history.replaceState(history.state, "", location.pathname + location.search);
    const row = (await mine()).find((each) => each.key === key);
    if (row) look(row);
  }),
);
document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
  if (ctx.target?.id === "match" || ctx.target === document.body) quietly(drawn)();
});

export { ready };
