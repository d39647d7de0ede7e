"""The front page: four names, one tap, and the match begins."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from scoring.access.http import (
    actor_of,
    expired,
    page_or_part,
    post_data,
    preserve_on_csrf_failure,
    see_other,
)
from scoring.access.joined_phones import matches_joined, matches_on
from scoring.common.error_sentences import show_refusal
from scoring.common.errors import ServiceError
from scoring.house_rules.presenters.presets import preset_cards
from scoring.house_rules.presenters.rules_card import changes
from scoring.matches.forms.setup import StartForm
from scoring.matches.services.matches import NewMatch, open_match
from scoring.models import Club


def home(request: HttpRequest) -> HttpResponse:
    """The match that this phone is in the middle of, else the front page. One that it came to by a
    link goes before its own: the link ends with the evening."""
    now, asks = timezone.now(), actor_of(request)
    for running in (*matches_joined(asks, now), *matches_on(asks)):
        if running.is_fresh(now):
            return redirect("match", running.match.id)
    return start(request)


@preserve_on_csrf_failure
def start(request: HttpRequest) -> HttpResponse:
    """Always the front page: going on with a match, or four names for a new one."""
    form = StartForm(post_data(request))
    if request.method == "POST" and not expired(request, form) and form.is_valid():
        try:
            match = open_match(
                NewMatch(form.rules, form.players(), preset=form.cleaned_data["preset"]),
                actor=actor_of(request),
                now=timezone.now(),
                entry_key=form.cleaned_data["entry_key"],
            )
        except ServiceError as refused:
            show_refusal(
                form, refused.problems, {f"players.{seat}": f"name{seat}" for seat in range(4)}
            )
        else:
            return see_other("match", match.id)
    return start_page(request, form)


def start_page(request: HttpRequest, form: StartForm) -> HttpResponse:
    """The front page with this form; also after the rules were changed on a page of their own."""
    user = actor_of(request).user
    listed = matches_on(actor_of(request))
    running = [each for each in listed if each.match.is_running]
    if not running and request.method == "GET":
        form.fields["name0"].widget.attrs["autofocus"] = True
    own = form.own_rules()
    context = {
        "form": form,
        "presets": preset_cards(form["preset"].value()),
        "own_rules": changes(own, form["preset"].value()) if own else None,
        "joined": matches_joined(actor_of(request), timezone.now()),
        "running": running,
        "put_aside": [each for each in listed if not each.match.is_running],
        "clubs": Club.objects.filter(memberships__user=user).order_by("name") if user else [],
    }
    status = 422 if form.errors else 200
    return page_or_part(request, "home/home.html", context, status=status)
