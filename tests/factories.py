"""Rows to start a test from. Deals come through the services, so that no test begins in a state
that the product could not reach."""

import json
import uuid
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import factory

from scoring.common.actor import Actor
from scoring.corrections.services import adjustments
from scoring.corrections.services.redeals import record_redeal
from scoring.ledger.services import deals as ledger
from scoring.ledger.services.chain import Write
from scoring.matches.services import matches
from scoring.models import (
    Adjustment,
    CardRecord,
    Club,
    Match,
    Membership,
    Player,
    Redeal,
    Role,
    User,
)
from scoring.records.services import records
from scoring.replay.notation.json_records import read_json
from scoring.replay.record import Record
from scoring.rules import Contract, Entry, Tally, redeals, ruleset
from scoring.rules.course import dealer_for
from scoring.rules.schedule import turn

NOW = datetime(2026, 11, 12, 18, 15, tzinfo=UTC)
CASES = Path(__file__).parent / "cases"
NAMES = ("Amal", "Badr", "Carmen", "Dima")
PHONE = Actor(device=uuid.UUID(int=1))
WRITE = [field.name for field in fields(Write)]


class UserFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = User

    username = factory.Sequence("user{}".format)


class ClubFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Club

    name = "Café Younes"
    slug = factory.Sequence("club-{}".format)


class PlayerFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Player

    club = factory.SubFactory(ClubFactory)
    name = factory.Sequence("Player {}".format)


class MembershipFactory(factory.django.DjangoModelFactory):
    class Meta:
        model = Membership

    club = factory.SubFactory(ClubFactory)
    user = factory.SubFactory(UserFactory)
    role = Role.MEMBER


@dataclass(frozen=True)
class Cast:
    """One club and its people. Amal keeps score; Badr, Carmen and Dima play with her; Esam is the
    arbiter; Farah watches and has no account here; Ghassan belongs to another club."""

    club: Club
    other_club: Club
    owner: User
    amal: User
    badr: User
    carmen: User
    dima: User
    esam: User
    farah: User
    ghassan: User
    players: tuple[Player, ...]


def make_cast(is_public: bool = False) -> Cast:
    club = ClubFactory(slug="cafe-younes", is_public=is_public)
    other = ClubFactory(name="Café Ghassan", slug="cafe-ghassan")
    people = {
        name: UserFactory(username=name)
        for name in ("owner", "amal", "badr", "carmen", "dima", "esam", "farah", "ghassan")
    }
    roles = {"owner": Role.OWNER, "amal": Role.SCORER, "esam": Role.ARBITER}
    for name in ("owner", "amal", "badr", "carmen", "dima", "esam"):
        MembershipFactory(club=club, user=people[name], role=roles.get(name, Role.MEMBER))
    MembershipFactory(club=other, user=people["ghassan"], role=Role.OWNER)
    PlayerFactory(club=other, name="Ghassan", user=people["ghassan"])
    players = tuple(
        PlayerFactory(club=club, name=name, user=people[name.lower()]) for name in NAMES
    )
    return Cast(club=club, other_club=other, players=players, **people)


def make_match(
    *,
    entries=(),
    system="levant",
    options=None,
    players=NAMES,
    first_chooser=0,
    first_dealer="beside",
    actor=PHONE,
    now=NOW,
    **opening,
) -> Match:
    """A match, by default of four guests on one phone, with these deals in it: entries, or deals
    as in `cases/evenings.json`. One deal a minute. Where the lot names the first dealer, it fell
    on the seat beside the first chooser, unless a test says otherwise."""
    rules = ruleset(system, options or {})
    if first_dealer == "beside":
        by_lot = turn(rules, first_chooser, None, []).asks_dealer and first_chooser is not None
        first_dealer = dealer_for(rules, first_chooser) if by_lot else None
    new = matches.NewMatch(
        rules, players, first_chooser=first_chooser, first_dealer=first_dealer, **opening
    )
    match = matches.open_match(new, actor=actor, now=now, entry_key=uuid.uuid4())
    for minute, entry in enumerate(entries, start=1):
        record(match, entry, actor=actor, now=now + timedelta(minutes=minute))
    match.refresh_from_db()
    return match


def record(match, entry, *, actor=PHONE, now=NOW, **changes) -> ledger.Saved:
    """Records a deal against the newest version."""
    if isinstance(entry, dict):
        changes = {"dealer": entry["dealer"], "deal_number": entry["deal_number"], **changes}
        entry = entry_of(entry)
    return write(ledger.record_deal, match, entry=entry, actor=actor, now=now, **changes)


