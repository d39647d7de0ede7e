// Which contracts are left to whom, without a network: the plan that came with the page, and what was
// entered on this phone since. It takes away what was played and knows no rule besides; what hangs on
// cards, lots or ties it leaves open.

// `rows` are the entries since the plan was made, in order. Without a chooser it has to be asked.
function ahead({ deals, dealers, left: before, number: first }, { again, beside, shared, stays }, rows) {
  const left = before.map((names) => [...names]);
  let [place, last, sure, dealt] = [0, null, true, 0];
  const proposed = () => {
    while (place < deals.length && !left[deals[place][1]].length) place += 1;
    return deals[place]?.[1] ?? null;
  };
  for (const { chooser, fields } of rows) {
    sure &&= proposed() === chooser;
    last = chooser;
    if (again.some((name) => fields[name])) continue; // the same is played once more
    const played = fields.contract.split("+");
    for (const seat of shared ? [0, 1, 2, 3] : [chooser]) left[seat] = left[seat].filter((name) => !played.includes(name));
    place += 1;
    dealt += 1;
  }
  const goesOn = stays && last !== null && left[last].length ? last : null;
  return {
    left,
    number: deals[rows.length]?.[0] ?? Math.max(first, ...rows.map((row) => row.number + 1)),
    chooser: sure ? proposed() : goesOn,
    dealer: (seat) => dealers[beside ? seat : dealt % 4] ?? null,
    isFirst: !rows.length,
    isOver: left.every((names) => !names.length),
  };
}

function isOffered({ key, parts, before }, { only }, now, chooser) {
  if (now.isFirst && only.length) return only.includes(key);
  const left = now.left[chooser];
  return parts.every((name) => left.includes(name)) && !before.some((name) => left.includes(name));
}

export { ahead, isOffered };
