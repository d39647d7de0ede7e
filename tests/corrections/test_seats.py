"""Somebody else sits down, seats were wrong, and it is undone."""

import uuid

import pytest

from scoring.common.errors import ServiceError
from scoring.corrections.queries.seating import seat_changes
from scoring.corrections.services import seats
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.ledger.queries.results import points_of_people
from scoring.ledger.queries.snapshots import seating_rows, snapshot_of
from scoring.models import MatchEvent, MatchResult, Player, Seating, Words
from tests.factories import (
    ClubFactory,
    PlayerFactory,
    diamonds,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
    void,
    write,
)

pytestmark = pytest.mark.django_db

FOUR = ["Amal", "Badr", "Carmen", "Dima"]


def reseat(match, players, from_deal, **changes):
    return write(seats.reseat, match, players=players, from_deal=from_deal, **changes)


def undo(match, **changes):
    last = match.events.filter(kind="seats_changed").order_by("-seq").first()
    return write(seats.undo, match, **{"event_id": last.id, **changes})


def refused(call, *args, **kwargs):
    """The codes of a refusal, which must have written nothing, not even a guest."""
    before = [model.objects.count() for model in (MatchEvent, Seating, Player, Words)]
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert before == [model.objects.count() for model in (MatchEvent, Seating, Player, Words)]
    return [problem.code for problem in caught.value.problems]


def names(match, deal):
    return match_view(match).names_at(deal)


def points(match):
    rows = seating_rows(match)
    people = {row.player_id: row.player.name for row in rows}
    found = points_of_people(snapshot_of(match).sheet, rows)
    return {people[one]: sum_ for one, sum_ in found.items()}


def four_at_an_evening(deals=None):
    evening = evenings()["evening-levant"]
    return make_match(
        entries=evening["deals"][:deals], options=evening["options"], players=FOUR, first_chooser=1
    )


def is_sound(match):
    assert not list(findings())
    assert rebuild(match_id=match.id) == []


# A new guest sits down at once, and points follow the person. C25, C75
def test_guest_sits_from_the_next_deal_on():
    match = make_match(entries=[king(taken_by=2)])
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 2)
    assert (names(match, 1), names(match, 2)) == (FOUR, ["Amal", "Badr", "Elie", "Dima"])
    assert points(match) == {"Amal": 0, "Badr": 0, "Carmen": -75, "Elie": 0, "Dima": 0}
    assert Player.objects.get(name="Elie").is_guest
    is_sound(match)


# Wrong seats are noticed after several deals. C61
def test_points_move_where_deals_were_played():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    people = match_view(match).seats
    ids = [people[0].player_id, people[1].player_id, people[3].player_id, people[2].player_id]
    assert refused(reseat, match, ids, 2) == ["missing"]
    reseat(match, ids, 2, reason="sat the other way")
    assert points(match) == {"Amal": 0, "Badr": 0, "Carmen": -75, "Dima": -130}
    assert Words.objects.get().text == "sat the other way"
    is_sound(match)


def test_only_those_who_move_have_rows():
    match = make_match(entries=[king()])
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 2)
    assert Seating.objects.filter(from_deal=2).count() == 1


def test_person_of_the_club_by_id_or_name():
    cast = make_cast()
    hani, zeina = (PlayerFactory(club=cast.club, name=name) for name in ("Hani", "Zeina"))
    match = make_match(club=cast.club, players=cast.players)
    reseat(match, [hani.id, "Zeina", *(player.id for player in cast.players[2:])], 1)
    rows = match_view(match).seats
    assert [rows[0].player_id, rows[1].player_id] == [hani.id, zeina.id]


def test_who_sat_before_comes_back_as_the_same_person():
    match = make_match(entries=[king(taken_by=2)])
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 2)
    reseat(match, ["Amal", "Badr", "carmen", "Dima"], 2, reason="")
    assert points(match)["Carmen"] == -75
    assert Player.objects.filter(name__iexact="carmen").count() == 1


def test_archived_person_sits_on_while_another_changes():
    cast = make_cast()
    match = make_match(club=cast.club, players=cast.players)
    Player.objects.filter(id=cast.players[0].id).update(archived_at="2026-11-01T00:00:00Z")
    ids = [player.id for player in cast.players]
    reseat(match, [*ids[:3], "Elie"], 1)
    assert names(match, 1) == ["Amal", "Badr", "Carmen", "Elie"]


# Four people make a table, each once. C09
@pytest.mark.parametrize(
    ("players", "codes"),
    [
        (["Amal", "Badr", "Carmen", "amal"], ["same_person"]),
        (["Amal", "Badr", "Elie", "Elie"], ["same_person"]),
        (["Amal", "Badr", "", "Dima"], ["missing"]),
        (["Amal", "Badr", "x" * 41, "Dima"], ["too_long"]),
        (FOUR, ["nothing_changed"]),
        (["Amal", "Badr", uuid.UUID(int=7), "Dima"], ["unknown_player"]),
    ],
)
def test_who_cannot_sit_there(players, codes):
    assert refused(reseat, make_match(entries=[king()]), players, 2) == codes