def void(match, deal, *, actor=PHONE, now=NOW, **changes) -> ledger.Saved:
    given = {"deal_id": deal.id, "actor": actor, "now": now}
    return write(ledger.void_deal, match, **{**given, **changes})


def correct(match, deal, entry, *, reason="typed wrong", actor=PHONE, now=NOW, **changes):
    given = {"deal_id": deal.id, "entry": entry, "reason": reason, "actor": actor, "now": now}
    return write(ledger.correct_deal, match, **{**given, **changes})


def finish(match, *, actor=PHONE, now=NOW, **changes) -> Match:
    return write(matches.finish, match, actor=actor, now=now, **changes)


def redeal(match, why="misdeal", *, actor=PHONE, now=NOW, **given) -> Redeal:
    """Throws the cards in; what the rules know of it and what the service wants are told apart."""
    about = {name: given.pop(name) for name in ("asked_by", "hand", "contract") if name in given}
    wish = redeals.RedealRequest(why, **about)
    return write(record_redeal, match, redeal=wish, actor=actor, now=now, **given)


def adjust(match, points=(0, 0, 0, -40), *, actor=PHONE, now=NOW, **changes) -> Adjustment:
    given = {"code": "penalty", "points": points, "after_deal": 1, "reason": "Looked at a hand"}
    return write(adjustments.adjust, match, actor=actor, now=now, **{**given, **changes})


def attach(match, number, found, *, actor=PHONE, now=NOW, **changes) -> CardRecord:
    """Attaches a record against the newest version."""
    given = {"deal_number": number, "record": found, "actor": actor, "now": now}
    return write(records.attach, match, **{**given, **changes})


def evening_record(external_id, number) -> Record:
    """The cards of a deal of the three evenings."""
    deal = evenings()[external_id]["deals"][number - 1]
    return next(read_json(json.dumps(deal["record"])))


def write(service, match, *, actor=PHONE, now=NOW, **changes):
    """A write of a service, against the newest version unless another is given."""
    defaults = {"match_id": match.id, "entry_key": uuid.uuid4(), "version": newest(match)}
    return submit(service, **{**defaults, "actor": actor, "now": now, **changes})


def submit(service, **given):
    """Calls a service with what belongs to its `Write` and the rest by their names."""
    own = {name: given.pop(name) for name in WRITE if name in given}
    return service(Write(**own), **given)


def newest(match) -> int:
    return Match.objects.values_list("version", flat=True).get(pk=match.pk)


def entry_of(deal) -> Entry:
    """The entry of a deal as it stands in the cases."""
    return Entry(
        Contract.read(deal["contract"]),
        deal["chooser"],
        deal["forced"],
        Tally.from_json(deal["input"]),
    )


def king(taken_by=2, chooser=0, doubles=()) -> Entry:
    facts = {"king_taken_by": taken_by, "doubles": list(doubles)}
    return Entry(Contract.read("king"), chooser, False, Tally.from_json(facts))


def diamonds(*counts, chooser=0) -> Entry:
    facts = {"diamonds": counts or (13, 0, 0, 0)}
    return Entry(Contract.read("diamonds"), chooser, False, Tally.from_json(facts))


@cache
def evenings() -> dict:
    """The three evenings of the cases by their ids."""
    rows = json.loads((CASES / "evenings.json").read_text())
    return {row["external_id"]: row for row in rows}


def make_evening(external_id, deals=None, **opening) -> Match:
    """One of the three evenings, or its first deals."""
    evening = evenings()[external_id]
    return make_match(
        entries=evening["deals"][:deals],
        system=evening["system"],
        options=evening["options"],
        players=evening["players"],
        first_chooser=evening["first_chooser"],
        **opening,
    )


def _turned(values, by):
    """The same four values, each one seat further on."""
    return [values[(seat - by) % 4] for seat in range(4)]


def even_entries():
    """Twenty deals in which everybody takes the same."""
    for chooser in range(4):
        facts = {
            "king": {"king_taken_by": chooser},
            "queens": {"queens": [1, 1, 1, 1]},
            "diamonds": {"diamonds": _turned([4, 3, 3, 3], chooser)},
            "tricks": {"tricks": _turned([4, 3, 3, 3], chooser)},
            "trex": {"finish_order": [(chooser + place) % 4 for place in range(4)]},
        }
        for contract, tally in facts.items():
            yield Entry(Contract.read(contract), chooser, False, Tally.from_json(tally))
