// Writes every deal that is saved to this phone before it is sent, and looks at what became of it.

import { dispatch } from "./page.js";
import * as queue from "./queue.js";
import { store } from "./store.js";

const CLIENT = "1"; // see CLIENTS in scoring/matches/views/unsent.py
const kept = new WeakSet(); // forms that are on the phone: they may be sent now
const busy = new WeakSet();
const text = (place) => place?.textContent.trim() ?? "";
const isOffline = (form) => "offline" in form.dataset;

// Not crypto.randomUUID, which is not there over plain http.
function newKey() {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))];
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

// What was tapped, in the words of the form: [["Q♠", "Amal"], ["Q♥", "Dima"]].
function label(form) {
  return [...form.querySelectorAll(".answer .slot, .rows .row-five")].flatMap((row) => {
    const chip = row.querySelector(".chip:not(.none) > :checked")?.parentElement;
    if (!chip) return [];
    const asked = row.querySelector(".slot-name, .chip.none b") ?? row.closest(".rows")?.querySelector("legend");
    return [[text(asked), text(chip.querySelector("b, bdi") ?? chip)]];
  });
}

function entryOf(form) {
  const sent = Object.fromEntries([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"));
  const { entry_key: key = newKey(), version, ...fields } = sent;
  return {
    key,
    match: new URL(form.getAttribute("action"), location).pathname,
    name: document.title.split(" · ").slice(0, -1).join(" · "),
    title: form.querySelector(".save-what").dataset.text,
    label: label(form),
    number: Number(fields.deal_number),
    chooser: Number(fields.chooser),
    fields: { ...fields, action: "save" },
    version: form.dataset.version ?? version,
    after: form.dataset.after ?? null,
    client: CLIENT,
    at: Date.now(),
    state: "waiting",
  };
}

// An entry behind one that has arrived meanwhile goes on from there.
async function based(row) {
  const found = row.after && (await store.sent()).find((one) => one.key === row.after);
  return found ? { ...row, after: null, version: found.version } : row;
}

function isWhole(form) {
  const whole = !form.classList.contains("is-open");
  form.querySelector(".not-whole").hidden = whole;
  return whole;
}

function forgetDraft(form) {
  try {
    localStorage.removeItem(`draft:${form.dataset.draft}`);
  } catch {} // no storage: no draft either
}

async function save(form, submitter) {
  const goes = queue.isUp() && !isOffline(form);
  if (!goes && !isWhole(form)) return;
  const row = await based(entryOf(form));
  if (goes) queue.direct.add(row.key);
  const written = await store.put(row).then(
    () => true,
    () => false,
  );
  if (goes || !written) return pass(form, submitter);
  forgetDraft(form);
  dispatch("trex:kept");
  await queue.told();
  queue.flush();
}

// On to htmx. A form of the kit goes as it is where nothing can be kept.
function pass(form, submitter) {
  kept.add(form);
  form.requestSubmit(submitter);
}

document.addEventListener(
  "submit",
  (event) => {
    const { target: form, submitter } = event;
    if (!form.matches("form.entry[data-kept]") || (submitter && submitter.value !== "save")) return;
    if (kept.delete(form)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (busy.has(form)) return;
    busy.add(form);
    save(form, submitter).finally(() => busy.delete(form));
  },
  true,
);

// what became of what htmx has sent

const asked = ({ request: { body, method } }) => {
  const said = (name) => (method === "GET" ? "" : (body?.get?.(name) ?? ""));
  const key = ["preview", "redraw"].includes(said("action")) ? "" : said("entry_key");
  return { key, action: said("action") };
};

async function answered(key, { text: page, response: { status } }) {
  queue.direct.delete(key);
  const rows = await store.waiting();
  const row = rows.find((one) => one.key === key);
  if (!row) return;
  const isHere = page.includes(key); // the page has it, and asks what to do
  if (status === 409 && isHere) await store.change(key, { state: "refused", code: "stale", text: "" });
  else if (status === 422 && isHere && row.state !== "refused") await store.discard(key);
  else if (status < 300 && !rows.some((one) => one.after === key)) await store.discard(key);
  else if (status !== 422 || !isHere) {
    await store.change(key, { state: "waiting" });
    await queue.flush();
  }
  queue.told();
}

document.addEventListener("htmx:after:request", ({ detail: { ctx } }) => {
  const { key } = asked(ctx);
  if (key) answered(key, ctx).catch(() => {});
});

async function failed(key, form) {
  queue.direct.delete(key);
  if (form.isConnected && !isWhole(form)) await store.discard(key);
  else {
    forgetDraft(form);
    dispatch("trex:kept");
  }
  queue.told();
}

// Before the others: what can go on without an answer is no error.
document.addEventListener(
  "htmx:error",
  (event) => {
    const { ctx, error } = event.detail;
    const isSilence = error === "timeout" || ["TypeError", "AbortError"].includes(error?.name);
    if (!ctx?.request || !isSilence || ctx.text !== undefined) return;
    queue.line(false);
    const { key, action } = asked(ctx);
    const { sourceElement: from } = ctx;
    const isBack = !!ctx.request.headers["HX-History-Restore-Request"];
    if (key && action === "save" && from.matches?.("form.entry[data-kept]")) failed(key, from);
    else if (from.matches?.("a.contract, a.back") || isBack) dispatch("trex:open", { href: from.href ?? location.href });
    else if (from !== document.body && from.id !== "preview" && from.id !== "content") return;
    event.stopImmediatePropagation();
  },
  true,
);
document.addEventListener("htmx:config:request", ({ detail: { ctx } }) => {
  ctx.request.timeout = `${queue.PATIENCE}ms`;
});
// Nobody answers: neither a preview nor a change of who deals is asked for.
document.addEventListener("htmx:before:request", (event) => {
  const { id } = event.detail.ctx.sourceElement;
  if (!queue.isUp() && ["preview", "roles"].includes(id)) event.preventDefault();
});

// "Keep this one" of the other phone.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("[data-drops]");
  if (!link) return;
  event.preventDefault();
  store.discard(link.dataset.drops).finally(() => location.assign(link.href));
});
