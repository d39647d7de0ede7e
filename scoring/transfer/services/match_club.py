"""Move a match without a club to a club, with its people.

Every other match of theirs that has no club goes along (a rematch), since people are of one club or
of none.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID, uuid5

from django.db import transaction

from scoring.common.actor import Actor
from scoring.common.errors import RefusalCode, ServiceError
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.services import chain
from scoring.models import Club, EventKind, LinkKind, Match, Player
from scoring.models.clubs import number_namesakes
from scoring.people.queries.people import evening_of
from scoring.people.services import people as persons
from scoring.phones.services import links
from scoring.players.services import merging


@transaction.atomic
def move_to_club(
    *,
    match_id: UUID,
    club: Club,
    same: Mapping[UUID, Player],
    actor: Actor,
    now: datetime,
    entry_key: UUID,
) -> list[Match]:
    """Move a match to a club; its people become guests there, or the players in `same`.

    The phone that opened it keeps scoring by a table link. The same key again does nothing more.
    """
    matches = [chain.locked(each) for each in sorted(evening_of(match_id))]
    match = next(each for each in matches if each.id == match_id)
    if chain.first_answer(match, entry_key, EventKind.MATCH_TAKEN_IN):
        return matches
    if match.club_id:
        raise ServiceError(RefusalCode.NOT_CLUBLESS)
    persons.lock_people(club.id)
    people = Player.objects.filter(seatings__match__in=matches, club=None)
    guests = {guest.id: guest for guest in people.distinct()}
    for guest in guests.values():
        guest.club = club
    Player.objects.bulk_update(guests.values(), ["club"])
    number_namesakes(club.id)
    for each in matches:
        key = entry_key if each.id == match_id else uuid5(entry_key, each.id.hex)
        _move(each, club, chain.Write(each.id, key, each.version, actor, now))
    for id, person in same.items():
        if id in guests:
            merging.merge(player=guests[id], into=person, actor=actor, now=now)
    return matches


def _move(match: Match, club: Club, write: chain.Write) -> None:
    match.club = club
    chain.append(match, write, EventKind.MATCH_TAKEN_IN, facts={"club_id": club.id})
    if match.is_running and match.holder_device:
        link = links.make(match_id=match.id, kind=LinkKind.TABLE, actor=write.actor, now=write.now)
        came = {"match": match, "joined_at": write.now}
        link.phones.get_or_create(device=match.holder_device, defaults=came)
    rebuild(match_id=match.id)
