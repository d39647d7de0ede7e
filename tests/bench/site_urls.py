"""The site's pages, and beside them `constant/…`: such a page again, its template filled from what
the page was given the first time; and `bare/…`: the same as the answer to a post that has written
one row. With the header of a script either is only the part that a script asks for.

Whoever asks is signed in there as well: no page is drawn before the session says who reads it.
"""

from threading import Lock
from unittest.mock import patch
from uuid import uuid4

from django.db import transaction
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path, resolve
from django.utils.translation import get_language

from scoring.access import http
from scoring.models import Words
from trexscore.urls import handler400, urlpatterns

__all__ = ["handler400", "urlpatterns"]

_given, _one = {}, Lock()


def constant(request, page):
    """No query but for the session and its account: what the template takes was taken once."""
    assert request.user.is_authenticated
    template, context = _of_page(request, f"/{page}")
    return render(request, template, context)


def _of_page(request, page):
    key = page, get_language(), request.GET.urlencode(), bool(request.htmx)
    with _one:
        if key not in _given:
            _given[key] = _take(request, page)
    return _given[key]


def _take(request, page):
    """What the view gives its template, everything lazy in it looked up by drawing it once."""
    found = resolve(page)
    with (
        patch.object(http, "render", wraps=render) as drawn,
        patch.object(request, "method", "GET"),
    ):
        found.func(request, *found.args, **found.kwargs)
    _, template, context = drawn.call_args.args
    render_to_string(template, context, request)
    return template, context


def bare(request, page):
    """One row, committed as a deal is, and the page that a saved deal is answered with."""
    if request.method == "POST":
        with transaction.atomic():
            Words.objects.create(id=uuid4(), text=request.POST["text"])
    return constant(request, page)


urlpatterns = [
    path("constant/<path:page>", constant),
    path("bare/<path:page>", bare),
    *urlpatterns,
]
