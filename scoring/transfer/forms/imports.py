"""Form that takes a file of matches, and the preview of its import."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from scoring.common.moments import day
from scoring.importing.dates import ORDERS, Order
from scoring.importing.faults import Fault, FaultCode
from scoring.importing.limits import PAGE
from scoring.transfer.presenters.import_sentences import (
    MEGABYTE,
    difference_sentence,
    fault_place,
    fault_sentence,
    note_sentence,
)
from scoring.transfer.queries.imports import ImportPlan, PlannedMatch

ACCEPTED = ".json,.jsonl,.ndjson,.csv,.tsv,.txt,.xlsx"
MOST_FAULTS = 50


class ImportForm(forms.Form):
    """A file of matches, or the same as text."""

    file = forms.FileField(
        label=_("File"),
        required=False,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"class": "input", "accept": ACCEPTED}),
    )
    text = forms.CharField(
        label=_("Or paste it here"),
        required=False,
        strip=False,
        widget=forms.Textarea(
            attrs={
                "class": "input",
                "rows": 4,
                "dir": "auto",
                "spellcheck": "false",
                "autocomplete": "off",
            }
        ),
    )

    def clean_file(self) -> UploadedFile[bytes] | None:
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is not None:
            _require_size(file.size or 0)
        return file

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"])
        _require_size(len(_encoded(text)))
        return text

    def clean(self) -> dict[str, Any]:
        has_text = bool(self.cleaned_data.get("text", "").strip())
        if not (self.cleaned_data.get("file") or has_text or self.errors):
            raise ValidationError(_("Choose a file or paste its text."), code="missing")
        return self.cleaned_data

    def submitted_data(self) -> bytes:
        """Return the file, else the text. Call only after is_valid()."""
        file = self.cleaned_data["file"]
        if file is not None:
            return bytes(file.read())
        return _encoded(str(self.cleaned_data["text"]))


def _encoded(text: str) -> bytes:
    """Encode text; lone surrogates, which a form may send, are replaced."""
    return text.encode("utf-8", "replace")


def _require_size(size: int) -> None:
    if size > PAGE.size:
        raise ValidationError(
            _("%(found)s MB are too much; %(limit)s MB fit."),
            code="too_big",
            params={"found": -(-size // MEGABYTE), "limit": PAGE.size // MEGABYTE},
        )


@dataclass(frozen=True)
class ProblemLine:
    """A fault in words, with its place."""

    code: str
    where: str
    sentence: str


@dataclass(frozen=True)
class MatchLine:
    """A match of the file in the preview, with its first problems."""

    planned: PlannedMatch
    totals: tuple[tuple[str, int], ...]
    problems: tuple[ProblemLine, ...]
    difference: str = ""

    @property
    def status(self) -> str:
        return str(self.planned.status)

    @property
    def deals(self) -> int:
        return len(self.planned.found.deals)

    @property
    def is_unfinished(self) -> bool:
        return bool(self.planned.found.deals) and not self.planned.found.is_finished


@dataclass(frozen=True)
class ImportPreview:
    """The preview of an import; `more` problems are left out."""

    problems: tuple[ProblemLine, ...]
    matches: tuple[MatchLine, ...]
    notes: tuple[str, ...]
    more: int


@dataclass(frozen=True)
class AmbiguousDate:
    """A date with two readings, by what comes first: day or month."""

    found: str
    readings: tuple[tuple[Order, date], ...]


def ambiguous_date(plan: ImportPlan) -> AmbiguousDate | None:
    """Return the date that must be asked about before the file can be read."""
    fault = next((each for each in plan.faults if each.code == FaultCode.TWO_DATES), None)
    if fault is None:
        return None
    numbers = fault.problem.numbers
    readings = tuple((order, date.fromisoformat(str(numbers[order]))) for order in ORDERS)
    return AmbiguousDate(str(numbers["found"]), readings)


def preview_of(plan: ImportPlan) -> ImportPreview:
    """Return the preview of an import, with the first MOST_FAULTS problems."""
    room = iter(range(MOST_FAULTS))
    problems = tuple(_lines(plan.faults, (), room))
    matches = tuple(
        MatchLine(
            each,
            tuple(zip(each.names, each.found.totals, strict=False)),
            tuple(_lines(each.faults, each.names, room)),
            difference_sentence(each, day),
        )
        for each in plan.matches
    )
    shown = len(problems) + sum(len(match.problems) for match in matches)
    every = len(plan.faults) + sum(len(each.faults) for each in plan.matches)
    return ImportPreview(problems, matches, tuple(map(note_sentence, plan.notes)), every - shown)


def _lines(
    faults: Iterable[Fault], names: tuple[str, ...], room: Iterator[int]
) -> Iterator[ProblemLine]:
    """Yield problems while there is room."""
    for fault in faults:
        if next(room, None) is None:
            return
        yield ProblemLine(fault.code, fault_place(fault), fault_sentence(fault, names))
