"""Forms that set something up: a match, a club, its people, an invitation."""

import uuid
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.forms.presets import PRESET_WORDS, preset_choices
from scoring.models import Club, Player, Role, User
from scoring.models.names import clean_name, same_name

NAME_LENGTH = 40
CLUB_NAME_LENGTH = 80

# Where the game is at home, and where its people went; every other zone follows in the list.
ZONES = (
    "Asia/Beirut",
    "Asia/Damascus",
    "Asia/Amman",
    "Asia/Jerusalem",
    "Asia/Gaza",
    "Asia/Baghdad",
    "Asia/Kuwait",
    "Asia/Riyadh",
    "Asia/Bahrain",
    "Asia/Qatar",
    "Asia/Dubai",
    "Asia/Muscat",
    "Asia/Aden",
    "Africa/Cairo",
    "Africa/Khartoum",
    "Africa/Tripoli",
    "Africa/Tunis",
    "Africa/Algiers",
    "Africa/Casablanca",
    "Europe/Istanbul",
    "Europe/Moscow",
    "Europe/Paris",
    "Europe/Berlin",
    "Europe/London",
    "Europe/Madrid",
    "America/New_York",
    "America/Toronto",
    "America/Sao_Paulo",
    "America/Argentina/Buenos_Aires",
    "Australia/Sydney",
)


