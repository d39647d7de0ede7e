"""Import of matches from a file, with the same events as if they had been typed.

All of a match or nothing, and none twice.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.utils.translation import gettext

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError, raise_for
from scoring.house_rules.queries.house_rules import sets_of
from scoring.importing.faults import FaultCode
from scoring.importing.judging import FoundMatch
from scoring.importing.names import is_placeholder
from scoring.importing.playing import FoundDeal
from scoring.ledger.queries.snapshots import MatchSnapshot
from scoring.ledger.services import chain, current_deals
from scoring.matches.services.matches import change_day
from scoring.models import (
    Club,
    Deal,
    EventKind,
    LedgerRow,
    Match,
    MatchEvent,
    MatchState,
    Player,
    Seating,
)
from scoring.models.days import day_of
from scoring.models.names import clean_name, same_name
from scoring.people.services.people import free_guest_name
from scoring.standings.services import results
from scoring.transfer.queries.imports import (
    ImportStatus,
    PlannedMatch,
    PlayerDirectory,
    candidates_of,
    compare_with_club,
)


@dataclass(frozen=True)
class ImportResult:
    """A match, and whether this import created it."""

    match: Match
    is_new: bool


def import_match(
    *,
    planned: PlannedMatch,
    club: Club,
    actor: Actor,
    now: datetime,
    same: Mapping[str, Player] = MappingProxyType({}),
) -> ImportResult:
    """Create a planned match, or return the one that has its number.

    Two imports of one match at once create one. `same` as in `ImportPlanner`.
    """
    if planned.status == ImportStatus.REFUSED:
        raise ServiceError(planned.faults[0].code, planned.faults[0].problem.field)
    try:
        with transaction.atomic():
            # One import after the other finds and adds people.
            Club.objects.select_for_update(no_key=True).get(pk=club.pk)
            return _existing(planned, club, same) or _create(planned, club, actor, now, same)
    except IntegrityError:
        if found := _existing(planned, club, same):
            return found
        raise


def _existing(planned: PlannedMatch, club: Club, same: Mapping[str, Player]) -> ImportResult | None:
    """Return the match with this number if it is the same one; raise if it is another."""
    match = Match.objects.filter(club=club, external_id=planned.external_id).first()
    if match is None:
        return None
    chosen = {same_name(name): player for name, player in same.items()}
    candidates = candidates_of(planned.names, PlayerDirectory(club), chosen)
    (now,) = compare_with_club([replace(planned, match_id=match.id, candidates=candidates)])
    if now.status == ImportStatus.REFUSED:
        raise_for([now.faults[0].problem])
    return ImportResult(match, is_new=False)


def move_match(*, planned: PlannedMatch, actor: Actor, now: datetime) -> Match:
    """Change the day of a match of the club to that of the file."""
    assert planned.match_id is not None
    assert planned.played_at is not None
    match = Match.objects.select_related("club").get(pk=planned.match_id)
    return change_day(
        chain.Write(match.id, uuid4(), match.version, actor, now),
        day=day_of(match.club, planned.played_at),
        reason=gettext("The day as it is in the imported file."),
    )


def _create(
    planned: PlannedMatch, club: Club, actor: Actor, now: datetime, same: Mapping[str, Player]
) -> ImportResult:
    match = _match(planned, club, actor, now)
    people = _people(planned.names, club, same)
    rows = [Seating(seat=seat, player=player) for seat, player in enumerate(people)]
    batch = _EventBatch(match, actor, now)
    batch.add(EventKind.MATCH_OPENED, planned.played_at, rows, match.facts())
    deals = [_deal(deal, planned.played_at) for deal in planned.found.deals]
    for deal in deals:
        batch.add(EventKind.DEAL_RECORDED, deal.played_at, [deal])
    _close(match, planned.found.is_finished, now)
    kind = EventKind.MATCH_FINISHED if match.is_finished else EventKind.MATCH_BROKEN_OFF
    batch.add(kind, None, (), {"state": match.state, "closed_at": match.closed_at})
    batch.save(rows, deals)
    rules = planned.found.rules
    assert rules is not None  # a match without rules is refused
    table = MatchSnapshot(match, rules, tuple(deals), (), (), ())
    current_deals.refresh(table, [])
    if match.is_finished:
        results.refresh(table)
    return ImportResult(match, is_new=True)


class _EventBatch:
    """The events of one match, chained to each other before any is saved."""

    def __init__(self, match: Match, actor: Actor, now: datetime) -> None:
        self.match, self.actor, self.now = match, actor, now
        self.events: list[MatchEvent] = []

    def add(
        self,
        kind: EventKind,
        played_at: datetime | None,
        rows: Sequence[LedgerRow] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        write = chain.Write(
            self.match.id, uuid4(), self.match.version, self.actor, self.now, played_at
        )
        event = chain.drafted(self.match, write, kind, rows, facts)
        self.events.append(event)
        self.match.version, self.match.head = event.seq, event.hash

    def save(self, seatings: Sequence[Seating], deals: Sequence[Deal]) -> None:
        self.match.save(force_insert=True)
        MatchEvent.objects.bulk_create(self.events)
        Seating.objects.bulk_create(seatings)
        Deal.objects.bulk_create(deals)


def _match(planned: PlannedMatch, club: Club, actor: Actor, now: datetime) -> Match:
    found = planned.found
    assert found.rules is not None
    assert planned.played_at is not None
    return Match(
        club=club,
        system=found.rules.system,
        options=found.rules.options(),
        **_rules_labels(found, club),
        table_name=clean_name(found.table_name),
        first_chooser=found.first_chooser,
        first_dealer=found.first_dealer,
        holder_device=actor.device,
        opened_by=actor.user,
        opened_at=now,
        played_at=planned.played_at,
        external_id=planned.external_id,
    )


def _rules_labels(found: FoundMatch, club: Club) -> dict[str, str]:
    """Return the name of the rules: a preset, or one of the club's own sets that is the same."""
    if found.preset:
        return {"preset": found.preset}
    own = next((each for each in sets_of(club) if each.ruleset == found.rules), None)
    return {"preset": own.preset, "rules_name": own.name} if own else {}


def _people(names: Sequence[str], club: Club, same: Mapping[str, Player]) -> list[Player]:
    """Return the four players in seat order; unknown names become guests."""
    directory = PlayerDirectory(club)
    chosen = {same_name(name): player for name, player in same.items()}
    people = []
    for name in names:
        if is_placeholder(name):
            people.append(_guest(club, free_guest_name(club)))
            continue
        found = directory.find(name)
        if len(found) > 1:
            raise ServiceError(FaultCode.NAMESAKES, "players", {"name": name})
        player = found[0] if found else chosen.get(same_name(name))
        people.append(player or _guest(club, name))
    return people


def _guest(club: Club, name: str) -> Player:
    player = Player(club=club, name=name, is_guest=True)
    player.save(force_insert=True)
    return player


def _deal(deal: FoundDeal, played_at: datetime | None) -> Deal:
    payload = deal.entry.to_json()
    return Deal(
        deal_number=deal.number,
        dealer=deal.dealer,
        chooser=deal.chooser,
        leader=deal.leader,
        contract=deal.entry.contract.key,
        forced=deal.entry.forced,
        uses_contract=deal.uses_contract,
        payload_version=payload["v"],
        payload=payload,
        played_at=deal.played_at or played_at,
    )


def _close(match: Match, is_finished: bool, now: datetime) -> None:
    """Close a match; one that lacks deals is unfinished: it counts nowhere and can be resumed."""
    match.state = MatchState.FINISHED if is_finished else MatchState.UNFINISHED
    match.closed_at = now
