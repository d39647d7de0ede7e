"""What working everything out again has found, in words."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from scoring.common.words import Words
from scoring.models import Job, Match

WHICH_DEALS = _("which deals count")
TABLES: Mapping[str, Words] = {
    "kingdoms": WHICH_DEALS,
    "current_deals": WHICH_DEALS,
    "used_contracts": WHICH_DEALS,
    "results": _("what everybody has in it"),
    "contract_results": _("what everybody has in each contract"),
    "verdicts": _("whether cards and entries agree"),
    "disputes": _("what is under review"),
    "player_totals": _("The sums of people and pairs"),
    "contract_totals": _("The sums by contract"),
    "meetings": _("Who met whom how often"),
    "ratings": _("The ratings"),
}


@dataclass(frozen=True)
class Differed:
    """A match that was not what its ledger says, and in what."""

    match: Match
    what: tuple[Words, ...]


def differing(job: Job, matches: Mapping[UUID, Match]) -> Iterator[Differed]:
    """Those told one by one that are still there."""
    for match_id, *tables in job.found.get("told", ()):
        if match := matches.get(UUID(match_id)):
            yield Differed(match, _named(tables))


def unreadable(job: Job, matches: Mapping[UUID, Match]) -> list[Match]:
    """The matches that could not be worked out."""
    named = map(UUID, job.found.get("unreadable", ()))
    return [matches[match_id] for match_id in named if match_id in matches]


def sums_that_differed(job: Job) -> tuple[Words, ...]:
    return _named(job.found.get("of_club", ()))


def named_matches(job: Job) -> list[UUID]:
    told = [match_id for match_id, *_tables in job.found.get("told", ())]
    return [*map(UUID, told), *map(UUID, job.found.get("unreadable", ()))]


def _named(tables: list[str]) -> tuple[Words, ...]:
    return tuple(dict.fromkeys(TABLES[name] for name in tables if name in TABLES))
