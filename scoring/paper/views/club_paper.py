"""An empty sheet to be printed, by any rules that the club plays."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from scoring.access import link_previews
from scoring.access.http import club_for, page_or_part
from scoring.access.permissions import Action
from scoring.house_rules.presenters.presets import PRESET_WORDS, rules_choices
from scoring.house_rules.queries.house_rules import sets_of
from scoring.models import HouseRules
from scoring.paper.presenters.empty_sheet import empty_sheet
from scoring.rules import PRESETS, Ruleset, preset


def club_paper(request: HttpRequest, slug: str) -> HttpResponse:
    club = club_for(request, slug, Action.SEE_PUBLIC)
    sets = sets_of(club)
    first = str(sets[0].id) if sets else next(iter(PRESETS))
    chosen = request.GET.get("rules") or first
    label, rules = _found(chosen, sets)
    context = {
        "club": club,
        "preview": link_previews.of_club(request, club, _("Empty sheet")),
        "choices": rules_choices(sets),
        "chosen": chosen,
        "label": label,
        "empty": empty_sheet(rules),
        "check_at": request.build_absolute_uri(reverse("paper_check")),
    }
    return page_or_part(request, "paper/club_paper.html", context)


def _found(chosen: str, sets: list[HouseRules]) -> tuple[str, Ruleset]:
    """A set of the club or a preset, with its name; else 404."""
    for own in sets:
        if str(own.id) == chosen:
            return own.name, own.ruleset
    if chosen not in PRESETS:
        raise Http404(chosen)
    return str(PRESET_WORDS[chosen].label), preset(chosen)
