"""A club's named sets of rules: the list, and one set to read or, for the owner, to change."""

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.access import permissions
from scoring.access.http import (
    actor_of,
    club_for,
    expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    require_permission,
    see_other,
)
from scoring.access.permissions import Action
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import RefusalCode, ServiceError
from scoring.house_rules.forms.rules_data import raw_of_post
from scoring.house_rules.forms.rules_form import RulesForm, RulesNameForm
from scoring.house_rules.presenters.presets import PRESET_WORDS, set_sentence
from scoring.house_rules.presenters.rules_card import rules_card
from scoring.house_rules.presenters.sums import sums
from scoring.house_rules.queries.house_rules import sets_of
from scoring.house_rules.services import house_rules as service
from scoring.models import Club, HouseRules
from scoring.rules import PRESETS, Problem, preset

EDITOR = "house_rules/house_rules.html"


def club_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Every set of the club, the one first that a new match is offered first."""
    club = club_for(request, slug, Action.SEE_CLUB)
    if request.method == "POST":
        require_permission(request, Action.SETTINGS, club)
        _set_default(club, _set_of(club, request.POST.get("default", "")))
        return see_other("club_rules", slug)
    context = {
        "club": club,
        "sets": [(each, set_sentence(each)) for each in sets_of(club)],
        "presets": [(name, words) for name, words in PRESET_WORDS.items()],
        "may_change": permissions.may(Action.SETTINGS, club, actor_of(request)),
    }
    return page_or_part(request, "house_rules/club_rules.html", context)


def _set_default(club: Club, rules: HouseRules) -> None:
    try:
        service.set_default(club=club, rules=rules)
    except ServiceError as refused:
        raise Http404(rules.pk) from refused


@preserve_on_csrf_failure
def house_rules_new(request: HttpRequest, slug: str) -> HttpResponse:
    """New rules, started `from` a preset or as a copy of a set of the club."""
    club = club_for(request, slug, Action.SETTINGS)
    start = _start(club, request.GET.get("from", ""))

    def save(name: str, form: RulesForm) -> HouseRules:
        return service.create(club=club, name=name, preset=start.preset, options=form.options)

    return _editor(request, club, start, save)


@preserve_on_csrf_failure
def house_rules(request: HttpRequest, slug: str, rules_id: UUID) -> HttpResponse:
    """One set: members read it, the owner changes it."""
    club = club_for(request, slug, Action.SEE_CLUB)
    rules = _set_of(club, str(rules_id))
    if request.method != "POST" and not permissions.may(Action.SETTINGS, club, actor_of(request)):
        return _read(request, club, rules)
    require_permission(request, Action.SETTINGS, club)
    if request.POST.get("action") == "delete" and not getattr(request, "form_expired", False):
        service.delete(rules=rules)
        messages.success(request, _("The rules are gone. Matches played by them keep theirs."))
        return see_other("club_rules", slug)

    def save(name: str, form: RulesForm) -> HouseRules:
        seen = request.POST.get("seen", "")
        service.change(rules=rules, name=name, options=form.options, seen=seen)
        return rules

    return _editor(request, club, rules, save)


def _read(request: HttpRequest, club: Club, rules: HouseRules) -> HttpResponse:
    context = {"club": club, "rules": rules, "card": rules_card(rules.ruleset)}
    return page_or_part(request, "house_rules/house_rules_card.html", context)


# ── the editor ──────────────────────────────────────────────────────────


def _editor(
    request: HttpRequest,
    club: Club,
    rules: HouseRules,
    save: Callable[[str, RulesForm], HouseRules],
) -> HttpResponse:
    """The form of a set, kept or new. `save` writes it, or refuses."""
    action = request.POST.get("action", "")
    # Too late to delete it: that form sent no name.
    sent = {"name": rules.name} if action == "delete" else post_data(request)
    naming = RulesNameForm(sent, initial={"name": rules.name})
    form, now = _form(request, rules), service.mark(rules)
    seen, stale = request.POST.get("seen") or now, False
    if request.method == "POST" and not expired(request, naming) and action != "check":
        try:
            if naming.is_valid():
                save(naming.cleaned_data["name"], form)
                messages.success(request, _("Saved. Matches that run already keep their rules."))
                return see_other("club_rules", club.slug)
            service.allowed(rules.system, form.options)
        except ServiceError as refused:
            form = _form(request, rules, refused.problems)
            about = [each for each in refused.problems if each.field in ("", "name", "preset")]
            show_refusal(naming, about, {})
            stale = refused.code == RefusalCode.STALE
    return _page(request, club, rules, naming, form, seen=now if stale else seen, stale=stale)


def _page(
    request: HttpRequest,
    club: Club,
    rules: HouseRules,
    naming: RulesNameForm,
    form: RulesForm,
    *,
    seen: str,
    stale: bool,
) -> HttpResponse:
    checks = request.method == "POST" and request.POST.get("action") == "check"
    context = {
        "club": club,
        "rules": None if rules._state.adding else rules,
        "seen": seen,
        "is_default": rules.pk == club.house_rules_id,
        "start": PRESET_WORDS[rules.preset],
        "form": naming,
        "options": form,
        "sums": sums(form.rules),
    }
    status = 409 if stale else 422 if request.method == "POST" and not checks else 200
    return page_or_part(request, EDITOR, context, part="effect" if checks else "", status=status)


def _form(request: HttpRequest, rules: HouseRules, problems: tuple[Problem, ...] = ()) -> RulesForm:
    raw = raw_of_post(request.POST) if request.method == "POST" else {}
    return RulesForm(raw, rules.ruleset, preset(rules.preset), problems)


def _start(club: Club, name: str) -> HouseRules:
    """A set that is not kept yet, as the preset or the set of this id has it."""
    if name in PRESETS or not name:
        chosen = PRESETS[name or next(iter(PRESETS))]
        label, found = str(PRESET_WORDS[chosen.name].label), chosen.name
        system, options = chosen.system, dict(chosen.options)
    else:
        copied = _set_of(club, name)
        label, found = copied.name, copied.preset
        system, options = copied.system, copied.options
    name = _free_name(club, label)
    return HouseRules(club=club, name=name, preset=found, system=system, options=options)


def _free_name(club: Club, name: str) -> str:
    taken = {each.name for each in club.rule_sets.all()}
    numbered = (f"{name[:34]} ({number})" for number in range(2, len(taken) + 3))
    return next(each for each in (name[:40], *numbered) if each not in taken)


def _set_of(club: Club, rules_id: str) -> HouseRules:
    """A set of this club, or 404."""
    try:
        found = club.rule_sets.filter(pk=UUID(rules_id)).first()
    except ValueError:
        found = None
    if found is None:
        raise Http404(rules_id)
    return found
