// The service worker: keeps the files that the pages of a match are made of, and the last copy of each
// such page for when there is no network. It never answers for anything that is sent, and what it
// keeps of pages belongs to one reader: it goes when somebody signs out or another is here.
"use strict";
const FILES = "files";
const PAGES = "pages";
const PATIENCE = 4000; // then the copy, where there is one
const MOST_PAGES = 12;
const LIST = "/unsent/";
const READER = "/reader";
const isPad = ({ pathname }) => /^\/matches\/[0-9a-f-]{36}\/deals\/\d+\/record\/pad\/$/.test(pathname);
const isMatch = ({ pathname }) => /^\/matches\/[0-9a-f-]{36}\/(sheet\/)?$/.test(pathname);
const isKept = (url) => isMatch(url) || isPad(url) || url.pathname === LIST;
// Which contract the cards are of stands in the address of the pad.
const addressOf = (url) => (isPad(url) ? url.pathname + url.search : url.pathname);

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const files = await caches.open(FILES);
      const missing = [];
      for (const name of self.SHELL) if (!(await files.match(name))) missing.push(name);
      await files.addAll(missing);
      await self.skipWaiting();
    })(),
  );
});

// The page that is open was not seen coming; and a file is thrown away once no page needs it.
self.addEventListener("activate", (event) => {
  event.waitUntil(
    (async () => {
      await self.clients.claim();
      const open = await self.clients.matchAll({ type: "window" });
      const urls = open.map((client) => new URL(client.url)).filter(isKept);
      await Promise.all([...urls.map(addressOf), LIST].map(fetched).map(quietly));
      await sweep();
    })(),
  );
});

const quietly = (promise) => promise.catch(() => {});

async function sweep() {
  const [files, pages] = [await caches.open(FILES), await caches.open(PAGES)];
  const texts = await Promise.all((await pages.matchAll()).map((page) => page.text()));
  for (const { url } of await files.keys()) {
    const { pathname } = new URL(url);
    const isNeeded = self.SHELL.includes(pathname) || texts.some((text) => text.includes(pathname));
    if (!isNeeded) await files.delete(url);
  }
}

// pages

// What was kept for somebody else is gone before anything of this reader is kept.
async function keep(url, answer) {
  const reader = answer.headers.get("X-Reader");
  if (reader === null) return;
  const before = await (await caches.match(READER))?.text();
  if (before !== reader) await caches.delete(PAGES);
  const pages = await caches.open(PAGES);
  if (before !== reader) await pages.put(READER, new Response(reader));
  if (answer.status !== 200 || answer.redirected || !isKept(url)) return;
  await pages.put(url.pathname, answer);
  const kept = (await pages.keys()).filter((one) => isKept(new URL(one.url)) && !one.url.endsWith(LIST));
  for (const old of kept.slice(0, -MOST_PAGES)) await pages.delete(old);
}

async function fetched(request) {
  const answer = await fetch(request);
  const url = new URL(request.url ?? request, self.location);
  await quietly(keep(url, answer.clone()));
  return answer;
}

// The network first; after a while, or without one, the copy. The list of what waits is always there.
async function page(request) {
  const url = new URL(request.url);
  const coming = fetched(request);
  const copy = async () => isKept(url) && (await (await caches.open(PAGES)).match(url.pathname));
  const late = new Promise((done) => setTimeout(done, PATIENCE));
  const first = await Promise.race([coming.then(() => true, () => false), late]);
  if (first) return coming;
  const kept = await copy();
  if (kept) return kept;
  return coming.catch(async (error) => {
    const list = await (await caches.open(PAGES)).match(LIST);
    if (list) return list;
    throw error;
  });
}

async function file(request) {
  return (await (await caches.open(FILES)).match(request)) ?? fetch(request);
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== self.location.origin) return;
  if (request.method !== "GET") {
    if (url.pathname.endsWith("/logout/")) event.waitUntil(caches.delete(PAGES));
    return;
  }
  if (url.pathname.startsWith("/static/")) event.respondWith(file(request));
  else if (request.mode === "navigate") event.respondWith(page(request));
});
