import re
from html import unescape

import pytest
from django.urls import reverse
from django.utils import translation

from scoring.home.presenters.club_pages import GROUPS
from scoring.models import Club
from tests.factories import PlayerFactory, finish, make_cast, make_evening, make_match
from tests.support.asking import NASTY, errors

PAGE = "/clubs/cafe-younes/"
SETTINGS = f"{PAGE}settings/"


def settings(**changes):
    fields = {
        "name": "Café Younes",
        "time_zone": "Asia/Beirut",
        "language": "ar",
        "correction_minutes": "10",
        "links_hours": "6",
        "acceptance_hours": "24",
        "first_by": "total",
        "second_by": "wins",
        "third_by": "",
        "minimum": "0",
    }
    return {**fields, **changes}


def test_empty_club_says_so(cast, phone_of):
    page = phone_of(cast.badr).get(PAGE).text
    assert "No match is running." in page
    assert "They begin with the first finished match." in page


def test_running_matches_come_first_with_how_far_they_are(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players, table_name="By the window")
    page = phone_of(cast.badr).get(PAGE).text
    assert f"/matches/{match.id}/" in page
    assert "By the window" in page
    assert '<bdi class="num" dir="ltr">0</bdi> of <bdi class="num" dir="ltr">20</bdi> deals' in page


def test_finished_match_names_its_winner_and_counts_in_the_standings(cast, phone_of):
    match = make_evening("evening-levant", club=cast.club)
    finish(match)
    page = phone_of(cast.badr).get(PAGE)
    assert "Played lately" in page.text
    assert f"/matches/{match.id}/" in page.text
    ((_, board),) = page.context["standings"]
    assert board.name == "Trex with kingdoms"
    assert [line.standing.rank for line in board.ranked] == [1, 2, 3, 4]
    best = board.ranked[0]
    assert f"<bdi>{best.people[0].name}</bdi>" in page.text
    assert f"+{best.record.total}" in page.text
    assert f"{PAGE}standings/?system=levant&amp;win=high" in page.text


def test_private_club_is_nothing_to_others(cast, phone, phone_of):
    for client in (phone, phone_of(cast.ghassan), phone_of(cast.farah)):
        response = client.get(PAGE)
        assert response.status_code == 404
        assert "Café Younes" not in response.text


def test_public_club_shows_itself_but_no_doors(phone, db):
    make_cast(is_public=True)
    page = phone.get(PAGE).text
    assert "Café Younes" in page
    assert "matches/new" not in page
    assert SETTINGS not in page


# Whether others may look can be changed whatever has been finished. C65
def test_a_club_is_opened_and_closed_to_others_after_its_matches(cast, phone, phone_of):
    match = finish(make_evening("evening-levant", club=cast.club))
    owner = phone_of(cast.owner)
    for public in (True, False, True):
        changes = settings(is_public="on") if public else settings()
        assert owner.post(SETTINGS, changes).status_code == 303
        for address in (PAGE, f"/matches/{match.id}/", f"/matches/{match.id}/sheet/"):
            assert phone.get(address).status_code == (200 if public else 404), address


@pytest.mark.parametrize("address", ["settings/", "invite/", "players/", "matches/new/"])
def test_inner_pages_of_a_public_club_are_nothing_to_others(phone, phone_of, address):
    cast = make_cast(is_public=True)
    for client in (phone, phone_of(cast.ghassan)):
        assert client.get(PAGE + address).status_code == 404
        assert client.post(PAGE + address, {"name": "x"}).status_code == 404


# Who judges does not govern. C63
@pytest.mark.parametrize("address", ["settings/", "invite/"])
def test_settings_are_the_owners(cast, phone_of, address):
    for user in (cast.badr, cast.amal, cast.esam):
        assert phone_of(user).get(PAGE + address).status_code == 404
        assert phone_of(user).post(PAGE + address, settings()).status_code == 404
    assert phone_of(cast.owner).get(PAGE + address).status_code == 200


