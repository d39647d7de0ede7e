"""What is looked for among the records of a club, and what an audit of everything has come to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.common import words
from scoring.models import Club, Job, Match, Player, Verdict
from scoring.records.presenters.audits import CODES, row_words
from scoring.records.queries.archive import Wanted

VERDICTS: dict[str, str | Promise] = {
    "differs": _("Entry and cards differ"),
    "open": _("Something stays open"),
    "agrees": _("Entry and cards agree"),
    "no_entry": _("Nothing entered"),
}
ANY = pgettext_lazy("verdict, contract, person or remark", "Any")


class RecordFilterForm(forms.Form):
    """A value that does not exist is as good as none."""

    verdict = forms.ChoiceField(label=_("Verdict"), required=False)
    code = forms.ChoiceField(label=_("What was found"), required=False)
    contract = forms.ChoiceField(label=_("Contract"), required=False)
    player = forms.ModelChoiceField(
        Player.objects.none(), label=_("Who sat there"), required=False, empty_label=ANY
    )

    def __init__(self, *args: Any, club: Club, contracts: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = sorted((words.contract(key), key) for key in contracts)
        self._offer("verdict", VERDICTS.items())
        self._offer("code", sorted(CODES.items(), key=lambda pair: str(pair[1])))
        self._offer("contract", ((key, name) for name, key in named))
        people = self.fields["player"]
        assert isinstance(people, forms.ModelChoiceField)
        people.queryset = club.players.order_by("name", "created_at")
        for field in self.fields.values():
            field.widget.attrs["class"] = "input"

    def _offer(self, name: str, choices: Iterable[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", ANY), *choices]

    @property
    def wanted(self) -> Wanted:
        self.full_clean()
        found: dict[str, Any] = getattr(self, "cleaned_data", {})
        player = found.get("player")
        texts = {name: found.get(name, "") for name in ("verdict", "code", "contract")}
        return Wanted(**texts, player=player.id if player else None)


@dataclass(frozen=True)
class Progress:
    """A job as a page shows it now. `state` is the job's, or `silent` where nobody works at it."""

    job: Job
    now: datetime

    @property
    def state(self) -> str:
        return "silent" if self.job.is_silent(self.now) else self.job.state

    @property
    def can_go_on(self) -> bool:
        return self.job.can_go_on or self.state == "silent"


@dataclass(frozen=True)
class Told:
    """One record whose verdict was not as stored, or (without a number) a match whose rows cannot
    be read."""

    match: Match
    number: int | None = None
    contract: str = ""
    was: str = ""
    now: str = ""


def told_lines(job: Job, matches: Mapping[str, Match]) -> list[Told]:
    """What an audit of everything names, in words."""
    differing = [
        Told(
            matches[each["match"]],
            each["deal"],
            _contract(each),
            *map(_said, (each["was"], each["is"])),
        )
        for each in job.found.get("told", ())
        if each["match"] in matches
    ]
    broken = [Told(matches[key]) for key in job.found.get("unreadable", ()) if key in matches]
    return [*differing, *broken]


def _contract(each: Mapping[str, Any]) -> str:
    return words.contract((each["is"] or each["was"])["contract"])


def _said(kept: Mapping[str, Any] | None) -> str:
    """What a verdict said; one that there was not, or that ought not to be, says nothing."""
    if kept is None:
        return str(_("No verdict."))
    return row_words(Verdict(agrees=kept["agrees"], complete=kept["complete"]))[1]
