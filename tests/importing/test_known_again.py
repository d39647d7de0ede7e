"""A match is known again as a whole: number, people, day and deals."""

from datetime import date, datetime

import pytest

from scoring.common.errors import ServiceError
from scoring.integrity.queries.integrity import findings
from scoring.models import Match
from scoring.models.days import day_of
from scoring.people.services import people
from scoring.players.services.merging import merge
from scoring.transfer.presenters.import_sentences import fault_sentence
from scoring.transfer.queries.imports import ImportStatus
from scoring.transfer.services.imports import import_match, move_match
from tests.factories import CASES, NOW, PHONE, PlayerFactory
from tests.importing.bringing import bring_in, look, row_counts, statuses
from tests.importing.files import HEADINGS, as_csv, as_json, as_xlsx, csv_of, evening, table

pytestmark = pytest.mark.django_db
FOUR = ["Amal", "Badr", "Carmen", "Dima"]


def data_of(name):
    return (CASES / "files" / name).read_bytes()


def ours(**changes):
    return evening(players=FOUR) | changes


def with_other_deals(**changes):
    """The same evening, a trick counted for another player in its first deal."""
    match = ours(**changes)
    match["deals"][0]["input"]["tricks"] = [5, 0, 3, 5]
    for deal in match["deals"]:
        deal |= {"scores": None, "totals": None}
    return match | {"totals": None}


# -- a number used again


def test_number_used_again_by_other_people_on_another_day_is_refused_naming_both(club):
    bring_in(club, data_of("id_march.csv"))
    before = row_counts()
    found = look(club, data_of("id_april.csv"))
    assert [str(each.status) for each in found.matches] == ["refused", "refused"]
    assert [[fault.code for fault in each.faults] for each in found.matches] == [["id_taken"]] * 2
    assert found.matches[0].faults[0].problem.numbers == {
        "number": "1",
        "here_day": "2026-03-12",
        "here_names": FOUR,
        "day": "2026-04-09",
        "names": ["Elias", "Farah", "Ghada", "Hadi"],
    }
    words = fault_sentence(found.matches[0].faults[0])
    for word in ("2026-03-12", "Amal", "2026-04-09", "Elias"):
        assert word in words
    assert row_counts() == before


def test_same_file_again_is_here(club):
    bring_in(club, data_of("id_march.csv"))
    assert statuses(club, data_of("id_march.csv")) == ["here", "here"]


def test_same_people_and_deals_on_another_day_can_be_moved(club):
    bring_in(club, as_json(ours()))
    (planned,) = look(club, as_json(ours(played_at="2026-11-10 21:00"))).matches
    assert (planned.status, planned.faults) == (ImportStatus.MOVED, ())
    move_match(planned=planned, actor=PHONE, now=NOW)
    match = Match.objects.get()
    assert day_of(club, match.played_at) == date(2026, 11, 10)
    assert statuses(club, as_json(ours(played_at="2026-11-10 21:00"))) == ["here"]
    assert statuses(club, as_json(ours())) == ["moved"]
    assert not list(findings())


def test_same_people_and_day_with_other_deals_differ(club):
    bring_in(club, as_json(ours()))
    assert statuses(club, as_json(with_other_deals())) == ["differs"]


@pytest.mark.parametrize(
    "match",
    [
        with_other_deals(played_at="2026-11-10"),
        ours(players=["Amal", "Badr", "Dima", "Carmen"]),
        ours(players=["Zeina", "Yara", "Ward", "Carmen"]),
    ],
    ids=["other day and deals", "other seats", "other people"],
)
def test_anything_else_under_the_number_is_refused(club, match):
    bring_in(club, as_json(ours()))
    (planned,) = look(club, as_json(match)).matches
    assert [fault.code for fault in planned.faults] == ["id_taken"]


@pytest.mark.parametrize("form", [as_json, as_csv, as_xlsx])
def test_time_of_the_same_day_makes_no_other_match(club, form):
    bring_in(club, form(ours()))
    assert statuses(club, form(ours(played_at="2026-11-12T23:15:00+02:00"))) == ["here"]