# Nobody of another club or another table is seated by an id. C94
def test_people_from_elsewhere_are_unknown():
    cast = make_cast()
    stranger = cast.other_club.players.get()
    ids = [player.id for player in cast.players]
    match = make_match(club=cast.club, players=cast.players)
    assert refused(reseat, match, [*ids[:3], stranger.id], 1) == ["unknown_player"]
    guest = match_view(make_match(players=("A", "B", "C", "D"))).seats[0].player_id
    assert refused(reseat, make_match(), [*FOUR[:3], guest], 1) == ["unknown_player"]


@pytest.mark.parametrize("deal", [0, -1, 4, 33])
def test_deal_that_cannot_be_reached(deal):
    match = make_match(entries=[king(), diamonds()])
    assert refused(reseat, match, [*FOUR[:3], "Elie"], deal) == ["wrong_number"]


def test_after_the_last_deal_nobody_sits_down():
    match = make_evening("evening-levant")
    four = [seat.player_id for seat in match_view(match).seats]
    assert refused(reseat, match, [*four[:3], "Elie"], 21) == ["wrong_number"]
    reseat(match, [*four[:3], "Elie"], 20, reason="the last deal")
    finish(match)
    assert MatchResult.objects.filter(player__name="Elie").get().deals == 1
    is_sound(match)


def test_person_cannot_sit_twice_at_a_later_change():
    match = make_match(entries=[king(), diamonds()])
    reseat(match, ["Amal", "Badr", "Carmen", "Elie"], 3)
    assert refused(reseat, match, ["Amal", "Elie", "Carmen", "Dima"], 2, reason="r") == [
        "same_person"
    ]


def test_seat_that_changes_again_later_is_not_changed_before():
    match = make_match(entries=[king(), diamonds()])
    reseat(match, ["Amal", "Badr", "Carmen", "Elie"], 3)
    assert refused(reseat, match, [*FOUR[:3], "Fares"], 2, reason="r") == ["seats_changed_later"]
    reseat(match, ["Fares", *FOUR[1:]], 2, reason="another seat")
    assert names(match, 3) == ["Fares", "Badr", "Carmen", "Elie"]


def test_closed_match_and_an_old_version_are_refused():
    match = make_match(entries=[king()])
    assert refused(reseat, match, [*FOUR[:3], "Elie"], 2, version=1) == ["stale"]
    done = make_evening("evening-levant")
    finish(done)
    assert refused(reseat, done, [*FOUR[:3], "Elie"], 20) == ["match_closed"]


def test_same_key_writes_once():
    match, key = make_match(entries=[king()]), uuid.uuid4()
    for _ in range(2):
        reseat(match, [*FOUR[:3], "Elie"], 2, entry_key=key)
    assert match.events.filter(kind="seats_changed").count() == 1
    assert Player.objects.filter(name="Elie").count() == 1


# A way back, listed first. C25
def test_change_is_undone_and_done_again():
    match = make_match(entries=[king(taken_by=2), diamonds(0, 0, 13, 0)])
    before = points(match)
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 1, reason="it was Elie")
    changed = points(match)
    assert refused(undo, match) == ["missing"]
    undo(match, reason="it was not")
    assert points(match) == before
    undo(match, reason="it was")
    assert points(match) == changed
    is_sound(match)


def test_change_that_was_changed_since_is_not_undone():
    match = make_match(entries=[king()])
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 2)
    first = match.events.get(kind="seats_changed")
    reseat(match, ["Amal", "Badr", "Fares", "Dima"], 2)
    assert refused(undo, match, event_id=first.id) == ["changed_since"]
    assert [change.holds for change in seat_changes(match, seating_rows(match))] == [False, True]
    opened = match.events.get(kind="match_opened")
    assert refused(undo, match, event_id=opened.id) == ["changed_since"]


def test_change_is_undone_though_its_deal_was_taken_back():
    match = make_match(entries=[king(), diamonds()])
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 3)
    void(match, match.deals.get(deal_number=2))
    undo(match)
    assert names(match, 3) == FOUR


# One result a person and seat, whoever came and went. C75, C86
def test_who_comes_back_to_a_seat_has_one_result():
    match = four_at_an_evening()
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 6, reason="r")
    reseat(match, FOUR, 11, reason="r")
    finish(match)
    carmen = MatchResult.objects.get(player__name="Carmen")
    totals = [deal["totals"][2] for deal in evenings()["evening-levant"]["deals"]]
    assert (carmen.deals, carmen.points) == (15, totals[19] - totals[9] + totals[4])
    assert MatchResult.objects.count() == 5
    is_sound(match)


def test_who_never_sat_in_a_deal_has_no_result():
    match = four_at_an_evening(19)
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 20)
    undo(match)
    record(match, evenings()["evening-levant"]["deals"][19])
    finish(match)
    assert not MatchResult.objects.filter(player__name="Elie").exists()
    is_sound(match)


def test_changes_say_who_sat_down_for_whom():
    club = ClubFactory()
    match = make_match(club=club, entries=[king()])
    reseat(match, ["Amal", "Badr", "Elie", "Dima"], 2)
    (change,) = seat_changes(match, seating_rows(match))
    assert (change.moves, change.reason, change.holds) == (((2, "Carmen", "Elie", 2),), "", True)
