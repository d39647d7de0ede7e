"""Form that imports a club from another installation, and sentences for a refused file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.common.words import Words
from scoring.integrity.presenters.integrity import CODES as LEDGER_CODES
from scoring.integrity.presenters.integrity import OTHER
from scoring.models import Job

CODES: Mapping[str, Words] = {
    **LEDGER_CODES,
    "not_a_zip": _("This is no archive, or it was cut off on its way."),
    "no_document": _("This is no export of a club."),
    "other_version": _("It comes from another version of this program."),
    "club_is_here": _("This club is here already. Nothing of it is written over."),
    "missing_list": _("Something that belongs to every export is not in it."),
    "unreadable": _("It was changed by hand, or cut off: this cannot be read."),
    "too_long": _("It was changed by hand: a line of it has no end."),
    "bad_value": _("A value does not fit its place."),
    "twice": _("The same row is in it twice."),
    "wrong_club": _("Something in it belongs to another club."),
    "unknown_reference": _("Something in it speaks of something that is not in it."),
    "does_not_fit": _("Something in it is here already, in another club."),
}


class ClubFileForm(forms.Form):
    """The upload of an exported club."""

    file = forms.FileField(
        label=_("The file of the export"),
        error_messages={"required": _("Choose a file.")},
        widget=forms.FileInput(attrs={"class": "input", "accept": ".zip"}),
    )


@dataclass(frozen=True)
class Refusal:
    """Why a file was refused, and where in it; `detail` is for an administrator."""

    code: str
    text: Words
    place: str
    detail: str


def refusal_of(job: Job) -> Refusal | None:
    """Return why the job refused its file, if it did."""
    refused: Mapping[str, str] | None = job.found.get("refused")
    if refused is None:
        return None
    text = CODES.get(refused["code"], OTHER)
    return Refusal(refused["code"], text, refused["place"], refused["detail"])
