"""Forms of a club, of its members and their accounts."""

from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.html import format_html
from django.utils.translation import gettext, override, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.common.criteria import CriteriaFields
from scoring.common.error_sentences import validation_error
from scoring.common.errors import RefusalCode
from scoring.common.form_fields import NameField, WholeField
from scoring.common.moments import zone_city
from scoring.house_rules.presenters.presets import PRESET_WORDS, preset_field
from scoring.models import Club, Role, User
from scoring.models.name_matching import folded

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


def zone_choices() -> list[tuple[Any, Any]]:
    """Time zones: those of the game first, then all others."""
    rest = sorted(available_timezones() - set(ZONES))
    others = [(zone, zone) for zone in rest if "/" in zone and not zone.startswith("Etc/")]
    return [
        *((zone, zone_city(zone)) for zone in ZONES),
        (_("Elsewhere"), [*others, ("UTC", "UTC")]),
    ]


if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
else:
    ClubModelForm = forms.ModelForm


class ClubForm(ClubModelForm):
    """A club's name, language and time."""

    name = NameField(label=_("Name of the club"), limit=CLUB_NAME_LENGTH)
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
        fields: tuple[str, ...] = ("name", "time_zone", "language", "is_public")


class NewClubForm(ClubForm):
    """The same with the rules that the club plays by at first."""

    preset = preset_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:  # what was chosen stays
            self.fields["time_zone"].widget.attrs["data-proposes-zone"] = True

    def rules_name(self) -> str:
        """What the club's first set of rules is called, in the language of the club."""
        with override(self.cleaned_data["language"]):
            return str(PRESET_WORDS[self.cleaned_data["preset"]].label)


class ClubSettingsForm(CriteriaFields, ClubForm):
    """The same with the club's windows of time, and how its people are ranked."""

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
        fields = (
            *ClubForm.Meta.fields,
            "correction_minutes",
            "links_hours",
            "acceptance_hours",
            "minimum",
        )

    def clean(self) -> dict[str, Any]:
        found = super().clean()
        self.instance.criteria = found["criteria"]
        return found

    def save(self, commit: bool = True) -> Club:
        """Only what the form is about: people may be hidden at this moment."""
        self.instance.save(update_fields=[*self.Meta.fields, "criteria"])
        return self.instance


class RoleForm(forms.Form):
    """What somebody may do in the club."""

    role = forms.ChoiceField(
        label=_("May do"), choices=Role.choices, initial=Role.MEMBER, widget=forms.RadioSelect
    )


ROLE_WORDS = {
    Role.MEMBER: (pgettext_lazy("role", "Member"), _("Sees the club, keeps their own matches.")),
    Role.SCORER: (pgettext_lazy("role", "Scorer"), _("Opens and scores every match.")),
    Role.ARBITER: (pgettext_lazy("role", "Arbiter"), _("Corrects any deal and decides disputes.")),
    Role.OWNER: (pgettext_lazy("role", "Owner"), _("Everything, people and settings too.")),
}


def role_choices() -> list[tuple[Role, Any, Any]]:
    """Every role with its label and what it may do."""
    return [(role, label, sentence) for role, (label, sentence) in ROLE_WORDS.items()]


EVERYBODY = "everybody"


class InviteForm(RoleForm):
    """Whom a new link makes what; `EVERYBODY`: it hangs on the wall."""

    role = forms.ChoiceField(
        label=_("May do"),
        choices=[*Role.choices, (EVERYBODY, EVERYBODY)],
        initial=Role.MEMBER,
        widget=forms.RadioSelect,
    )

    def role_of(self) -> Role | None:
        """Of a valid form; None for everybody."""
        chosen = self.cleaned_data["role"]
        return None if chosen == EVERYBODY else Role(chosen)


def invite_choices() -> list[tuple[str, Any, Any]]:
    """Every role, and everybody."""
    sentence = _(
        "For the wall of the club: it works for a month, again and again. Whoever comes by it is"
        " marked as unverified."
    )
    return [*role_choices(), (EVERYBODY, _("Members, by one link for everybody"), sentence)]


class PersonForm(forms.Form):
    """Somebody who has an account and comes to a club."""

    person_name = NameField(
        label=_("Your name at the table"), help_text=_("So the others see you on the sheet.")
    )
    again = forms.BooleanField(required=False)
    known_name = ""
    club: Club | None = None
    asks_again = False

    def take_name(self, name: str) -> None:
        """Who comes is somebody of the club already, so the name is known."""
        del self.fields["person_name"]
        self.known_name = name

    def clean(self) -> dict[str, Any]:
        """A name that a guest of the club has is asked about: the invitation makes a new person."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        name = cleaned.get("person_name", "")
        if self.club and name and not cleaned.get("again"):
            guests = self.club.players.filter(merged_into=None, user=None)
            others = (one.plain_name for one in guests)
            if namesake := next((one for one in others if folded(one) == folded(name)), None):
                self.asks_again = True
                said = format_html(
                    gettext(
                        "{name} is in this club already. If that is you, ask an owner for your own"
                        " link, which keeps your matches. If not, confirm below."
                    ),
                    name=words.person(namesake),
                )
                self.add_error("person_name", ValidationError(said, code="same_name"))
        return cleaned

    def name_at_table(self) -> str:
        """Of a valid form."""
        return str(self.cleaned_data.get("person_name") or self.known_name)


class AccountNameField(forms.CharField):
    """A name to sign in with in the one spelling that is kept, before it is measured and judged:
    sign-in knows small letters only, and one sign can stand for many letters."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        if self.max_length is not None and len(text) > self.max_length:
            return text
        return str(User.normalize_username(text)).lower()


class AccountForm(PersonForm):
    """Somebody who gets an account: a name to sign in with and a password too."""

    username = AccountNameField(
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
        username: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=username).exists():
            raise validation_error(RefusalCode.TAKEN)
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
