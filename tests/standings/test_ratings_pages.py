"""Ratings on the pages of a club, while they are worked out and afterwards."""

from datetime import timedelta

from django.urls import reverse

from scoring.models import Rating
from scoring.standings.services import ratings
from tests.factories import NOW
from tests.support.standings import finished

ANEW = "The ratings are being worked out anew"


def play(cast, day=0):
    """They finish as they sit."""
    at = NOW + timedelta(days=day)
    finished(cast.club, dict(zip(cast.players, (90, 30, -30, -90), strict=True)), at=at)
    ratings.mark(club=cast.club, system="levant", win="high", played_at=at)


def pages_of(client, player):
    club = player.club.slug
    return {
        name: client.get(reverse(name, args=args))
        for name, args in (
            ("club", [club]),
            ("club_standings", [club]),
            ("player", [club, player.id]),
        )
    }


def test_pages_say_while_they_are_worked_out(cast, phone_of):
    cast.club.criteria = ["rating", "total"]
    cast.club.save()
    amal, *_, dima = cast.players
    phone = phone_of(cast.badr)
    play(cast)
    for name, page in pages_of(phone, amal).items():
        assert ANEW in page.text, name
    ratings.rebuild(club=cast.club)
    pages = pages_of(phone, amal)
    for name, page in pages.items():
        assert ANEW not in page.text, name
        assert "1120" in page.text, name  # as in tests/rules/statistics/test_rating.py
    assert "needs 4 more matches" in page_text(pages["player"])
    assert "a careful number" in page_text(pages["club_standings"])
    places = [pages["club_standings"].text.index(f">{one.name}<") for one in (amal, dima)]
    assert places == sorted(places)


def test_curve_can_be_read_as_numbers(cast, phone_of):
    for day in range(3):
        play(cast, day)
    ratings.rebuild(club=cast.club)
    page = phone_of(cast.badr).get(reverse("player", args=["cafe-younes", cast.players[0].id]))
    assert 'aria-labelledby="rating-curve-title rating-curve-desc"' in page.text
    last = Rating.objects.get(player=cast.players[0])
    assert page.context["rating"].number == page.context["rating"].chart.rows[-1].values[0]
    assert last.matches == len(page.context["rating"].chart.rows) == 3


def test_person_of_another_club_sees_none(cast, phone_of):
    play(cast)
    ratings.rebuild(club=cast.club)
    for page in pages_of(phone_of(cast.ghassan), cast.players[0]).values():
        assert page.status_code == 404


def page_text(page):
    return page.text.replace('<bdi class="num" dir="ltr">', "").replace("</bdi>", "")
