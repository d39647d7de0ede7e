"""A hidden person's own name stands on no page, in no file or picture, and cannot be found."""

from dataclasses import replace
from io import BytesIO
from zipfile import ZipFile

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from scoring.api import api
from scoring.common.actor import Actor
from scoring.ledger.queries.match_view import match_view
from scoring.matches.presenters.card import card
from scoring.models import Club, Player, User
from scoring.people.services import people as persons
from scoring.players.services import merging
from tests.access.test_access_pages import address
from tests.factories import (
    NOW,
    PlayerFactory,
    attach,
    diamonds,
    evening_record,
    king,
    make_match,
)
from tests.support import photos
from tests.support.asking import every_page
from tests.support.evening import draw, planned
from tests.support.evening_files import bring
from tests.support.judging import decide, flag, rule

# Long enough for no token to hold one by chance.
OWN, DOUBLE, ACCOUNT = "Zubayda", "Zubeidah", "zubi-of-the-corner"
OWNERS = {"player_edit", "club_players", "club_invite", "club_member", "player_data"}
"""Where an owner, or the person, reads the own name."""


@pytest.fixture
def hidden(cast):
    """Somebody with two rows and an account who played, plays and was written down in a record; in
    a club that everybody may look at."""
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    user = cast.dima
    User.objects.filter(id=user.id).update(username=ACCOUNT)
    person = cast.players[3]
    act = {"actor": Actor(cast.owner), "now": NOW}
    persons.rename(player=person, name=OWN, **act)
    double = PlayerFactory(club=cast.club, name=DOUBLE)
    people = [player.name for player in cast.players[:3]]
    bring(cast.club, [[*people, OWN], [*people, DOUBLE]])
    merging.merge(player=double, into=person, **act)
    persons.hide(player=person, name="The quiet one", **act)
    return Player.objects.get(pk=person.pk)


def running(cast, hidden):
    players = [*cast.players[:3], hidden]
    user = User.objects.get(pk=cast.dima.pk)
    match = make_match(club=cast.club, players=players, entries=[king()], actor=Actor(user))
    attach(match, 1, replace(evening_record("evening-levant", 2), tags={"South": OWN.upper()}))
    decide(match, 1, "stands", reason="as it was")
    return match


def pages(match, club):
    """Every address that can be asked for, with the name of its page."""
    for space, patterns in (("", every_page()), ("api:", api.urls[0])):
        for pattern in patterns:
            if pattern.name != "invitation":
                yield pattern.name, address(pattern, match, club, space)
    for name in ("player", "player_matches", "player_edit"):
        for player in club.players.all():  # among them whoever is hidden, by both rows
            yield name, reverse(name, args=[club.slug, player.id])


def told(response):
    """All that is in an answer, its heads too."""
    if getattr(response, "streaming", False):
        content = b"".join(response.streaming_content)
    else:
        content = response.content
    return content.decode(errors="replace") + str(response.headers)


@pytest.mark.parametrize("reader", ["nobody", "badr", "amal", "owner"])
def test_own_name_of_a_hidden_person_is_on_no_page(cast, hidden, phone, phone_of, reader):
    match = running(cast, hidden)
    draw(planned(cast.club, [*cast.players[:3], hidden]))
    finished = hidden.results.first().match
    client = phone if reader == "nobody" else phone_of(getattr(cast, reader))
    for about in (match, finished):
        for name, url in pages(about, cast.club):
            if reader == "owner" and name in OWNERS:
                continue
            text = told(client.get(url))
            for own in (OWN, DOUBLE, ACCOUNT):
                assert own.casefold() not in text.casefold(), (name, own)
    assert "The quiet one" in told(client.get(reverse("match", args=[match.id])))


