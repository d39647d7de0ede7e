"""How many queries each page and call of a club takes, and how the database answers them."""

import re
from collections.abc import Iterator

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scoring.models import Club, User
from scoring.models.days import day_of
from tests.support.asking import every_page

LARGE = ("deal", "matchevent", "match", "matchresult", "contractresult", "ratingstep")
"""The tables that grow with every match: none is ever read whole."""
CALLS = ("/api/clubs/{slug}/standings", "/api/clubs/{slug}/matches", "/api/matches/{match_id}")


def differing(small: Club, large: Club) -> list[str]:
    """Pages that do not take the same number of queries for both."""
    wrong, counted = [], dict(pages(small))
    for name, (queries, path) in pages(large):
        few, many = len(counted[name][0]), len(queries)
        print(f"  {name:<22} {few:>3} {many:>3} queries  {path}")
        if few != many:
            wrong.append(f"{name} takes {few} queries in the small club, {many} in the large one")
    return wrong


def reading_whole_tables(club: Club) -> list[str]:
    """Queries of the pages of this club for which the database goes through a whole large table."""
    found = {}
    for name, (queries, _) in pages(club):
        for query in queries:
            for table in _read_whole(query):
                found.setdefault((table, re.sub(r"'[^']*'", "?", query)), name)
    return [f"{name} reads all of {table}: {query[:300]}" for (table, query), name in found.items()]


def pages(club: Club) -> Iterator[tuple[str, tuple[list[str], str]]]:
    """The queries of each page that answers, as the owner opens it."""
    client = Client()
    client.force_login(User.objects.get(username=club.slug))
    for name, path in _addresses(club):
        client.get(path)
        with CaptureQueriesContext(connection) as asked:
            answer = client.get(path)
            answer.getvalue()
        if answer.status_code == 200:
            yield name, ([query["sql"] for query in asked.captured_queries], path)


def _addresses(club: Club) -> Iterator[tuple[str, str]]:
    values = _values(club)
    for pattern in every_page():
        wanted = set(pattern.pattern.converters)
        if wanted and wanted <= values.keys():
            kwargs = {name: values[name] for name in wanted}
            yield pattern.name, reverse(pattern.name, kwargs=kwargs)
    for call in CALLS:
        yield call, call.format(**values)
    yield from _earlier_days(club)


def _earlier_days(club: Club) -> Iterator[tuple[str, str]]:
    """Standings as they were in the first half of all matches, and in the second."""
    played = club.matches.finished().order_by("played_at").values_list("played_at", flat=True)
    address = reverse("club_standings", args=[club.slug])
    for name, share in (("early", 0.25), ("late", 0.75)):
        day = day_of(club, played[int(share * len(played))])
        yield f"standings_{name}", f"{address}?system=levant&win=high&by=rating&until={day}"


def _values(club: Club) -> dict[str, object]:
    """What the addresses of a club are made of: its first person, its last match."""
    firsts = {
        "player_id": club.players.order_by("created_at", "id"),
        "match_id": club.matches.finished().order_by("-played_at"),
        "season_id": club.seasons.order_by("starts_on"),
        "evening_id": club.evenings.order_by("starts_at"),
        "rules_id": club.rule_sets.all(),
        "member_id": club.memberships.all(),
    }
    ids = {name: rows.values_list("id", flat=True).first() for name, rows in firsts.items()}
    return {"slug": club.slug, "number": 1, **{name: id for name, id in ids.items() if id}}


def _read_whole(query: str) -> list[str]:
    looks_for_one = query.startswith('SELECT 1 AS "a"')
    if looks_for_one or not query.lstrip().upper().startswith(("SELECT", "WITH")):
        return []
    explain = "EXPLAIN " if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN "
    with connection.cursor() as cursor:
        cursor.execute(explain + query.replace("%", "%%"), [])
        plan = "\n".join(str(row[-1]) for row in cursor.fetchall())
    whole = r"Seq Scan on scoring_(\w+)" if connection.vendor == "postgresql" else r"SCAN (\w+)"
    return [table for table in _named(re.findall(whole, plan), query) if table in LARGE]


def _named(found: list[str], query: str) -> list[str]:
    """SQLite names a table by what the query calls it."""
    aliases = dict(re.findall(r'"scoring_(\w+)" (U\d+|T\d+)\b', query))
    aliases = {alias: table for table, alias in aliases.items()}
    return [aliases.get(name, name.removeprefix("scoring_")) for name in found]
