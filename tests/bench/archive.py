"""Packed archives: deals a second against a plain loop, memory, text, agreement with the engine."""

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import process_time

import numpy as np

from scoring.archive.auditing import audited_block, parts_of
from scoring.archive.columns import Columns, Packer
from scoring.archive.packed_file import DEALS_A_BLOCK, BlockFault, mapped, write_deals
from scoring.archive.summary import audited_records
from scoring.replay.archive import read_all
from scoring.replay.notation.trex_text import write
from scoring.replay.record import Record
from scoring.replay.words import SEAT_TAGS
from scoring.rules import Contract
from tests.archive.agreeing import differences
from tests.archive.making import careless_deal
from tests.bench.replay import rows_loop, seconds, some_deals, tricks_loop
from tests.replay.play.test_quick import spoilt
from tests.support.players import any_legal_deal

LEAST = {"king": 60, "trex": 30}
HOPED = {"king": 200, "trex": 100}
LEAST_OF_TEXT = 0.3
MOST_MEMORY = 150  # MB
LOOPS: dict[str, Callable[[Record], object]] = {"king": tricks_loop, "trex": rows_loop}
PEER = """
import sys, time, pyspiel
game, count = pyspiel.load_game("hearts"), int(sys.argv[1])
import random
random.seed(1)
histories = []
for _ in range(count):
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
    histories.append(state.history())
start = time.process_time()
for history in histories:
    state = game.new_initial_state()
    for action in history:
        state.apply_action_with_legality_check(action)
print(count / (time.process_time() - start))
"""


