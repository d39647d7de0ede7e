import uuid
from datetime import timedelta
from functools import partial

import pytest

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.corrections.services import adjustments
from scoring.integrity.queries.integrity import findings
from scoring.integrity.services.rebuild import rebuild
from scoring.ledger.queries.match_view import match_view
from scoring.matches.services import matches
from scoring.models import Match, MatchEvent, MatchResult, Player, Seating
from scoring.rules import ruleset
from tests.factories import (
    NAMES,
    NOW,
    PHONE,
    ClubFactory,
    PlayerFactory,
    evenings,
    finish,
    king,
    make_cast,
    make_evening,
    make_match,
    record,
    write,
)

pytestmark = pytest.mark.django_db


ADJUSTING = {"code": "penalty", "points": (1, 0, 0, 0), "after_deal": 0, "reason": "late"}


def refusal(call, *args, **kwargs):
    before = [model.objects.count() for model in (Match, MatchEvent, Player, Seating)]
    with pytest.raises(ServiceError) as caught:
        call(*args, **kwargs)
    assert before == [model.objects.count() for model in (Match, MatchEvent, Player, Seating)]
    return caught.value


def sitting_names(match):
    return [seat.name for seat in match_view(match).seats]


def set_first(match, **changes):
    return write(matches.set_first_chooser, match, **changes)


def reopen(match, **changes):
    return write(matches.reopen, match, **changes)


def rematch(match, **changes):
    defaults = {"match_id": match.id, "entry_key": uuid.uuid4(), "turn_seats": False}
    return matches.rematch(**{**defaults, "actor": PHONE, "now": NOW, **changes})


def test_four_names_make_a_match_of_guests():
    match = make_match(players=("  Amal  Haddad ", "Badr", "كارمن", "Dima\u202e"))
    assert sitting_names(match) == ["Amal Haddad", "Badr", "كارمن", "Dima"]
    assert set(Player.objects.values_list("club", "is_guest")) == {(None, True)}
    assert (match.version, match.holder_device) == (1, PHONE.device)


def test_no_name_stands_in_the_ledger():
    make_match(players=("Amal", "Badr", "Carmen", "Dima"), table_name="Amal's table")
    written = str(list(MatchEvent.objects.values()))
    assert not any(name in written for name in ("Amal", "Badr", "Carmen", "Dima"))


def test_name_of_one_player_of_the_club_means_that_player():
    cast = make_cast()
    match = make_match(club=cast.club, players=("Amal", "Badr", "Zeina", cast.players[3].id))
    seated = set(Seating.objects.filter(match=match).values_list("player_id", flat=True))
    assert seated >= {cast.players[0].id, cast.players[1].id, cast.players[3].id}
    assert Player.objects.get(name="Zeina").is_guest


def test_name_that_two_people_have_makes_a_guest_and_picks_nobody():
    club = ClubFactory()
    PlayerFactory.create_batch(2, club=club, name="Ali")
    make_match(club=club, players=("Ali", "Badr", "Carmen", "Dima"))
    called = Player.objects.filter(name__startswith="Ali").values_list("name", flat=True)
    assert sorted(called) == ["Ali (1)", "Ali (2)", "Ali (3)"]


@pytest.mark.parametrize(
    ("players", "code", "field"),
    [
        (("Amal", "Badr", "Carmen", ""), "missing", "players.3"),
        (("Amal", "\u202e \n", "Carmen", "Dima"), "missing", "players.1"),
        (("Amal", "x" * 41, "Carmen", "Dima"), "too_long", "players.1"),
        (("Amal", "x" * 10_000, "Carmen", "Dima"), "too_long", "players.1"),
        (("Amal", "Badr", "Carmen", uuid.uuid4()), "unknown_player", "players.3"),
    ],
)
def test_people_that_cannot_sit_are_refused(players, code, field):
    refused = refusal(make_match, players=players)
    assert (refused.code, refused.field) == (code, field)


def test_two_new_people_of_one_name_sit_apart_without_a_club_and_are_refused_in_one():
    match = make_match(players=("Ahmad", "Badr", "Ahmad", "Dima"))
    assert sitting_names(match) == ["Ahmad (1)", "Badr", "Ahmad (3)", "Dima"]
    club, people = ClubFactory(), ("Amal", "Badr", "amal ", "Dima")
    refused = refusal(make_match, club=club, players=people)
    assert (refused.code, refused.field) == ("same_person", "players.2")


