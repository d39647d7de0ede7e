"""Present what the background audit of all records of a club found."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.models import Job, Match, Verdict
from scoring.records.presenters.audits import verdict_of_row


@dataclass(frozen=True)
class VerdictChange:
    """A stored verdict that the audit changed, or without a number a match with unreadable rows."""

    match: Match
    number: int | None = None
    contract: str = ""
    before: str = ""
    after: str = ""


def verdict_changes(job: Job, matches: Mapping[str, Match]) -> list[VerdictChange]:
    """Return what an audit job found: changed verdicts, then unreadable matches."""
    differing = [
        VerdictChange(
            matches[each["match"]],
            each["deal"],
            (each["is"] or each["was"])["contract"],
            *map(_verdict_sentence, (each["was"], each["is"])),
        )
        for each in job.found.get("told", ())
        if each["match"] in matches
    ]
    broken = [
        VerdictChange(matches[key]) for key in job.found.get("unreadable", ()) if key in matches
    ]
    return [*differing, *broken]


def _verdict_sentence(kept: Mapping[str, Any] | None) -> str:
    """Return the sentence of a verdict as a job keeps it; None: there was no verdict."""
    if kept is None:
        return str(_("No verdict."))
    return verdict_of_row(Verdict(agrees=kept["agrees"], complete=kept["complete"]))[1]
