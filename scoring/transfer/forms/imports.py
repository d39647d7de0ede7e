"""The form that takes a file of matches, and a file that was looked at, line by line."""

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
from scoring.transfer.presenters.import_words import (
    MEGABYTE,
    how_otherwise,
    note_words,
    sentence,
    where,
)
from scoring.transfer.queries.imports import ImportPreview, PlannedMatch

ACCEPTED = ".json,.jsonl,.ndjson,.csv,.tsv,.txt,.xlsx"
MOST_FAULTS = 50


class ImportForm(forms.Form):
    """A file, or the same as text."""

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
            _insist_on_size(file.size or 0)
        return file

    def clean_text(self) -> str:
        text = str(self.cleaned_data["text"])
        _insist_on_size(len(_encoded(text)))
        return text

    def clean(self) -> dict[str, Any]:
        has_text = bool(self.cleaned_data.get("text", "").strip())
        if not (self.cleaned_data.get("file") or has_text or self.errors):
            raise ValidationError(_("Choose a file or paste its text."), code="missing")
        return self.cleaned_data

    def data_sent(self) -> bytes:
        """What was sent, of a valid form; of two the file."""
        file = self.cleaned_data["file"]
        if file is not None:
            return bytes(file.read())
        return _encoded(str(self.cleaned_data["text"]))


def _encoded(text: str) -> bytes:
    """A form sends lone surrogates as they are; they are no text."""
    return text.encode("utf-8", "replace")


def _insist_on_size(size: int) -> None:
    if size > PAGE.size:
        raise ValidationError(
            _("%(found)s MB are too much; %(limit)s MB fit."),
            code="too_big",
            params={"found": -(-size // MEGABYTE), "limit": PAGE.size // MEGABYTE},
        )


@dataclass(frozen=True)
class ProblemLine:
    """A fault with its place, in words."""

    code: str
    where: str
    sentence: str


@dataclass(frozen=True)
class MatchLine:
    """A match of the file on the page; `problems` are as many as there is room for."""

    planned: PlannedMatch
    totals: tuple[tuple[str, int], ...]
    problems: tuple[ProblemLine, ...]
    otherwise: str = ""

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
class ImportSheet:
    """All that a page shows of a file. `more` problems are left out."""

    problems: tuple[ProblemLine, ...]
    matches: tuple[MatchLine, ...]
    notes: tuple[str, ...]
    more: int


@dataclass(frozen=True)
class TwoDates:
    """A date that can be read in two ways: as written, and the readings by what comes first."""

    found: str
    readings: tuple[tuple[Order, date], ...]


def two_dates(preview: ImportPreview) -> TwoDates | None:
    """What has to be asked before the file can be looked at."""
    fault = next((each for each in preview.faults if each.code == FaultCode.TWO_DATES), None)
    if fault is None:
        return None
    numbers = fault.problem.numbers
    readings = tuple((order, date.fromisoformat(str(numbers[order]))) for order in ORDERS)
    return TwoDates(str(numbers["found"]), readings)


def sheet_of(preview: ImportPreview) -> ImportSheet:
    """The file in words, the first problems of it and how many more there are."""
    room = iter(range(MOST_FAULTS))
    problems = tuple(_lines(preview.faults, (), room))
    matches = tuple(
        MatchLine(
            each,
            tuple(zip(each.names, each.found.totals, strict=False)),
            tuple(_lines(each.faults, each.names, room)),
            how_otherwise(each, day),
        )
        for each in preview.matches
    )
    told = len(problems) + sum(len(match.problems) for match in matches)
    every = len(preview.faults) + sum(len(each.faults) for each in preview.matches)
    return ImportSheet(problems, matches, tuple(map(note_words, preview.notes)), every - told)


def _lines(
    faults: Iterable[Fault], names: tuple[str, ...], room: Iterator[int]
) -> Iterator[ProblemLine]:
    """As many as there is room for."""
    for fault in faults:
        if next(room, None) is None:
            return
        yield ProblemLine(fault.code, where(fault), sentence(fault, names))