def test_person_renamed_since_is_no_other_person(club):
    bring_in(club, as_json(ours()))
    people.rename(player=club.players.get(name="Badr"), name="Badr K.", actor=PHONE, now=NOW)
    assert statuses(club, as_json(ours())) == ["here"]
    PlayerFactory(club=club, name="Badr")
    assert statuses(club, as_json(ours())) == ["refused"]


def test_person_merged_since_is_still_the_same(club):
    match = ours(players=["Amal", "Badr", "Carmen", "Deema"])
    bring_in(club, as_json(match))
    merge(
        player=club.players.get(name="Deema"),
        into=club.players.get(name="Dima"),
        actor=PHONE,
        now=NOW,
    )
    assert statuses(club, as_json(match)) == ["here"]
    assert statuses(club, as_json(ours())) == ["here"]


def test_number_that_was_taken_in_between_is_refused(club):
    (planned,) = look(club, as_json(ours())).matches
    bring_in(club, as_json(with_other_deals(played_at="2026-10-01")))
    before = row_counts()
    with pytest.raises(ServiceError, match="id_taken"):
        import_match(planned=planned, club=club, actor=PHONE, now=NOW)
    assert row_counts() == before


# -- days


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("dateonly.xlsx", date(2026, 3, 16)),
        ("dup.csv", date(2026, 5, 1)),
        ("dup.xlsx", date(2026, 5, 1)),
        ("midnight.csv", date(2026, 5, 1)),
    ],
)
def test_match_counts_on_the_day_of_its_file(club, name, day):
    bring_in(club, data_of(name))
    assert day_of(club, Match.objects.get().played_at) == day


def test_same_day_in_a_table_and_a_workbook_is_one_match(club):
    bring_in(club, data_of("dup.csv"))
    assert statuses(club, data_of("dup.xlsx")) == ["here"]


def test_day_that_was_kept_as_its_midnight_is_offered_to_be_moved(club):
    bring_in(club, as_json(ours(external_id="", played_at="2026-11-12 00:00")))
    (planned,) = look(club, as_json(ours(external_id="", played_at="2026-11-12"))).matches
    assert planned.status == ImportStatus.MOVED
    move_match(planned=planned, actor=PHONE, now=NOW)
    assert day_of(club, Match.objects.get().played_at) == date(2026, 11, 12)


def test_moments_are_those_of_the_clock_of_the_club(club):
    (planned,) = look(club, as_json(ours(played_at="2026-11-12T18:15:00Z"))).matches
    assert planned.played_at.replace(tzinfo=None) == datetime(2026, 11, 12, 20, 15)


# -- names that say of nobody who it was


def test_guest_is_a_guest_of_that_match_only(club):
    file = as_json(
        ours(external_id="a", players=["Amal", "Guest", "Carmen", "N.N."]),
        ours(external_id="b", players=["?", "guest", "Carmen", "Dima"]),
    )
    found = look(club, file)
    assert found.new_people == ()
    assert [note.names for note in found.notes if note.code == "nobodies"] == [
        ("Guest", "N.N.", "?", "guest")
    ]
    bring_in(club, file)
    guests = club.players.filter(is_guest=True).order_by("created_at")
    assert [guest.name for guest in guests] == ["Guest 1", "Guest 2", "Guest 3", "Guest 4"]
    assert statuses(club, file) == ["here", "here"]


def test_guest_with_a_number_is_somebody(club):
    somebody = PlayerFactory(club=club, name="Guest 7", is_guest=True)
    (kept,) = bring_in(club, as_json(ours(players=["Amal", "Guest 7", "Carmen", "Dima"])))
    assert kept.match.seatings.get(seat=1).player == somebody


def test_two_guests_of_one_match_are_two(club):
    rows = table(ours(players=["Amal", "Guest", "Badr", "Guest"]))
    (kept,) = bring_in(club, csv_of([HEADINGS, *rows[1:]]))
    assert kept.match.seatings.values("player").distinct().count() == 4