def test_own_name_is_not_in_parts_that_were_kept(cast, phone_of):
    """What was drawn before somebody was hidden is shown no more."""
    client, dima = phone_of(cast.badr), cast.players[3]
    match = make_match(club=cast.club, players=cast.players, entries=[king()])
    url = reverse("live", args=[match.id])
    first = client.get(url)
    assert "Dima" in first.text
    persons.hide(player=dima, actor=Actor(cast.owner), now=NOW)
    again = client.get(url, headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200
    assert "Dima" not in again.text


def test_own_name_is_in_no_picture(cast, hidden):
    for match in (running(cast, hidden), hidden.results.first().match):
        shown = card(match_view(match))
        names = [person.name for group in shown.groups for person in group.people]
        assert "The quiet one" in names
        assert not {OWN, DOUBLE} & set(names)


def test_hidden_person_cannot_be_found(cast, hidden, phone_of):
    client = phone_of(cast.amal)
    for page in ("club_players", "club_match_new"):
        url = reverse(page, args=[cast.club.slug])
        assert str(hidden.id) not in client.get(url, {"q": OWN}).text
        assert str(hidden.id) in client.get(url, {"q": "quiet"}).text


def test_scorer_reads_neither_account_nor_name_where_people_are_kept(cast, hidden, phone_of):
    """On the pages of both rows, with what was done with them."""
    user = User.objects.get(pk=cast.dima.pk)
    persons.release(player=hidden, actor=Actor(cast.owner), now=NOW)
    persons.claim(player=hidden, user=user, actor=Actor(user), now=NOW)
    for row in (hidden, hidden.others.get()):
        text = phone_of(cast.amal).get(reverse("player_edit", args=["cafe-younes", row.id])).text
        for own in (OWN, DOUBLE, ACCOUNT):
            assert own.casefold() not in text.casefold()


def test_account_that_was_once_a_hidden_person_is_in_no_history(cast, phone_of):
    """It was parted from the person before, and entered deals. What it signs in with is in none
    either."""
    act = {"actor": Actor(cast.owner), "now": NOW}
    User.objects.filter(id=cast.farah.id).update(username=ACCOUNT)
    guest = PlayerFactory(club=cast.club, name=OWN)
    persons.claim(player=guest, user=cast.farah, actor=Actor(cast.farah), now=NOW)
    players = [*cast.players[:3], guest]
    match = make_match(club=cast.club, players=players, entries=[king()], actor=Actor(cast.farah))
    persons.release(player=guest, **act)
    client, url = phone_of(cast.badr), reverse("deal", args=[match.id, 1])
    for do in (persons.hide, persons.show, persons.anonymise):
        assert ACCOUNT not in client.get(url).text, do
        do(player=guest, **act)
        assert ACCOUNT not in client.get(url).text, do


def test_own_name_is_in_no_export(cast, hidden, tmp_path):
    running(cast, hidden)
    call_command("export_club", cast.club.slug, out=tmp_path / "club.zip")
    files = list(unpacked((tmp_path / "club.zip").read_bytes()))
    assert any(b"The quiet one" in content for _, content in files)
    for name, content in files:
        for own in (OWN, DOUBLE):
            assert own.casefold() not in content.decode(errors="replace").casefold(), name


def unpacked(data):
    """Every file in an archive, and in the archives in it."""
    with ZipFile(BytesIO(data)) as archive:
        for name in archive.namelist():
            content = archive.read(name)
            yield name, content
            if content.startswith(b"PK"):
                yield from unpacked(content)


@pytest.mark.parametrize("reader", ["nobody", "badr", "esam"])
def test_no_page_of_a_match_says_what_anybody_signs_in_with(cast, phone_of, reader):
    """People are called by their names, accounts without a person by their role."""
    Club.objects.update(is_public=True)
    for user in User.objects.exclude(username=reader):
        User.objects.filter(id=user.id).update(username=f"signin-{user.username}")
    match = make_match(
        club=cast.club, players=cast.players, entries=[king(), diamonds()], actor=Actor(cast.amal)
    )
    photos.attach(match, 1, actor=Actor(cast.carmen))
    flag(match, 1, actor=Actor(cast.dima))
    rule(match, 1, actor=Actor(cast.esam))
    client = Client() if reader == "nobody" else phone_of(getattr(cast, reader))
    pages = ("deal", [1]), ("deal", [2]), ("photos", [1]), ("sheet", []), ("ruling_report", [1])
    for name, args in (("match", []), ("screen", []), *pages):
        page = client.get(reverse(name, args=[match.id, *args]))
        assert page.status_code in {200, 404}, name
        assert "signin-" not in page.text, name
    assert "Carmen" in client.get(reverse("photos", args=[match.id, 1])).text
