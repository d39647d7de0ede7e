"""Present a replay: the place of every card after each play, and a sentence for each play.

The page is drawn once; its script only moves cards between places, by the data made here:
`hand-0` … `hand-3`, `middle-0` … (the trick, by seat), `before-0` … (face up before the taker),
`row` (each card of Trex has its own slot), `pile` (in the order laid), `away`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.common import words
from scoring.records.presenters.audit_sentences import breach_sentence
from scoring.replay.record import Pass, Play, Record
from scoring.replay.result import Replay
from scoring.replay.viewing import Scene, scene
from scoring.rules import Ruleset
from scoring.rules.cards import RANKS, SUITS, Card
from scoring.rules.seats import SEATS, Seat

# The order of a hand: black and red suits in turn, high cards first.
HAND_ORDER = [rank + suit for suit in "SHCD" for rank in reversed(RANKS)]


@dataclass(frozen=True)
class ReplayStep:
    """One play: number from 0, seat, card (None for a pass), sentence; codes and sentences of its
    breaches."""

    number: int
    seat: Seat
    card: Card | None
    sentence: SafeString
    breaches: tuple[tuple[str, SafeString], ...]
    leads: bool

    @property
    def shown(self) -> int:
        """Number of plays shown once this one is: `?play=`."""
        return self.number + 1


@dataclass(frozen=True)
class ReplayStage:
    """A record that can be replayed, with the names of the four players."""

    record: Record
    replay: Replay
    ruleset: Ruleset
    names: Sequence[str]

    @cached_property
    def scenes(self) -> tuple[Scene, ...]:
        last = self.replay.possible_plays(self.record)
        return tuple(
            scene(self.record, self.replay, self.ruleset, shown) for shown in range(last + 1)
        )

    @property
    def last(self) -> int:
        """Number of plays that can be shown."""
        return len(self.scenes) - 1

    @property
    def kind(self) -> str:
        """Layout of the middle of the table: `trick`, `rows` or `pile`."""
        assert self.record.contract is not None
        if not self.record.contract.special:
            return "trick"
        return "rows" if self.scenes[-1].rows or self._has_rows else "pile"

    @property
    def _has_rows(self) -> bool:
        contract = self.record.contract
        rows = self.ruleset.trex_layout == "suit_rows"
        return contract is not None and contract.special == "trex" and rows

    @cached_property
    def steps(self) -> tuple[ReplayStep, ...]:
        return tuple(self._steps())

    def _steps(self) -> Iterator[ReplayStep]:
        for before, after in pairwise(self.scenes):
            number = before.shown
            play = self.record.plays[number]
            card = None if isinstance(play, Pass) else play.card
            leads = self.kind == "trick" and number % 4 == 0
            sentence = _play_sentence(self.names[play.seat], card, leads=leads)
            if after.winner is not None:
                taker = words.person(self.names[after.winner])
                sentence = format_html(
                    _("{play}; {name} takes the trick"), play=sentence, name=taker
                )
            yield ReplayStep(number, play.seat, card, sentence, self._breaches(number), leads)

    @property
    def stopped(self) -> tuple[tuple[str, SafeString], ...]:
        """Codes and sentences of the breaches that stop the replay before the record ends."""
        return self._breaches(self.last) if self.replay.stopped_at is not None else ()

    def _breaches(self, number: int) -> tuple[tuple[str, SafeString], ...]:
        found = (one for one in self.replay.breaches if one.play == number)
        return tuple((one.code, breach_sentence(one, self.names)) for one in found)

    def places(self, shown: int) -> dict[Card, str]:
        """Return the place of each card after `shown` plays; cards not seen yet are `away`."""
        now = self.scenes[shown]
        places = dict.fromkeys(self.cards, "away")
        for seat in SEATS:
            places |= dict.fromkeys(now.hands[seat] or (), f"hand-{seat}")
            places |= dict.fromkeys(now.before[seat], f"before-{seat}")
        places |= {play.card: self._middle(play) for play in now.lying}
        return places

    def _middle(self, play: Play) -> str:
        return (
            f"middle-{play.seat}"
            if self.kind == "trick"
            else {"rows": "row"}.get(self.kind, "pile")
        )

    @cached_property
    def cards(self) -> tuple[Card, ...]:
        """Every card that is seen during the replay, in the order of a hand."""
        seen = {card for hand in self.replay.hands for card in hand or ()}
        seen |= {play.card for play in self.record.plays if isinstance(play, Play)}
        return tuple(card for card in HAND_ORDER if card in seen)

    def lying(self, shown: int) -> dict[str, list[Card]]:
        """Return the cards of each place after `shown` plays, in their order."""
        there: dict[str, list[Card]] = {}
        for card, place in self.places(shown).items():
            there.setdefault(place, []).append(card)
        there.get("pile", []).sort(key=self.play_number_of.__getitem__)
        return there

    @cached_property
    def play_number_of(self) -> dict[Card, int]:
        """Number of the play of each card."""
        plays = enumerate(self.record.plays)
        return {play.card: number for number, play in plays if isinstance(play, Play)}

    @property
    def slots(self) -> list[list[Card]]:
        """Cards of the suit rows of Trex, one row a suit."""
        ranks = [rank for rank in RANKS if rank + "S" in self.ruleset.deck]
        if self.ruleset.layout_rank_order == "ten_high":
            ranks = [*(rank for rank in ranks if rank not in "TA"), "T", "A"]
        return [[rank + suit for rank in ranks] for suit in SUITS]

    def script(self) -> str:
        """Return the moves and the numbers of every scene as JSON for replay.js."""
        script: list[dict[str, Any]] = []
        before: dict[Card, str] = {}
        for now in self.scenes:
            places = self.places(now.shown)
            moved = {card: place for card, place in places.items() if before.get(card) != place}
            script.append(self._scene_script(now) | {"moves": moved})
            before = places
        return json.dumps(script, ensure_ascii=False, separators=(",", ":"))

    def _scene_script(self, now: Scene) -> dict[str, Any]:
        script: dict[str, Any] = {
            "turn": now.turn,
            "won": now.winner,
            "points": [words.signed(points) for points in now.points],
            "tricks": list(now.tricks),
        }
        return script if now.sum is None else script | {"sum": words.signed(now.sum)}


def _play_sentence(name: str, card: Card | None, *, leads: bool) -> SafeString:
    person = words.person(name)
    if card is None:
        return format_html(_("{name} passes"), name=person)
    text = _("{name} leads {card}") if leads else _("{name} plays {card}")
    return format_html(text, name=person, card=words.card(card))
