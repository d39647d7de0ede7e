"""What people of one name are called in a club, whatever is done with them."""

import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.common.actor import Actor
from scoring.importing.limits import PAGE
from scoring.models import Club, Player
from scoring.people.services import naming
from scoring.people.services import people as persons
from scoring.people.services.naming import add_player
from scoring.players.services import merging
from scoring.transfer.queries.imports import ImportStatus, plan_import
from scoring.transfer.services.club_export import tables
from tests.factories import NOW, finish, make_cast, make_evening
from tests.importing.bringing import bring_in
from tests.support.moving import changed_row, exported, forget_everything, imported
from tests.transfer.test_own_tables import snapshot_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast():
    return make_cast()


@pytest.fixture
def three(cast):
    """Three people called Ahmad, in the order in which they joined."""
    return [add_player(club=cast.club, name="Ahmad") for _ in range(3)]


def called(*some):
    return [Player.objects.get(pk=one.pk).name for one in some]


def test_each_gets_a_number_in_order_of_joining(cast):
    one = add_player(club=cast.club, name="Ahmad")
    version = Club.objects.get(pk=cast.club.pk).names_version
    assert (one.name, one.plain_name) == ("Ahmad", "Ahmad")
    two = add_player(club=cast.club, name="Ahmad")
    assert (two.name, two.plain_name) == ("Ahmad (2)", "Ahmad")
    assert called(one, two) == ["Ahmad (1)", "Ahmad (2)"]
    assert (
        Club.objects.get(pk=cast.club.pk).names_version == version + 1
    )  # pages that are kept show it


def test_clubs_and_tables_without_a_club_number_nobody_else(cast, three):
    other = Club.objects.create(name="Another", slug="another")
    assert add_player(club=other, name="Ahmad").name == "Ahmad"
    guests = naming.seat_people(None, ["Ahmad", "Ahmad", "Badr", "Cyrine"])
    assert called(*guests) == ["Ahmad", "Ahmad", "Badr", "Cyrine"]


def test_names_of_forty_letters_keep_all_of_them(cast):
    one, two = (add_player(club=cast.club, name="x" * 40) for _ in range(2))
    assert called(one, two) == ["x" * 40 + " (1)", "x" * 40 + " (2)"]


