"""An evening of several tables from plan to end: what is written, and what is refused."""

import uuid
from datetime import timedelta

import pytest

from scoring.common.errors import ServiceError
from scoring.game_nights.queries.game_nights import at_tables, course_of, field_of
from scoring.game_nights.queries.live import evening_now
from scoring.game_nights.services import game_nights, plans
from scoring.game_nights.services.plans import GameNightPlan, Rules
from scoring.matches.services import matches
from scoring.models import (
    DrawMethod,
    DrawnSeat,
    Evening,
    EveningRound,
    Match,
    MatchResult,
    Player,
    Seating,
)
from scoring.rules import preset, ruleset
from tests.factories import NOW, PlayerFactory, even_entries, king, make_cast, newest, record, write
from tests.support.evening import (
    HOST,
    begun,
    byes_of,
    draw,
    finished,
    open_drawn,
    paired,
    people,
    planned,
    played,
    somebody,
)

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=2)


@pytest.fixture
def club():
    return make_cast().club


@pytest.fixture
def thirteen(club):
    return people(club, 13)


def refused(act, *args, **kwargs):
    with pytest.raises(ServiceError) as found:
        act(*args, **kwargs)
    return found.value.code


def names(players):
    return sorted(player.name for player in players)


def sitting(match):
    rows = Seating.objects.filter(match=match).order_by("event__seq", "seat")
    return [player.name for player in {row.seat: row.player for row in rows}.values()]


# ── the plan ────────────────────────────────────────────────────────────


def test_evening_without_a_name_is_called_after_its_day(club):
    club.language, club.time_zone = "en", "Asia/Beirut"
    club.save()
    assert planned(club, name="").name == "Evening of 12 November 2026"


def test_automatic_name_is_known_in_whatever_language_the_club_had(club):
    evening = planned(club, name="")
    assert plans.is_named_by_day(evening)
    club.language = "ar"
    club.save()
    assert plans.is_named_by_day(Evening.objects.get())
    assert not plans.is_named_by_day(planned(club, name="Friday"))


def test_same_id_plans_one_evening(club):
    plan = GameNightPlan("Friday", NOW, Rules(preset("levant"), "levant"))
    given = {"club": club, "evening_id": uuid.uuid4(), "wanted": plan, "actor": HOST, "now": NOW}
    assert plans.plan(**given) == plans.plan(**given)
    assert Evening.objects.count() == 1


def test_rules_are_fixed_once_a_table_was_opened(club, thirteen):
    evening = planned(club, thirteen[:4])
    kleshchi = GameNightPlan(
        "Sunday", LATER, Rules(preset("kleshchi"), "kleshchi"), tables_are_open=False
    )
    plans.change(evening_id=evening.id, wanted=kleshchi)
    draw(evening)
    (match,) = open_drawn(evening)
    assert (match.system, match.preset) == ("kleshchi", "kleshchi")
    barbu = GameNightPlan("Sunday", LATER, Rules(preset("barbu"), "barbu"))
    assert refused(plans.change, evening_id=evening.id, wanted=barbu) == "has_begun"
    again = GameNightPlan("Monday", NOW, kleshchi.rules)
    assert plans.change(evening_id=evening.id, wanted=again).name == "Monday"
    assert refused(plans.drop, evening_id=evening.id) == "has_begun"


def test_contracts_that_were_pinned_in_another_order_are_the_same_rules(club, thirteen):
    evening = planned(club, thirteen[:4])
    rules = ruleset("levant", {"kabbout.contracts": ["queens", "tricks"]})
    plan = GameNightPlan("Friday", NOW, Rules(rules, "levant"))
    plans.change(evening_id=evening.id, wanted=plan)
    draw(evening)
    open_drawn(evening)
    Evening.objects.update(options={"kabbout.contracts": ["tricks", "queens"]})
    assert plans.change(evening_id=evening.id, wanted=plan).name == "Friday"


def test_nobody_plays_in_pairs_where_there_are_no_teams(club):
    assert refused(planned, club, in_pairs=True) == "no_teams"


def test_evening_that_did_not_begin_can_be_dropped(club, thirteen):
    evening = planned(club, thirteen)
    draw(evening)
    plans.drop(evening_id=evening.id)
    assert (Evening.objects.count(), EveningRound.objects.count()) == (0, 0)
    assert refused(game_nights.attend, evening_id=evening.id, coming=[thirteen[0]]) == "gone"


# ── drawing and opening ─────────────────────────────────────────────────