def main() -> int:
    parser = argparse.ArgumentParser(prog="bin/bench archive", description=__doc__)
    parser.add_argument("deals", nargs="?", type=int, default=1_000_000, help="in each archive")
    parser.add_argument("--rounds", type=int, default=5, help="the best of each counts")
    parser.add_argument("--copies", type=int, default=10, help="of an archive, to weigh memory")
    parser.add_argument("--agree", type=int, default=20_000, help="deals held against the engine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--peers", action="store_true", help="OpenSpiel's hearts beside it")
    parser.add_argument("--weigh", metavar="FILE", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.weigh:
        print(peak_of(Path(asked.weigh)))
        return 0
    faults = [] if asked.agree == 0 else list(agreement(asked.agree, asked.seed))
    with tempfile.TemporaryDirectory() as folder:
        for contract in LOOPS:
            faults += compared(contract, asked, Path(folder))
        faults += weighed(Path(folder) / "king.trexpack", asked.copies)
    faults += read_as_text(asked.seed)
    if asked.peers:
        peers()
    print("\n".join(faults) if faults else "all is as it must be")
    return 1 if faults else 0


# -- speed


def compared(contract: str, asked: argparse.Namespace, folder: Path) -> Iterator[str]:
    """The pass and the loop in turn, so that a busy moment of the machine falls on both."""
    records = some_deals(contract, 1_500, asked.seed)
    path = folder / f"{contract}.trexpack"
    write_archive(path, records, asked.deals)
    loop, loops = LOOPS[contract], 0.0
    passes = floor = 0.0
    for _ in range(asked.rounds):
        loops = max(loops, len(records) / seconds(loop, records))
        passes = max(passes, rate(audit, path, asked.deals))
        floor = max(floor, rate(touch, path, asked.deals))
    ratio = passes / loops
    print(f"{contract}: plain loop {loops:,.0f} deals/s, packed {passes:,.0f} deals/s")
    print(
        f"  {ratio:.0f} times the loop (at least {LEAST[contract]}, hoped for {HOPED[contract]}); "
        f"{passes / floor:.1%} of touching every byte once ({floor:,.0f} deals/s)"
    )
    if ratio < LEAST[contract]:
        yield f"{contract}: {ratio:.0f} times the loop is too slow"


def rate(work: Callable[[Path], object], path: Path, deals: int) -> float:
    """Deals a second, of this process alone."""
    start = process_time()
    work(path)
    return deals / (process_time() - start)


def audit(path: Path) -> None:
    """What audit_records does with a packed file, checksums too."""
    records = explained = 0
    for part in parts_of(path):
        assert not isinstance(part, BlockFault), part
        found = audited_block(str(path), part[0])
        records += found.summary.records
        explained += found.explained
        assert not found.fault
        assert not found.summary.bad
    assert records
    assert not explained


def touch(path: Path) -> int:
    """The floor: each byte is looked at once."""
    data = mapped(path)
    whole = len(data) // 8 * 8
    return int(np.bitwise_xor.reduce(data[:whole].view(np.uint64)))


def write_archive(path: Path, records: Sequence[Record], deals: int) -> None:
    """Deals of one contract; few are played, and the others are these with the seats turned."""
    first = records[0]
    packer = Packer(first.system, first.options, first.contract or Contract(()), first.ruleset())
    for number, record in enumerate(records):
        table = number // 20
        named = {tag: f"Player {(table + place) % 90}" for place, tag in enumerate(SEAT_TAGS)}
        named |= {"Club": f"Club {table % 20}", "Match": f"match {table}"}
        assert packer.add(replace(record, id=f"deal {number}", tags=named), number)
    columns = packer.take()
    rng = np.random.default_rng(1)
    with path.open("wb") as stream:
        for start in range(0, deals, DEALS_A_BLOCK):
            chosen = rng.integers(0, len(records), min(DEALS_A_BLOCK, deals - start))
            write_deals(stream, turned(columns, chosen, rng))


def turned(columns: Columns, chosen: np.ndarray, rng: np.random.Generator) -> Columns:
    turn = rng.integers(0, 4, len(chosen), dtype=np.uint8)
    cards, seats = columns.cards[:, chosen], columns.seats[:, chosen]
    ids = np.frombuffer(b"".join(columns.id(deal).encode() for deal in chosen), np.uint8)
    ends = np.cumsum([len(columns.id(deal)) for deal in chosen], dtype=np.int32)
    return replace(
        columns,
        cards=cards & np.uint8(0xFC) | (cards + turn) & np.uint8(3),
        seats=np.where(seats < 4, (seats + turn) & np.uint8(3), seats),
        count=columns.count[chosen],
        flags=columns.flags[chosen],
        doubles=columns.doubles[chosen],
        claims=columns.claims[:, chosen],
        deal_number=columns.deal_number[chosen],
        number=columns.number[chosen],
        table=columns.table[chosen],
        ids=ids,
        id_ends=ends,
    )


# -- memory


def weighed(path: Path, copies: int) -> Iterator[str]:
    """The memory of a process of its own, maps of files apart, while it audits so many copies."""
    if not copies:
        return
    data = path.read_bytes()
    long = path.with_name("long.trexpack")
    with long.open("wb") as stream:
        for _ in range(copies):
            stream.write(data)
    command = [sys.executable, "-m", "tests.bench.archive", "--weigh", str(long)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True)
    peak = int(answer.stdout)
    size = len(data) * copies / 1e6
    print(f"memory: {peak} MB of its own (at most {MOST_MEMORY}) for a file of {size:,.0f} MB")
    long.unlink()
    if peak > MOST_MEMORY:
        yield f"{peak} MB is too much memory"


def peak_of(path: Path) -> int:
    peak = 0
    for part in parts_of(path):
        audited_block(str(path), part[0])
        status = Path("/proc/self/status").read_text().splitlines()
        own = next(int(line.split()[1]) for line in status if line.startswith("RssAnon"))
        peak = max(peak, own)
    return peak // 1000


# -- text


def read_as_text(seed: int) -> Iterator[str]:
    """Text read, replayed and compared with its claims, against the loop on records in memory."""
    records = [
        replace(record, claimed=tuple(tricks_loop(record)))
        for record in some_deals("king", 1_500, seed)
    ]
    text = "\n".join(map(write, records))
    loops = reads = 0.0
    for _ in range(5):
        loops = max(loops, len(records) / seconds(tricks_loop, records))
        start = process_time()
        summary, _ = audited_records(read_all(text, "text"))
        reads = max(reads, len(records) / (process_time() - start))
        assert summary.records == len(records)
        assert not summary.bad
    print(f"text: {reads:,.0f} deals/s, {reads / loops:.2f} of the loop (at least {LEAST_OF_TEXT})")
    if reads / loops < LEAST_OF_TEXT:
        yield "text is read too slowly"


# -- agreement


def agreement(count: int, seed: int) -> Iterator[str]:
    """Half of the deals legal, half of them changed in one way; every system and option."""
    counts: Counter[str] = Counter()
    wrong: list[str] = []
    for start in range(seed, seed + count, 1_000):
        records = []
        for number in range(start, min(start + 1_000, seed + count)):
            rng = Random(number)
            if number % 4 < 2:
                records.append(any_legal_deal(rng))
            elif number % 4 == 2:
                records.append(careless_deal(rng))
            else:
                records.append(spoilt(rng, any_legal_deal(rng)))
        found, judged = differences(records)
        wrong += found
        counts += judged
    print(f"agreement: {count:,} deals, {dict(counts)}, {len(wrong)} differences")
    yield from wrong[:10]


# -- peers


def peers(games: int = 2_000) -> None:
    """OpenSpiel's hearts, recorded games applied with its legality check, in an environment that is
    thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "open_spiel"], check=True)
        answer = subprocess.run(
            [python, "-c", PEER, str(games)], capture_output=True, text=True, check=True
        )
    print(f"OpenSpiel hearts, legality checked: {float(answer.stdout):,.0f} games/s")


if __name__ == "__main__":
    sys.exit(main())
