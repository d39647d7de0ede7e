// What this phone keeps of its matches, in the browser's own database: entries that wait with their
// keys, those that have arrived, what was last seen of each match, and the forms for when there is
// no network. Entries outlive everything else; they know no reader and no token.

const STORES = { waiting: "key", sent: "key", seen: "match", kits: "tag" };
const DAY = 24 * 60 * 60 * 1000;

const answered = (request) =>
  new Promise((done, failed) => {
    request.onsuccess = () => done(request.result);
    request.onerror = () => failed(request.error);
  });

function opened() {
  const request = indexedDB.open("trexscore", 1);
  request.onupgradeneeded = () => {
    for (const [name, keyPath] of Object.entries(STORES)) request.result.createObjectStore(name, { keyPath });
  };
  return answered(request);
}

// One transaction. What is written is on the disk of the phone when this comes back.
async function within(names, act) {
  const base = await opened();
  try {
    const transaction = base.transaction(names, "readwrite", { durability: "strict" });
    const done = new Promise((yes, no) => {
      transaction.oncomplete = yes;
      transaction.onabort = transaction.onerror = () => no(transaction.error);
    });
    const found = await act(...names.map((name) => transaction.objectStore(name)));
    await done;
    return found;
  } finally {
    base.close();
  }
}

const inOrder = (rows) => rows.sort((one, other) => one.at - other.at);
const all = async (name) => within([name], (rows) => answered(rows.getAll()));

// Those behind an entry go on from where it came to, or from where it began.
async function follow(waiting, key, base) {
  for (const row of await answered(waiting.getAll())) {
    if (row.after === key) waiting.put({ ...row, after: null, ...base });
  }
}

export const store = {
  waiting: async () => inOrder(await all("waiting")),
  sent: async () => (await all("sent")).sort((one, other) => one.version - other.version),
  put: (row) => within(["waiting"], (waiting) => answered(waiting.put(row))),

  // Where it still waits: somebody may have discarded it meanwhile.
  change: (key, changes) =>
    within(["waiting"], async (waiting) => {
      const row = await answered(waiting.get(key));
      if (row) waiting.put({ ...row, ...changes });
    }),

  // `number`: as which deal it was saved, which may be a later one than when it was entered.
  arrived: (key, version, number) =>
    within(["waiting", "sent"], async (waiting, sent) => {
      const row = await answered(waiting.get(key));
      if (row) sent.put({ ...row, version, number, arrived: Date.now() });
      waiting.delete(key);
      await follow(waiting, key, { version });
      for (const old of await answered(sent.getAll())) {
        if (Date.now() - old.arrived > DAY) sent.delete(old.key);
      }
    }),

  discard: (key) =>
    within(["waiting"], async (waiting) => {
      const row = await answered(waiting.get(key));
      waiting.delete(key);
      if (row) await follow(waiting, key, { after: row.after, version: row.version });
    }),

  seen: (match) => within(["seen"], (seen) => answered(seen.get(match))),
  see: (row) => within(["seen"], (seen) => answered(seen.put(row))),
  kit: async (tag) => (await all("kits")).find((one) => one.tag === tag),
  keepKit: (kit) =>
    within(["kits"], async (kits) => {
      const old = inOrder(await answered(kits.getAll())).slice(0, -7);
      for (const one of old) kits.delete(one.tag);
      kits.put({ ...kit, at: Date.now() });
    }),

  // What was shown to somebody else on this phone.
  forget: () => within(["seen", "kits"], (seen, kits) => (seen.clear(), kits.clear())),
};
