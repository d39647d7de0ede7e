"""What a check of the ledgers found, in words for people who run no database."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common.words import Words
from scoring.models import Job, Match

CODES: Mapping[str, Words] = {
    "trigger_missing": _("The database no longer refuses that rows are changed."),
    "match_missing": _("The match of these rows is gone."),
    "number_gap": _("An entry of the history is missing."),
    "event_changed": _("An entry of the history was changed."),
    "chain_broken": _("An entry of the history does not follow the one before it."),
    "tail_cut": _("The newest entries of the history were cut off."),
    "head_differs": _("The match names another end of its history than there is."),
    "row_missing": _("Something that was written is gone."),
    "row_changed": _("Something was changed after it was written."),
    "row_unnamed": _("Something is there that nobody wrote on these pages."),
    "words_changed": _("A reason or a note was changed."),
    "match_changed": _("The match itself was changed: its rules, its state or its time."),
    "entry_refused": _("What stands there could not have been entered."),
    "row_refused": _("What stands there could not have been entered."),
    "rules_unreadable": _("The rules of the match cannot be read."),
    "photo_missing": _("The file of a photo is gone."),
    "photo_changed": _("The file of a photo was changed."),
    "signed_head_differs": _("A signature was given for another history than there is now."),
    "signed_deal_missing": _("A signature was given for a deal that is not there."),
    "underivable": _("Results and standings of this match cannot be worked out."),
    "derived_differs": _("Results or standings are not what the deals come to."),
    "sums_differ": _("The sums of people are not what their matches come to."),
    "kept_head_missing": _("An end of the history that was written down is not there."),
    "log_changed": _("The log of the installation was changed."),
    "chain_replaced": _("The history was written anew."),
}
OTHER = _("Something is not as it was written.")
TABLES: Mapping[str, Words] = {
    "deal": pgettext_lazy("what is wrong", "a deal"),
    "void": pgettext_lazy("what is wrong", "that something was taken back"),
    "adjustment": pgettext_lazy("what is wrong", "a penalty or correction"),
    "redeal": pgettext_lazy("what is wrong", "cards dealt again"),
    "subtotal": pgettext_lazy("what is wrong", "sums from paper"),
    "record": pgettext_lazy("what is wrong", "a record of cards"),
    "photo": pgettext_lazy("what is wrong", "a photo"),
    "seating": pgettext_lazy("what is wrong", "who sits where"),
    "signature": pgettext_lazy("what is wrong", "a signature"),
    "flag": pgettext_lazy("what is wrong", "a flag"),
    "ruling": pgettext_lazy("what is wrong", "a ruling"),
}


@dataclass(frozen=True)
class LedgerFault:
    """One thing that is not as it was written; without a match it is about the whole database.
    `detail` is for whoever looks into it."""

    code: str
    text: Words
    what: Words
    match: Match | None
    number: int | None
    detail: str


def faults(job: Job, matches: Mapping[UUID, Match]) -> Iterator[LedgerFault]:
    """Those told one by one, of the matches that are still there."""
    for told in job.found.get("told", ()):
        match_id = UUID(told["match"]) if told["match"] else None
        if match_id is None or match_id in matches:
            yield LedgerFault(
                code=told["code"],
                text=CODES.get(told["code"], OTHER),
                what=TABLES.get(told["table"], ""),
                match=matches[match_id] if match_id else None,
                number=told["number"],
                detail=told["detail"],
            )


def named_matches(job: Job) -> list[UUID]:
    told: Iterable[dict[str, str]] = job.found.get("told", ())
    return [UUID(one["match"]) for one in told if one["match"]]