class NameField(forms.CharField):
    """A name of at most `limit` characters.

    The page sets no maxlength: a name that is too long comes back whole, with a sentence.
    """

    def __init__(self, *, limit: int = NAME_LENGTH, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.limit = limit
        self.widget.attrs |= {
            "class": "input",
            "autocomplete": "off",
            "autocapitalize": "words",
            "spellcheck": "false",
            "dir": "auto",
        }

    def to_python(self, value: Any) -> str:
        return clean_name(super().to_python(value) or "")

    def validate(self, value: str) -> None:
        if self.required and not value:
            raise ValidationError(_("Type a name."), code="missing")
        if len(value) > self.limit:
            raise ValidationError(
                _("%(length)s characters; %(limit)s fit."),
                code="too_long",
                params={"limit": self.limit, "length": len(value)},
            )


class WholeField(forms.IntegerField):
    """A whole number typed in any digits; the number pad comes up, no arrows, no sign needed."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs["widget"] = forms.TextInput(
            attrs={"class": "input num", "inputmode": "numeric", "autocomplete": "off"}
        )
        super().__init__(**kwargs)


def preset_field() -> forms.ChoiceField:
    wrong = _("Choose the rules.")
    return forms.ChoiceField(
        label=_("Rules"),
        choices=preset_choices,
        initial=next(iter(PRESET_WORDS)),
        widget=forms.RadioSelect,
        error_messages={"required": wrong, "invalid_choice": wrong},
    )


def seat_field(label: Any) -> forms.TypedChoiceField:
    """A seat, or nobody yet: then the table is asked when the cards are dealt."""
    return forms.TypedChoiceField(
        label=label,
        choices=[("", ""), *((str(seat), str(seat)) for seat in range(4))],
        coerce=int,
        empty_value=None,
        required=False,
        error_messages={"invalid_choice": _("Not one of the four seats.")},
    )


def entry_key_field() -> forms.UUIDField:
    return forms.UUIDField(widget=forms.HiddenInput, initial=uuid.uuid4)


class StartForm(forms.Form):
    """Four names and a preset: all that a match without a club needs."""

    name0 = NameField(label=_("Player 1"))
    name1 = NameField(label=_("Player 2"))
    name2 = NameField(label=_("Player 3"))
    name3 = NameField(label=_("Player 4"))
    preset = preset_field()
    entry_key = entry_key_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.names():
            hint = "go" if field.name == "name3" else "next"
            field.field.widget.attrs["enterkeyhint"] = hint

    def names(self) -> list[forms.BoundField]:
        """The four name fields in seat order."""
        return [self[f"name{seat}"] for seat in range(4)]

    def clean(self) -> dict[str, Any]:
        seen: set[str] = set()
        for field in self.names():
            name = self.cleaned_data.get(field.name, "")
            if name and same_name(name) in seen:
                self.add_error(field.name, same_person(name))
            seen.add(same_name(name))
        return self.cleaned_data

    def players(self) -> list[str]:
        """The four names in seat order, of a valid form."""
        return [self.cleaned_data[field.name] for field in self.names()]


def same_person(name: str) -> ValidationError:
    return ValidationError(
        _("%(name)s sits here already."), code="same_person", params={"name": name}
    )


class SeatsForm(forms.Form):
    """A club's match: four of its people in seat order, the rules, and perhaps who begins."""

    table_name = NameField(label=_("Table"), required=False)
    preset = preset_field()
    first_chooser = seat_field(_("Who holds the seven of hearts?"))
    first_dealer = seat_field(_("Who deals first?"))
    entry_key = entry_key_field()

    def __init__(self, *args: Any, seated: Iterable[Player], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.seated = list(seated)

    def clean(self) -> dict[str, Any]:
        if len({player.id for player in self.seated}) < len(self.seated):
            self.add_error(None, ValidationError(_("One person sits twice."), code="same_person"))
        if len(self.seated) != 4:
            self.add_error(
                None,
                ValidationError(
                    _("Four people make a table; here are %(count)s."),
                    code="missing",
                    params={"count": len(self.seated)},
                ),
            )
        return self.cleaned_data


class PlayerForm(forms.Form):
    """A person of the club by name. A second one of the same name is asked about, not refused."""

    name = NameField(label=_("Name"))
    again = forms.BooleanField(required=False)

    def __init__(self, *args: Any, others: Mapping[str, str], **kwargs: Any) -> None:
        """`others`: names of the club's other people as `same_name` makes them, and as written."""
        super().__init__(*args, **kwargs)
        self.others = others
        self.asks_again = False

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("name", "")
        namesake = self.others.get(same_name(name))
        if name and namesake and not self.cleaned_data.get("again"):
            self.asks_again = True
            self.add_error(
                "name",
                ValidationError(
                    _("%(name)s is in this club already. Is this somebody else?"),
                    code="same_name",
                    params={"name": namesake},
                ),
            )
        return self.cleaned_data


def zone_choices() -> list[tuple[Any, Any]]:
    """Time zones: those of the game first, then all others."""
    rest = sorted(available_timezones() - set(ZONES))
    others = [(zone, zone) for zone in rest if "/" in zone and not zone.startswith("Etc/")]
    return [*((zone, _city(zone)) for zone in ZONES), (_("Elsewhere"), [*others, ("UTC", "UTC")])]


def _city(zone: str) -> str:
    return zone.rsplit("/", 1)[-1].replace("_", " ")


if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
else:
    ClubModelForm = forms.ModelForm


class ClubForm(ClubModelForm):
    """A club's name, rules, language and time."""

    name = NameField(label=_("Name of the club"), limit=CLUB_NAME_LENGTH)
    preset = preset_field()
    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        choices=zone_choices,
        initial="Asia/Beirut",
        widget=forms.Select(attrs={"class": "input"}),
    )
    language = forms.ChoiceField(
        label=_("Language of the club"),
        choices=settings.LANGUAGES,
        widget=forms.Select(attrs={"class": "input"}),
    )
    is_public = forms.BooleanField(
        label=_("Everyone may look"),
        help_text=_("Otherwise only members see anything of this club, even its name."),
        required=False,
    )

    class Meta:
        model = Club
        fields: tuple[str, ...] = ("name", "preset", "time_zone", "language", "is_public")


class ClubSettingsForm(ClubForm):
    """The same with the club's windows of time."""

    correction_minutes = WholeField(
        label=_("Minutes to correct a deal"),
        help_text=_("So long after saving, the table itself may correct its last deal."),
        min_value=0,
        max_value=24 * 60,
    )
    links_hours = WholeField(
        label=_("Hours that table links live"),
        help_text=_("Counted from the last deal."),
        min_value=1,
        max_value=7 * 24,
    )
    acceptance_hours = WholeField(
        label=_("Hours until silence is agreement"),
        help_text=_("Counted from the end of a kingdom or round."),
        min_value=1,
        max_value=30 * 24,
    )

    class Meta(ClubForm.Meta):
        fields = (*ClubForm.Meta.fields, "correction_minutes", "links_hours", "acceptance_hours")


class InviteForm(forms.Form):
    """What the person who opens the link may do in the club."""

    role = forms.ChoiceField(
        label=_("May do"), choices=Role.choices, initial=Role.MEMBER, widget=forms.RadioSelect
    )


ROLE_WORDS = {
    Role.MEMBER: (pgettext_lazy("role", "Member"), _("Sees the club and keeps score of their own matches.")),
    Role.SCORER: (pgettext_lazy("role", "Scorer"), _("Opens and scores every match.")),
    Role.ARBITER: (pgettext_lazy("role", "Arbiter"), _("Corrects any deal and decides disputes.")),
    Role.OWNER: (pgettext_lazy("role", "Owner"), _("Everything, people and settings too.")),
}


class PersonForm(forms.Form):
    """Somebody who has an account and comes to a club."""

    person_name = NameField(
        label=_("Your name at the table"), help_text=_("So the others see you on the sheet.")
    )


class AccountForm(PersonForm):
    """Somebody who gets an account: a name to sign in with and a password too."""

    username = forms.CharField(
        label=_("Name to sign in with"),
        max_length=150,
        validators=[User.username_validator],
        widget=forms.TextInput(
            attrs={
                "class": "input",
                "autocomplete": "username",
                "autocapitalize": "none",
                "spellcheck": "false",
                "dir": "auto",
            }
        ),
    )
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least eight characters, not a common word."),
        widget=forms.PasswordInput(attrs={"class": "input", "autocomplete": "new-password"}),
    )

    def clean_username(self) -> str:
        """Sign-in knows small letters only."""
        username: str = User.normalize_username(self.cleaned_data["username"]).lower()
        if User.objects.filter(username__iexact=username).exists():
            raise ValidationError(_("This name is taken."), code="taken")
        return username

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        username = self.cleaned_data.get("username", "")
        validate_password(password, User(username=username))
        return password

    def new_user(self) -> User:
        """The account of a valid form, not saved."""
        user = User(username=self.cleaned_data["username"])
        user.set_password(self.cleaned_data["password"])
        return user