def test_thirteen_people_are_three_tables_and_a_bye(club, thirteen):
    evening = planned(club, thirteen)
    drawn = draw(evening, seed=5)
    assert [len(four) for four in drawn.tables.values()] == [4, 4, 4]
    assert len(drawn.byes) == 1
    opened = open_drawn(evening)
    assert [(m.evening, m.round_number, m.table_name) for m in opened] == [
        (evening, 1, f"Table {number}") for number in (1, 2, 3)
    ]
    assert [sitting(match) for match in opened] == [
        [player.name for player in four] for four in drawn.tables.values()
    ]
    assert {match.lease_device for match in opened} == {None}  # the tables keep their own score


def test_opening_twice_opens_once_and_the_name_is_in_the_language_of_the_club(club, thirteen):
    club.language = "ar"
    club.save()
    evening = planned(club, thirteen[:4])
    mark = draw(evening).mark
    for _ in range(2):
        game_nights.open_tables(evening_id=evening.id, number=1, seen=mark, actor=HOST, now=NOW)
    assert Match.objects.count() == 1


def test_same_number_draws_the_same_seats(club, thirteen):
    evening = planned(club, thirteen)
    first, other, again = (draw(evening, seed=seed) for seed in (5, 6, 5))
    assert first.tables == again.tables != other.tables
    assert EveningRound.objects.count() == 1


def test_tables_are_opened_only_after_a_draw(club, thirteen):
    evening = planned(club, thirteen[:4])
    nothing = {"evening_id": evening.id, "seen": "", "actor": HOST, "now": NOW}
    assert refused(game_nights.open_tables, number=1, **nothing) == "nothing_drawn"


def test_four_people_always_make_a_table_of_pairs(club, thirteen):
    evening = planned(club, thirteen[:4], rules="levant-partners", in_pairs=True)
    paired(evening, *thirteen[:2])
    assert len(draw(evening).tables) == 1


def test_draw_that_somebody_changed_meanwhile_is_stale(club, thirteen):
    evening = planned(club, thirteen)
    old = draw(evening, seed=5).mark
    draw(evening, seed=6)
    assert refused(draw, evening, seen=old) == "stale"
    assert refused(open_drawn, evening, seen=old) == "stale"


def test_nothing_is_drawn_while_tables_play_or_with_too_few(club, thirteen):
    evening = planned(club, thirteen[:3])
    assert refused(draw, evening) == "too_few"
    game_nights.attend(evening_id=evening.id, coming=[thirteen[3]])
    draw(evening)
    (match,) = open_drawn(evening)
    assert refused(draw, evening) == "tables_play"
    assert refused(game_nights.end, evening_id=evening.id, now=NOW) == "tables_play"
    finished(match)
    assert draw(evening).number == 2


def test_everybody_rests_in_turn_and_meets_others(club):
    evening = planned(club, people(club, 5))
    for seed in range(1, 6):
        played(evening, method="meet", seed=seed)
    assert sorted(byes_of(evening)) == ["P01", "P02", "P03", "P04", "P05"]
    met = field_of(course_of(evening)).met
    assert set(met.values()) == {3}  # five rounds, each pair apart in two of them


def test_rounds_present_are_those_drawn_or_sat_in(club):
    """Also a bye is one, and a substitute's; what is only drawn is none."""
    six = people(club, 6)
    evening = planned(club, six[:5])
    played(evening, seed=1)
    draw(evening, seed=2)
    (match,) = open_drawn(evening)
    leaving = Seating.objects.filter(match=match, seat=0).get().player
    begun(match, king())
    given = {"evening_id": evening.id, "leaving": leaving, "coming": six[5]}
    game_nights.substitute(**given, actor=HOST, now=LATER)
    write(matches.break_off, match)
    present = field_of(course_of(evening)).present
    assert present == {**{player.id: 2 for player in six[:5]}, six[5].id: 1}
    draw(evening, seed=3)
    assert field_of(course_of(evening)).present == present


def test_draw_by_standing_puts_the_best_together(club):
    evening = planned(club, people(club, 5))
    draw(evening)
    (match,) = open_drawn(evening)
    finished(match, [*entries_without_king(), king(taken_by=2)])
    ranks = field_of(course_of(evening)).ranks
    loser = Seating.objects.get(match=match, seat=2).player
    assert sorted(ranks.values()) == [1, 2, 2, 4]
    assert ranks[loser.id] == 4
    assert draw(evening, "standing").number == 2


def entries_without_king():
    """All of a match but the king of the first kingdom."""
    return list(even_entries())[1:]


