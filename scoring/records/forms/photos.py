"""The form that takes photos of a deal. One that cannot be kept is named; the others are kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from scoring.common.error_sentences import problem_sentences
from scoring.models import PhotoKind
from scoring.pictures import NoPicture, Picture, read_picture
from scoring.rules import Problem

MOST_AT_ONCE = 20
LONGEST_NAME = 40
# For the camera anything: phones then offer it. From the album only what we read, so that phones
# which keep HEIC send JPEG.
ACCEPTED = "image/jpeg,image/png,image/webp,image/gif,image/bmp"

KINDS: dict[str, Any] = {
    PhotoKind.SHEET: _("The paper sheet"),
    PhotoKind.CARDS: _("The captured cards"),
    PhotoKind.OTHER: _("Something else"),
}
NO_PICTURES = {
    "too_big": _("%(found)s MB are too much; %(limit)s MB fit."),
    "not_a_picture": _("This is not a JPEG, PNG, WebP, GIF or BMP picture."),
    "heic": _(
        "Only some phones can show HEIC pictures. Set the camera to “most compatible”, or send a "
        "screenshot of it."
    ),
    "broken_picture": _("This picture is damaged or cut off."),
    "too_many_pixels": _("More than %(limit)s million pixels; take it again smaller."),
}
NAMED = _("%(name)s: %(sentence)s")


class ManyFiles(forms.FileInput):
    allow_multiple_selected = True


class Pictures(forms.FileField):
    """Any number of files."""

    widget = ManyFiles

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile[bytes]]:
        if not data:
            raise ValidationError(_("Choose a picture first."), code="missing")
        if len(data) > MOST_AT_ONCE:
            text = _("%(found)s are too many at once; %(limit)s fit.")
            numbers = {"found": len(data), "limit": MOST_AT_ONCE}
            raise ValidationError(text, code="too_many", params=numbers)
        return list(data)


class PhotosForm(forms.Form):
    kind = forms.ChoiceField(choices=list(KINDS.items()), initial=PhotoKind.SHEET)
    pictures = Pictures()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.good: list[tuple[str, Picture]] = []

    def clean_pictures(self) -> list[tuple[str, Picture]]:
        """Those that can be kept, in `good` as well: they are kept whatever the others are."""
        errors = []
        for file in self.cleaned_data["pictures"]:
            try:
                picture = read_picture(file, file.size or 0)
                self.good.append((file.name or "", picture))
            except NoPicture as refused:
                sentence = NO_PICTURES[refused.code] % refused.numbers
                errors.append(_named(file.name or "", refused.code, sentence))
        if errors:
            raise ValidationError(errors)
        return self.good

    def refuse(self, name: str, problems: Iterable[Problem]) -> None:
        """What a service said of one of them."""
        for code, sentence in problem_sentences(problems):
            self.add_error("pictures", _named(name, code, sentence))


def _named(name: str, code: str, sentence: str) -> ValidationError:
    """The name keeps its own direction."""
    short = name if len(name) <= LONGEST_NAME else f"…{name[1 - LONGEST_NAME :]}"
    params = {"name": f"\u2068{short}\u2069", "sentence": sentence}
    return ValidationError(NAMED, code=code, params=params)
