// What this phone takes along of a match while there is a network: the plan and the totals as they were
// last drawn, and the kit with the forms. All of it belongs to one reader and goes with him.
"use strict";
const along = (() => {
  let kit = null;
  let seen = null;
  const page = () => document.getElementById("match").dataset;

  // Whether the page is older than what was seen before: a copy, without a network.
  async function remember() {
    const { at, plan: text, reader } = page();
    const before = await store.seen("reader");
    if (before?.reader !== reader) {
      await store.forget();
      await store.see({ match: "reader", reader });
    }
    seen = (await store.seen(at)) ?? null;
    const plan = text ? JSON.parse(text) : null;
    if (!plan || plan.version < (seen?.plan.version ?? 0)) return !!plan;
    const table = document.querySelector("#match .table")?.outerHTML ?? seen?.table ?? "";
    seen = { match: at, plan, table };
    await store.see(seen);
    return false;
  }

  async function take() {
    const { at, kit: tag } = page();
    if (!tag || (await store.kit(tag))) return;
    const answer = await fetch(`${at}kit/`);
    if (answer.ok) await store.keepKit(await answer.json());
  }

  // Both, where there are both.
  async function ready() {
    const { at, kit: tag } = page();
    if (kit?.tag !== tag) kit = (await store.kit(tag)) ?? null;
    if (kit) kit.fragment ??= waiting.parsed(kit.words);
    return !!kit && seen?.match === at;
  }

  return { remember, take, ready, kit: () => kit, seen: () => seen };
})();