def test_two_change_places_by_hand_and_it_is_said(club, thirteen):
    evening = planned(club, thirteen)
    drawn = draw(evening)
    one, bye = somebody(drawn), drawn.byes[0]
    given = {"evening_id": evening.id, "now": LATER}
    game_nights.exchange(**given, one=one.id, other=bye.id, seen=drawn.mark)
    after = course_of(evening).waiting
    assert after.byes == (one,)
    assert somebody(after) == bye
    assert after.row.method == DrawMethod.HAND
    assert after.mark != drawn.mark
    for other in (one.id, uuid.uuid4(), None):
        given["seen"] = after.mark
        assert refused(game_nights.exchange, **given, one=one.id, other=other) == "not_here"


# ── people come and go ──────────────────────────────────────────────────


def test_who_leaves_is_drawn_no_more_and_who_comes_back_is(club, thirteen):
    evening = planned(club, thirteen[:5])
    played(evening)
    game_nights.attend(evening_id=evening.id, leaving=[thirteen[0]])
    assert names(row.player for row in course_of(evening).here) == ["P02", "P03", "P04", "P05"]
    assert draw(evening).byes == ()
    game_nights.attend(evening_id=evening.id, coming=[thirteen[0]])
    assert refused(open_drawn, evening) == "people_changed"
    assert len(draw(evening).byes) == 1


def test_who_never_played_is_taken_off_the_list(club, thirteen):
    evening = planned(club, thirteen[:5])
    game_nights.attend(evening_id=evening.id, leaving=[thirteen[0]])
    assert len(course_of(evening).people) == 4
    other = PlayerFactory(name="Ghassan")
    assert refused(game_nights.attend, evening_id=evening.id, coming=[other]) == "unknown_player"


def test_who_turned_out_to_be_somebody_else_is_drawn_no_more(club, thirteen):
    evening = planned(club, thirteen[:5])
    draw(evening)
    Player.objects.filter(id=thirteen[4].id).update(merged_into=thirteen[0])
    course = course_of(evening)
    assert (len(course.here), course.has_changed) == (4, True)
    assert draw(evening).byes == ()


# A substitute is usable at once, at the table as in the draw. C25
def test_substitute_sits_down_in_the_middle_of_a_match(club, thirteen):
    evening = planned(club, thirteen[:4])
    draw(evening)
    (match,) = open_drawn(evening)
    first = Seating.objects.get(match=match, seat=0).player
    begun(match, king(taken_by=0))
    given = {"evening_id": evening.id, "leaving": first, "coming": thirteen[4]}
    at = game_nights.substitute(**given, actor=HOST, now=LATER)
    assert at == match
    assert sitting(match)[0] == "P05"
    assert newest(match) == 4
    course = course_of(evening)
    assert names(row.player for row in course.here) == names(
        [*(p for p in thirteen[:4] if p != first), thirteen[4]]
    )
    assert [row.player for row in course.gone] == [first]
    assert refused(game_nights.substitute, **given, actor=HOST, now=LATER) == "not_here"


def test_whoever_has_a_bye_sits_down_even_for_somebody_who_is_not_ticked_any_more(club, thirteen):
    evening = planned(club, thirteen[:5])
    (bye,) = draw(evening).byes
    (match,) = open_drawn(evening)
    begun(match, king())
    leaving, other = (Seating.objects.get(match=match, seat=seat).player for seat in (0, 1))
    given = {"evening_id": evening.id, "leaving": leaving, "actor": HOST, "now": LATER}
    assert refused(game_nights.substitute, **given, coming=other) == "here_already"
    game_nights.attend(evening_id=evening.id, leaving=[leaving])
    assert game_nights.substitute(**given, coming=bye) == match
    assert sitting(match)[0] == bye.name
    assert names(at_tables(course_of(evening))) == sorted(sitting(match))
    assert len(course_of(evening).here) == 4
    now = evening_now(course_of(evening), with_running=True).current
    assert now is not None
    assert now.byes == ()


# Points follow the person: the evening has a result for each of the two. C75
def test_substitute_and_who_left_each_have_their_points(club, thirteen):
    evening = planned(club, thirteen[:4])
    draw(evening)
    (match,) = open_drawn(evening)
    first = Seating.objects.get(match=match, seat=0).player
    entries = even_entries()
    begun(match, next(entries))
    game_nights.substitute(
        evening_id=evening.id, leaving=first, coming=thirteen[4], actor=HOST, now=LATER
    )
    for entry in entries:
        record(match, entry)
    write(matches.finish, match)
    seated = MatchResult.objects.filter(evening=evening, seat=0)
    assert {(row.player, row.deals) for row in seated} == {(first, 1), (thirteen[4], 19)}