# Four distinct people at a table. C09
def test_one_player_in_two_seats_is_refused():
    cast = make_cast()
    one, two, three, _ = cast.players
    players = (one, two, three, one.id)
    assert refusal(make_match, club=cast.club, players=players).code == "same_person"


def test_two_people_of_one_name_may_sit_together():
    club = ClubFactory()
    players = PlayerFactory.create_batch(2, club=club, name="Ali")
    match = make_match(club=club, players=(*players, "Carmen", "Dima"))
    assert sitting_names(match) == ["Ali (1)", "Ali (2)", "Carmen", "Dima"]


def test_player_of_another_club_is_unknown():
    cast = make_cast()
    stranger = Player.objects.get(name="Ghassan")
    for player in (stranger, stranger.id):
        players = (*cast.players[:3], player)
        assert refusal(make_match, club=cast.club, players=players).code == "unknown_player"


def test_table_name_has_a_limit():
    assert refusal(make_match, table_name="x" * 41).field == "table_name"


def test_first_chooser_is_a_seat():
    assert refusal(make_match, first_chooser=4).code == "bad_seat"


def test_same_key_opens_one_match():
    key = uuid.uuid4()
    new = matches.NewMatch(ruleset("levant"), NAMES)
    first, again = (matches.open_match(new, actor=PHONE, now=NOW, entry_key=key) for _ in range(2))
    assert first == again
    assert (Match.objects.count(), Player.objects.count()) == (1, 4)


def test_match_pins_the_rules_it_was_opened_with():
    match = make_match(options={"doubling.owner_bonus": False})
    assert match.options == {"doubling.owner_bonus": False}
    assert match_view(match).ruleset.doubling.owner_bonus is False


def test_first_chooser_is_told_before_the_first_deal():
    match = make_match(first_chooser=None)
    assert match_view(match).turn.needs_first_chooser
    assert refusal(set_first, match).code == "missing"
    assert refusal(set_first, match, chooser=9).code == "bad_seat"
    key = uuid.uuid4()
    set_first(match, chooser=2, entry_key=key)
    assert set_first(match, chooser=3, entry_key=key, version=1).first_chooser == 2
    assert refusal(set_first, match, chooser=1, version=1).code == "stale"
    record(match, king(chooser=2))
    assert refusal(set_first, match, chooser=1).code == "already_begun"


def test_finish_writes_results_and_is_done_once():
    match = make_evening("evening-levant")
    done = finish(match, now=NOW + timedelta(hours=3))
    assert (done.state, done.closed_at) == ("finished", NOW + timedelta(hours=3))
    rows = MatchResult.objects.order_by("seat")
    assert [row.total for row in rows] == evenings()["evening-levant"]["totals"]
    assert [row.place for row in rows] == [1, 3, 2, 4]
    assert {(row.deals, row.points == row.total) for row in rows} == {(20, True)}
    assert finish(match, version=3).version == done.version
    assert MatchResult.objects.count() == 4


def test_finish_before_the_last_deal_is_refused():
    match = make_evening("evening-levant", deals=19)
    refused = refusal(finish, match)
    assert (refused.code, refused.numbers) == ("not_over", {"deals": 19, "expected": 20})


def test_lowest_total_wins_in_barbu():
    match = make_evening("evening-barbu")
    finish(match)
    assert MatchResult.objects.get(place=1).total == 620
    assert set(MatchResult.objects.values_list("win", flat=True)) == {"low"}


def test_teams_get_the_total_and_place_of_the_team():
    deals = evenings()["evening-levant"]
    match = make_match(
        entries=deals["deals"], options={"teams": "opposite"}, first_chooser=deals["first_chooser"]
    )
    finish(match)
    rows = MatchResult.objects.order_by("seat")
    assert [row.total for row in rows] == [365, -365, 365, -365]
    assert [row.place for row in rows] == [1, 2, 1, 2]
    assert [row.points for row in rows] == deals["totals"]


def test_reopened_match_goes_on_without_results():
    match = make_evening("evening-levant")
    finish(match)
    reopened = reopen(match)
    assert (reopened.state, reopened.closed_at) == ("running", None)
    assert not MatchResult.objects.exists()
    finish(match)
    assert MatchResult.objects.count() == 4
    assert reopen(make_match()).is_running


