"""The rows of a club as JSON, in the order in which an export has them.

Matches are ordered by when they were opened, all other rows by their ids, so that the same club
gives the same text on every database. A match that changes while it is read is read again.
"""

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db.models import Model, Q, QuerySet

from scoring.integrity.queries.ledger_rows import Evidence, evidence
from scoring.ledger.queries.event_rows import words_of
from scoring.models import Club, LedgerRow, Match, Player, User
from scoring.models.export_schema import (
    ACCOUNTS,
    EVENT,
    LEDGER,
    MATCH,
    OF_CLUB,
    PLAYERS,
    WORDS,
    Row,
    TableSchema,
)

BATCH = 25
MAX_READS = 20
"""How often a match is read again because it changed meanwhile."""


def rows_of(club: Club, facts: TableSchema) -> Iterator[Row]:
    """Yield the rows of one table of a club. One query, two for accounts."""
    if facts is ACCOUNTS:
        yield from _accounts(club)
        return
    if facts is PLAYERS:
        yield from _players(club)
        return
    for row in _rows_of_club(facts, club).order_by("pk").iterator():
        yield facts.to_json(row)


def _rows_of_club(facts: TableSchema, club: Club) -> QuerySet[Model]:
    return facts.model._default_manager.filter(**{facts.to_club: club.pk})


def _accounts(club: Club) -> Iterator[Row]:
    """Yield every account that a row of the club names, under its public name."""
    for user in User.objects.filter(id__in=_named_accounts(club)).order_by("pk"):
        called = club.hidden_accounts.get(str(user.pk), user.first_name or user.username)
        yield ACCOUNTS.to_json(User(pk=user.pk, username=called))


def _players(club: Club) -> Iterator[Row]:
    """Yield the players.

    The own name is needed to unmerge people; that of a hidden player is left out.
    """
    people = Player.objects.filter(club=club).select_related("counts_for").order_by("pk")
    for player in people.iterator():
        counted = player.counts_for
        if counted is None or player.hidden_at or counted.hidden_at:
            player.own_name = ""
        yield PLAYERS.to_json(player)


def _named_accounts(club: Club) -> set[UUID]:
    """Return the ids of accounts that rows of a club name. A query for each field."""
    found: set[UUID] = set()
    for facts in (*OF_CLUB, MATCH, EVENT):
        for name, model in facts.references:
            if model is User:
                rows = _rows_of_club(facts, club).exclude(**{name: None})
                found.update(rows.order_by().values_list(name, flat=True).distinct())
    return found


def match_rows_after(club: Club, match_id: UUID | None) -> Iterator[list[Evidence]]:
    """Yield batches of the matches of a club, from the start or behind a match.

    Includes matches that are opened meanwhile.
    """
    while ids := _next_ids(club, match_id):
        yield _unchanged(ids)
        match_id = ids[-1]


def _next_ids(club: Club, match_id: UUID | None) -> list[UUID]:
    """Return the ids of the next batch. Two queries at most."""
    matches = Match.objects.filter(club=club)
    last = Match.objects.filter(id=match_id).first() if match_id else None
    if last:
        same = Q(opened_at=last.opened_at, id__gt=last.id)
        matches = matches.filter(same | Q(opened_at__gt=last.opened_at))
    return list(matches.order_by("opened_at", "id").values_list("id", flat=True)[:BATCH])


def _unchanged(ids: Sequence[UUID]) -> list[Evidence]:
    """Return the matches with rows that belong to one moment; read them again if they changed."""
    matches = Match.objects.filter(id__in=ids)
    for _ in range(MAX_READS):
        before = _versions(matches)
        found = list(evidence(matches))
        if _versions(matches) == before:
            break
    return found


def _versions(matches: QuerySet[Match]) -> dict[UUID, int]:
    return dict(matches.values_list("id", "version"))


def document_of(found: Evidence) -> Row:
    """Return a match with its events and every row that they name."""
    rows: dict[str, list[LedgerRow]] = {facts.name: [] for facts in LEDGER}
    for (table, _), row in found.rows.items():
        rows[table].append(row)
    named = {words for event in found.events for words, _ in words_of(event)}
    words = [found.words[id] for id in sorted(named) if id in found.words]
    return {
        MATCH.name: MATCH.to_json(found.match),
        EVENT.name: [EVENT.to_json(event) for event in found.events],
        WORDS.name: [WORDS.to_json(text) for text in words],
        **{
            facts.name: [facts.to_json(row) for row in sorted(rows[facts.name], key=_by_id)]
            for facts in LEDGER
        },
    }


def _by_id(row: LedgerRow) -> UUID:
    return row.id