def test_substitute_takes_over_a_drawn_seat(club, thirteen):
    evening = planned(club, thirteen[:5])
    drawn = draw(evening)
    leaving = somebody(drawn)
    game_nights.substitute(
        evening_id=evening.id, leaving=leaving, coming=thirteen[6], actor=HOST, now=LATER
    )
    after = course_of(evening)
    assert somebody(after.waiting) == thirteen[6]
    assert not after.has_changed
    assert leaving not in [row.player for row in after.people]
    here = {"leaving": thirteen[6], "coming": somebody(after.waiting, 1)}
    again = {"evening_id": evening.id, **here, "actor": HOST, "now": LATER}
    assert refused(game_nights.substitute, **again) == "here_already"


# ── pairs ───────────────────────────────────────────────────────────────


def test_pairs_stay_opposite_all_evening_and_a_substitute_takes_over_the_partner(club, thirteen):
    evening = planned(club, thirteen[:8], rules="levant-partners", in_pairs=True)
    paired(evening, *thirteen[:8])
    pairs = course_of(evening).pairs()
    assert [names(row.player for row in two) for two in pairs.values()] == [
        ["P01", "P02"],
        ["P03", "P04"],
        ["P05", "P06"],
        ["P07", "P08"],
    ]
    for seed in (1, 2):
        course = played(evening, method="meet", seed=seed)
        for north, east, south, west in course.round(seed).tables.values():
            for two in ((north, south), (east, west)):
                assert names(two) in [names(row.player for row in two) for two in pairs.values()]
    game_nights.substitute(
        evening_id=evening.id, leaving=thirteen[0], coming=thirteen[8], actor=HOST, now=LATER
    )
    last = draw(evening, "meet", 3)
    for north, east, south, west in last.tables.values():
        for two in ((north, south), (east, west)):
            assert ("P02" in names(two)) == ("P09" in names(two))


def test_an_exchange_by_hand_moves_the_pair_or_is_refused(club, thirteen):
    evening = planned(club, thirteen[:9], rules="levant-partners", in_pairs=True)
    paired(evening, *thirteen[:8])
    drawn = draw(evening)
    north, east, south, west = drawn.tables[1]
    given = {"evening_id": evening.id, "now": LATER, "one": north.id, "seen": drawn.mark}
    alone = drawn.byes[0].id
    assert refused(game_nights.exchange, **given, other=alone) == "parts_a_pair"
    other = drawn.tables[2]
    game_nights.exchange(**given, other=other[1].id)
    after = course_of(evening).waiting.tables
    assert after[1] == [other[1], east, other[3], west]
    assert after[2] == [other[0], north, other[2], south]


def test_partners_are_chosen_parted_and_lost(club, thirteen):
    evening = planned(club, thirteen[:6], rules="levant-partners", in_pairs=True)
    paired(evening, *thirteen[:4])
    game_nights.pair(evening_id=evening.id, one=thirteen[0].id, other=thirteen[2].id)

    def singles():
        return names(row.player for row in course_of(evening).singles)

    assert singles() == ["P02", "P04", "P05", "P06"]
    game_nights.pair(evening_id=evening.id, one=thirteen[4].id, other=thirteen[5].id)
    game_nights.pair(evening_id=evening.id, one=thirteen[0].id)
    assert singles() == ["P01", "P02", "P03", "P04"]
    game_nights.attend(evening_id=evening.id, leaving=[thirteen[5]])
    assert singles() == ["P01", "P02", "P03", "P04", "P05"]
    for wrong in (
        {"one": thirteen[5].id},
        {"one": None},
        {"one": thirteen[0].id, "other": HOST.device},
    ):
        assert refused(game_nights.pair, evening_id=evening.id, **wrong) == "not_here"


# ── the end ─────────────────────────────────────────────────────────────


def test_end_drops_what_was_only_drawn_and_can_be_taken_back(club, thirteen):
    evening = planned(club, thirteen[:4])
    played(evening)
    draw(evening)
    for _ in range(2):
        game_nights.end(evening_id=evening.id, now=LATER)
    evening.refresh_from_db()
    assert evening.ended_at == LATER
    assert course_of(evening).waiting is None
    assert refused(draw, evening) == "evening_over"
    assert (
        refused(game_nights.attend, evening_id=evening.id, coming=[thirteen[5]]) == "evening_over"
    )
    game_nights.resume(evening_id=evening.id)
    assert draw(evening).number == 2
    assert DrawnSeat.objects.filter(round__number=2).count() == 4