# ── broken off, voided, taken up again ──────────────────────────────────


# Nothing is deleted: an unfinished match is set apart and counts nowhere. C42
def test_match_broken_off_is_closed_counts_nowhere_and_goes_on_another_day():
    match = make_evening("evening-levant", deals=7)
    later = NOW + timedelta(hours=3)
    off = write(matches.break_off, match, now=later, reason="Carmen had to leave")
    assert (off.state, off.closed_at, off.current_deals.count()) == ("unfinished", later, 7)
    assert not MatchResult.objects.exists()
    assert (list(findings()), rebuild(match_id=match.id)) == ([], [])
    on = reopen(match, now=NOW + timedelta(days=2))
    assert (on.state, on.closed_at) == ("running", None)
    dates = [event.entered_at.date() for event in match.events.order_by("seq")]
    assert dates[-1] == (NOW + timedelta(days=2)).date()
    for deal in evenings()["evening-levant"]["deals"][7:]:
        record(match, deal)
    finish(match)
    assert MatchResult.objects.count() == 4
    assert not list(findings())


def test_voided_match_has_no_results_and_there_is_a_way_back():
    match = finish(make_evening("evening-levant"))
    assert refusal(write, matches.void_match, match, reason=" ").code == "missing"
    gone = write(matches.void_match, match, reason="The deck lacked a card")
    assert (gone.state, MatchResult.objects.exists()) == ("voided", False)
    assert (list(findings()), rebuild(match_id=match.id)) == ([], [])
    reopen(match)
    assert finish(match).is_finished
    assert MatchResult.objects.count() == 4


@pytest.mark.parametrize(
    ("service", "told", "state"),
    [
        (matches.break_off, {}, "unfinished"),
        (matches.void_match, {"reason": "A wrong deck"}, "voided"),
    ],
)
# Closing is idempotent, and what comes late is refused and logged. C71
def test_closed_in_whatever_way_is_closed_once_and_late_writes_are_logged(
    service, told, state, caplog
):
    match, key = make_match(entries=[king()]), uuid.uuid4()
    first = write(service, match, entry_key=key, **told)
    assert write(service, match, version=1, **told).version == first.version
    reopened = reopen(match)
    assert write(service, match, entry_key=key, version=2, **told).state == "running"
    write(service, match, **told)
    late = {"match": match, "entry": king(chooser=1), "version": reopened.version}
    assert refusal(record, **late).code == "match_closed"
    assert "late write" in caplog.text
    for closing in (finish, partial(write, matches.break_off)):
        if state == "voided":
            assert refusal(closing, match).code == "match_closed"
    assert refusal(write, adjustments.adjust, match, **ADJUSTING).code == "match_closed"
    match.refresh_from_db()
    assert match.state == state


def test_finished_match_is_not_broken_off():
    match = finish(make_evening("evening-levant"))
    assert refusal(write, matches.break_off, match).code == "match_closed"
    assert write(matches.void_match, match, reason="A wrong deck").state == "voided"


def test_stale_phone_closes_nothing():
    match = make_match(entries=[king()])
    for service in (matches.break_off, partial(matches.void_match, reason="why")):
        assert refusal(write, service, match, version=1).code == "stale"


def test_the_phone_that_reopens_a_match_keeps_score():
    match = make_match()
    write(matches.break_off, match)
    other = Actor(device=uuid.uuid4())
    assert reopen(match, actor=other).lease_device == other.device
    match.refresh_from_db()
    assert match.lease_device == other.device


def test_rematch_seats_the_same_four():
    match = make_evening("evening-kleshchi")
    again = rematch(match)
    assert (again.rematch_of, again.system, again.version) == (match, "kleshchi", 1)
    assert sitting_names(again) == sitting_names(match)
    assert Player.objects.count() == 4


def test_rematch_moves_everyone_one_seat_on():
    match = make_match()
    assert sitting_names(rematch(match, turn_seats=True)) == ["Dima", "Amal", "Badr", "Carmen"]


def test_rematch_asked_for_twice_is_one_match():
    match = make_match()
    again = rematch(match)
    assert rematch(match, actor=Actor(device=uuid.uuid4())) == again
    record(again, king(chooser=0), dealer=3)
    assert rematch(match) != again
    key = uuid.uuid4()
    assert rematch(again, entry_key=key) == rematch(again, entry_key=key)