def test_renaming_takes_the_number_along_with_the_name(cast, three):
    one, two, third = three
    persons.rename(player=one, name="Ahmad Haddad", actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad Haddad", "Ahmad (1)", "Ahmad (2)"]
    persons.rename(player=two, name="Ahmad Nasser", actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad Haddad", "Ahmad Nasser", "Ahmad"]
    persons.rename(player=one, name="Ahmad", actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad (1)", "Ahmad Nasser", "Ahmad (2)"]
    persons.rename(player=third, name="Ahmad", actor=Actor(cast.owner), now=NOW)  # nothing changes
    persons.rename(player=third, name="Ahmad (2)", actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad (1)", "Ahmad Nasser", "Ahmad (2)"]
    assert Player.objects.get(pk=third.pk).plain_name == "Ahmad"


def test_number_tells_nothing_of_who_is_hidden(cast, three):
    one, two, _ = three
    persons.hide(player=one, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Player 1", "Ahmad (1)", "Ahmad (2)"]
    persons.anonymise(player=two, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Player 1", "Player 2", "Ahmad"]
    persons.show(player=one, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad (1)", "Player 2", "Ahmad (2)"]


def test_merged_people_share_the_number_and_part_with_their_own(cast, three):
    one, two, third = three
    merging.merge(player=third, into=two, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad (1)", "Ahmad (2)", "Ahmad (2)"]
    assert Player.objects.get(pk=third.pk).own_name == "Ahmad"
    merging.merge(player=two, into=one, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad", "Ahmad", "Ahmad"]
    merging.unmerge(player=two, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad (1)", "Ahmad (2)", "Ahmad (2)"]
    merging.unmerge(player=third, actor=Actor(cast.owner), now=NOW)
    assert called(*three) == ["Ahmad (1)", "Ahmad (2)", "Ahmad (3)"]


def test_typed_name_with_its_number_means_that_person(cast, three):
    chosen = ["Ahmad (2)", "Badr", "Cyrine", "Dima"]
    assert naming.people_meant(cast.club, chosen)[0] == three[1]


def test_many_people_are_numbered_in_as_many_queries(cast):
    add_player(club=cast.club, name="Ahmad")

    def queries():
        with CaptureQueriesContext(connection) as asked:
            add_player(club=cast.club, name="Zed")
        Player.objects.filter(name="Zed").delete()
        return len(asked)

    few = queries()
    for number in range(30):
        add_player(club=cast.club, name=f"Somebody {number}")
    assert queries() == few


def seated(match, names):
    """The people of these seats get these names, one after the other."""
    rows = list(match.seatings.select_related("player").order_by("seat"))
    for row, name in zip(rows, names, strict=True):
        persons.rename(player=row.player, name=name, actor=Actor(), now=NOW)
    return [row.player for row in rows]


def test_own_files_come_back_as_the_same_people(cast):
    match = finish(make_evening("evening-levant", club=cast.club))
    four = seated(match, ["Ahmad", "Ahmad", "Cyrine", "Ahmad"])
    names = called(*four)
    assert sorted(names) == ["Ahmad (1)", "Ahmad (2)", "Ahmad (3)", "Cyrine"]
    listed = [line[0] for line in tables.people(cast.club)]
    assert sorted(set(listed) & set(names)) == sorted(names)
    other = Club.objects.create(name="Another", slug="another")
    for part in ("csv/deals.csv", "cafe-younes.xlsx"):
        data = snapshot_of(cast.club, part)
        (here,) = plan_import(cast.club, io.BytesIO(data), PAGE).matches
        assert (here.status, here.match_id) == (ImportStatus.HERE, match.id)
        (planned,) = plan_import(other, io.BytesIO(data), PAGE).matches
        assert (planned.status, list(planned.names), planned.found.lost) == (
            ImportStatus.NEW,
            names,
            (),
        )
    bring_in(other, data)
    assert sorted(other.players.values_list("name", flat=True)) == sorted(names)


def test_same_deals_under_another_number_are_of_the_numbered_people(cast):
    """Read in the own club, marked names mean these people and make nobody new."""
    match = finish(make_evening("evening-levant", club=cast.club))
    four = seated(match, ["Ahmad", "Ahmad", "Cyrine", "Dima"])
    data = snapshot_of(cast.club).replace(str(match.id).encode(), b"77")
    found = plan_import(cast.club, io.BytesIO(data), PAGE)
    (planned,) = found.matches
    assert (planned.status, found.new_people) == (ImportStatus.NEW, ())
    assert planned.candidates == tuple(frozenset({one.id}) for one in four)


def test_name_without_its_number_is_asked_about(cast, three):
    match = finish(make_evening("evening-levant", club=cast.club))
    first = match.seatings.get(seat=0).player.name.encode()
    data = snapshot_of(cast.club).replace(str(match.id).encode(), b"77").replace(first, b"Ahmad")
    (planned,) = plan_import(cast.club, io.BytesIO(data), PAGE).matches
    assert {fault.code for fault in planned.faults} == {"namesakes"}


def test_own_file_means_whoever_is_hidden_since(cast):
    """It says the name with its number, which nobody shall have as a new guest."""
    match = finish(make_evening("evening-levant", club=cast.club))
    four = seated(match, ["Ahmad", "Ahmad", "Cyrine", "Dima"])
    data = snapshot_of(cast.club).replace(str(match.id).encode(), b"77")
    last = next(one for one in four if called(one) == ["Ahmad (2)"])
    persons.hide(player=last, actor=Actor(cast.owner), now=NOW)
    found = plan_import(cast.club, io.BytesIO(data.replace(b"Ahmad (1)", b"Badr")), PAGE)
    assert "Ahmad (2)" not in [one.name for one in found.new_people]


def test_club_file_keeps_the_numbers(cast, three, tmp_path):
    file = exported(cast.club, tmp_path / "club.zip")
    forget_everything()
    imported(file)
    assert called(*three) == ["Ahmad (1)", "Ahmad (2)", "Ahmad (3)"]


def test_club_file_of_an_older_version_gets_numbers(cast, three, tmp_path):
    """It has people of one name as they are."""

    def older(row):
        del row["namesake_number"]
        row["name"] = "Ahmad"

    file = exported(cast.club, tmp_path / "club.zip")
    for one in three:
        file = changed_row(file, "players", older, lambda row, own=one: row["id"] == str(own.id))
        file = file.rename(tmp_path / f"{one.id}.zip")
    forget_everything()
    imported(file)
    assert called(*three) == ["Ahmad (1)", "Ahmad (2)", "Ahmad (3)"]
