"""Form for the rules of a match without a club, between the names and the start.

The same form as a club's. Nothing is stored; the rules travel with the form of the front page.
"""

import json
from typing import Any

from django.http import HttpRequest, HttpResponse

from scoring.access.http import is_expired, page_or_part, preserve_on_csrf_failure
from scoring.home.views.home import start_page
from scoring.house_rules.forms.rules_data import raw_of_post
from scoring.house_rules.forms.rules_form import RulesForm
from scoring.house_rules.presenters.presets import PRESET_WORDS
from scoring.house_rules.presenters.sums import sums
from scoring.matches.forms.setup import StartForm
from scoring.rules import PRESETS, Ruleset, RulesRefused, preset, ruleset

EDITOR = "home/start_rules.html"
CARRIED = ("name0", "name1", "name2", "name3", "entry_key")


@preserve_on_csrf_failure
def start_rules(request: HttpRequest) -> HttpResponse:
    name = request.POST.get("preset") or request.GET.get("from", "")
    name = name if name in PRESETS else next(iter(PRESETS))
    base = _base(name, request.POST.get("options", ""))
    action = request.POST.get("action", "")
    raw = raw_of_post(request.POST) if action in ("save", "check") else {}
    form = RulesForm(raw, base, preset(name))
    if action == "drop":
        return start_page(request, _form_of(request, name))
    if action == "save" and not is_expired(request):
        try:
            return start_page(request, _started(request, name, form))
        except RulesRefused as refused:
            form = RulesForm(raw, base, preset(name), refused.problems)
    return _page(request, name, form)


def _page(request: HttpRequest, name: str, form: RulesForm) -> HttpResponse:
    context = {
        "preset": name,
        "start": PRESET_WORDS[name],
        "carried": [(each, request.POST.get(each, "")) for each in CARRIED],
        "base": json.dumps(form.base.options()),
        "options": form,
        "sums": sums(form.rules),
    }
    checks = request.POST.get("action") == "check"
    status = 422 if form.problems or is_expired(request) else 200
    return page_or_part(request, EDITOR, context, part="effect" if checks else "", status=status)


def _base(name: str, text: str) -> Ruleset:
    """The rules that came with the form of the front page, else those of the preset."""
    form = StartForm({"preset": name, "options": text})
    form.is_valid()
    return form.rules if "options" not in form.errors else preset(name)


def _started(request: HttpRequest, name: str, form: RulesForm) -> StartForm:
    """The form of the front page with these rules; raises `RulesRefused`."""
    rules = ruleset(form.base.system, form.options)
    changed = rules != preset(name)
    return _form_of(request, name, json.dumps(rules.options()) if changed else "")


def _form_of(request: HttpRequest, name: str, options: str = "") -> StartForm:
    """The form of the front page as it was left, with these rules."""
    initial: dict[str, Any] = {each: request.POST.get(each, "") for each in CARRIED}
    return StartForm(initial={**initial, "preset": name, "options": options})