def test_owner_changes_settings(cast, phone_of):
    changes = settings(name="Café Hala", links_hours="٨", is_public="on")
    changes |= {"first_by": "average", "second_by": "", "third_by": "place", "minimum": "٣"}
    response = phone_of(cast.owner).post(SETTINGS, changes)
    assert response.status_code == 303
    club = Club.objects.get(pk=cast.club.pk)
    assert (club.name, club.is_public, club.links_hours) == ("Café Hala", True, 8)
    assert (club.criteria, club.minimum) == (["average", "place"], 3)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"name": ""}, {"name": ["missing"]}),
        ({"name": "x" * 81}, {"name": ["too_long"]}),
        ({"time_zone": "Mars/Olympus"}, {"time_zone": ["invalid_choice"]}),
        ({"links_hours": "soon"}, {"links_hours": ["invalid"]}),
        ({"links_hours": "0"}, {"links_hours": ["min_value"]}),
        ({"first_by": ""}, {"first_by": ["required"]}),
        ({"first_by": "luck"}, {"first_by": ["invalid_choice"]}),
        ({"second_by": "total"}, {"second_by": ["twice"]}),
        ({"minimum": "-1"}, {"minimum": ["min_value"]}),
        ({"correction_minutes": "99999999999999999999"}, {"correction_minutes": ["max_value"]}),
    ],
)
def test_wrong_settings_are_refused_and_kept_on_the_page(cast, phone_of, changes, expected):
    response = phone_of(cast.owner).post(SETTINGS, settings(**changes))
    assert response.status_code == 422
    assert errors(response) == expected
    assert Club.objects.get(pk=cast.club.pk).name == "Café Younes"
    for field, value in changes.items():
        assert response.context["form"][field].value() == value


def test_installer_makes_clubs_and_nobody_else(cast, phone_of):
    form = {"name": "نادي النرد", "preset": "barbu", "time_zone": "Africa/Tunis", "language": "fr"}
    assert phone_of(cast.owner).post("/clubs/new/", form).status_code == 404
    cast.owner.is_superuser = True
    cast.owner.save()
    response = phone_of(cast.owner).post("/clubs/new/", form)
    assert response.status_code == 303
    club = Club.objects.get(name="نادي النرد")
    assert response["Location"] == f"/clubs/{club.slug}/"
    assert (club.house_rules.system, club.house_rules.name) == ("barbu", "Barbu")
    assert club.players.get().user == cast.owner


# A club's name is never markup either. C121
def test_name_of_the_club_is_shown_literally(cast, phone_of):
    Club.objects.filter(pk=cast.club.pk).update(name=NASTY)
    for address in ("", "settings/", "players/", "invite/", "matches/new/"):
        page = phone_of(cast.owner).get(PAGE + address).text
        assert NASTY not in page
        assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_club_page_asks_the_same_of_ten_matches_and_of_forty(
    cast, phone_of, django_assert_max_num_queries
):
    client = phone_of(cast.badr)
    counts = []
    for size in (2, 12):
        for number in range(size):
            seats = [PlayerFactory(club=cast.club, name=f"P{size}-{number}-{n}") for n in range(4)]
            make_match(club=cast.club, players=seats)
        with django_assert_max_num_queries(20) as asked:
            client.get(PAGE)
        counts.append(len(asked))
    assert counts[0] == counts[1]


def test_club_page_in_arabic_is_turned(cast, phone_of):
    client = phone_of(cast.badr)
    client.post("/language/", {"language": "ar", "next": PAGE})
    with translation.override("ar"):
        assert 'dir="rtl"' in client.get(PAGE).text


def linked(response):
    """Where its links lead, within this site."""
    found = set(re.findall(r'<a [^>]*href="(/[^"#]*)', response.text))
    return {unescape(each) for each in found}


@pytest.mark.parametrize("reader", ["nobody", "badr", "amal", "esam", "owner"])
def test_page_of_a_club_leads_wherever_its_reader_may_go_and_nowhere_else(
    cast, phone, phone_of, reader
):
    Club.objects.filter(id=cast.club.id).update(is_public=True)
    finish(make_evening("evening-levant", club=cast.club))
    make_match(club=cast.club, players=cast.players)
    client = phone if reader == "nobody" else phone_of(getattr(cast, reader))
    page = client.get(PAGE)
    for address in linked(page):
        assert client.get(address, follow=True).status_code == 200, address
    for title, pages in GROUPS:
        there = [leads_to(client, page, each.name, cast.club) for each in pages]
        assert (f"<h2>{title}</h2>" in page.text) == any(there), title


def leads_to(client, page, name, club):
    """Whether the page leads to this one, which is so where it can be opened."""
    address = reverse(name, args=[] if name == "paper_check" else [club.slug])
    is_there = client.get(address).status_code == 200
    assert (f'<a href="{address}' in page.text) == is_there, address
    return is_there
