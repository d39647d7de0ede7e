"""Two rows that are one person: put together, taken apart, put together again."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.common.actor import Actor
from scoring.common.errors import ServiceError
from scoring.corrections.services import seats
from scoring.matches.services import matches
from scoring.models import (
    ContractTotal,
    Match,
    MatchResult,
    Meeting,
    PersonEvent,
    PersonEventKind,
    PlayerTotal,
    Rating,
    RatingState,
    RatingStep,
)
from scoring.people.services import people
from scoring.players.services import merging
from scoring.standings.queries.standings import standings_page
from scoring.standings.services import ratings
from tests.factories import NOW, PlayerFactory, finish, make_cast, make_match, write
from tests.support.evening_files import bring

pytestmark = pytest.mark.django_db
DERIVED = (MatchResult, PlayerTotal, ContractTotal, Meeting, Rating, RatingStep)


@pytest.fixture
def cast():
    return make_cast()


def derived(club):
    """Every derived row of the people, without its id, once the ratings are worked out."""
    for _done in ratings.work_out(club=club):
        pass
    return sorted(
        (model.__name__, *(f"{key}={value}" for key, value in sorted(row.items()) if key != "id"))
        for model in DERIVED
        for row in model.objects.filter(club=club).values()
    )


def standings(club):
    """Name, matches and total of everybody, best first."""
    rows = [row.record for row in standings_page(club).rows]
    return [(row.player.name, row.matches, row.total) for row in rows]


def act(service, cast, player, **given):
    return service(player=player, actor=Actor(cast.owner), now=NOW, **given)


def merge(cast, player, into):
    return act(merging.merge, cast, player, into=into)


def unmerge(cast, player):
    player.refresh_from_db()
    return act(merging.unmerge, cast, player)


def refused(code, call, *args):
    with pytest.raises(ServiceError) as caught:
        call(*args)
    assert caught.value.code == code
    return caught.value


def shown(players):
    for player in players:
        player.refresh_from_db()
    return [player.name for player in players]


def tables(first, count):
    return [(first, "Badr", "Carmen", "Dima")] * count


def test_forty_matches_each_merged_unmerged_and_merged_again(cast):
    amal, badr, *_ = cast.players
    double = PlayerFactory(club=cast.club, name="Amal H.")
    bring(cast.club, tables("Amal", 40))
    bring(cast.club, tables("Amal H.", 40), first_day=40)
    apart, before = derived(cast.club), standings(cast.club)
    total = {name: points for name, _, points in before}
    assert {matches for name, matches, _ in before if name.startswith("Amal")} == {40}

    merge(cast, double, amal)
    first = Match.objects.filter(seatings__player=double).order_by("played_at").first()
    assert RatingState.objects.get().dirty_from == first.played_at
    together, after = derived(cast.club), standings(cast.club)
    assert ("Amal", 80, total["Amal"] + total["Amal H."]) in after
    assert [row for row in after if row[0] != "Amal"] == [
        row for row in before if not row[0].startswith("Amal")
    ]
    assert Meeting.objects.get(player=badr, other=amal).matches == 80
    assert not Meeting.objects.filter(other=double).exists()
    assert Rating.objects.get(player=amal).matches == 80
    ratings.rebuild(club=cast.club)
    assert derived(cast.club) == together

    unmerge(cast, double)
    assert (derived(cast.club), standings(cast.club)) == (apart, before)
    merge(cast, double, amal)
    assert (derived(cast.club), standings(cast.club)) == (together, after)
    kinds = PersonEvent.objects.filter(player=double).values_list("kind", "other")
    assert list(kinds.order_by("at", "kind")) == [
        (PersonEventKind.MERGED, amal.id),
        (PersonEventKind.MERGED, amal.id),
        (PersonEventKind.UNMERGED, amal.id),
    ]


def test_merging_costs_the_same_whatever_was_played(cast):
    amal = cast.players[0]
    few, many = (PlayerFactory(club=cast.club, name=name) for name in ("Few", "Many"))
    bring(cast.club, tables("Amal", 1))
    bring(cast.club, tables("Few", 1), first_day=1)
    bring(cast.club, tables("Many", 12), first_day=2)
    counts = {}
    for player in (few, many):
        for service, given in ((merging.merge, {"into": amal}), (merging.unmerge, {})):
            player.refresh_from_db()
            with CaptureQueriesContext(
                connection,
            ) as queries:
                act(service, cast, player, **given)
            counts.setdefault(service, set()).add(len(queries))
    assert all(len(each) == 1 for each in counts.values()), counts


def test_who_sat_at_one_table_is_not_one_person(cast):
    amal, badr, *_ = cast.players
    match = finish_short(cast, cast.players)
    error = refused("sat_together", merge, cast, amal, badr)
    assert (error.field, error.numbers["match"]) == ("into", str(match.id))
    double = PlayerFactory(club=cast.club, name="Badr two")
    merge(cast, double, badr)
    refused("sat_together", merge, cast, amal, double)
    third = PlayerFactory(club=cast.club, name="Amal two")
    merge(cast, third, amal)
    refused("sat_together", merge, cast, badr, third)


def finish_short(cast, players):
    (match,) = bring(cast.club, [[player.name for player in players]])
    return match


def test_written_into_a_seat_by_mistake_is_no_meeting(cast):
    double = PlayerFactory(club=cast.club, name="Amal H.")
    match = make_match(club=cast.club, players=[double, *cast.players[1:]])
    write(seats.reseat, match, players=cast.players, from_deal=1)
    merge(cast, double, cast.players[0])
    assert shown([double]) == ["Amal"]


@pytest.mark.parametrize("hides", [people.hide, people.anonymise])
def test_hidden_person_is_not_merged_into_one_who_is_not(cast, hides):
    double = PlayerFactory(club=cast.club, name="Amal H.")
    act(hides, cast, cast.players[0])
    refused("one_is_hidden", merge, cast, double, cast.players[0])
    refused("one_is_hidden", merge, cast, cast.players[0], double)


def test_nobody_is_merged_with_themselves_or_out_of_the_club(cast):
    amal, badr, *_ = cast.players
    refused("same_person", merge, cast, amal, amal)
    refused("unknown_player", merge, cast, amal, PlayerFactory())
    refused("unknown_player", merge, cast, PlayerFactory(club=None), amal)
    double = PlayerFactory(club=cast.club)
    merge(cast, double, amal)
    refused("same_person", merge, cast, amal, double)
    refused("is_merged", merge, cast, double, badr)
    refused("is_merged", lambda: act(people.rename, cast, double, name="Sami"))
    unmerge(cast, double)
    unmerge(cast, double)
    assert PersonEvent.objects.count() == 2


def test_group_is_taken_apart_as_it_was_put_together(cast):
    one, two, three = (PlayerFactory(club=cast.club, name=name) for name in ("One", "Two", "Three"))
    merge(cast, three, two)
    merge(cast, two, one)
    assert shown([one, two, three]) == ["One"] * 3
    assert {two.counts_for_id, three.counts_for_id} == {one.id}
    act(people.rename, cast, one, name="Uno")
    unmerge(cast, two)
    assert shown([one, two, three]) == ["Uno", "Two", "Two"]
    assert (two.counts_for, three.counts_for_id, two.own_name) == (None, two.id, "")
    merge(cast, two, one)
    unmerge(cast, three)
    assert shown([one, two, three]) == ["Uno", "Uno", "Three"]


def test_account_of_a_merged_person_sits_where_the_other_sits(cast):
    """Both rows are that person: the account of either is at home in the matches of both."""
    amal, *others = cast.players
    double = PlayerFactory(club=cast.club, name="Amal H.")
    old = make_match(club=cast.club, players=cast.players)
    merge(cast, amal, double)
    new = make_match(club=cast.club, players=[double, *others])
    assert {cast.amal.id} <= old.accounts & new.accounts
    unmerge(cast, amal)
    assert cast.amal.id not in Match.objects.get(pk=new.pk).accounts


def test_merged_person_takes_no_seat(cast):
    double = PlayerFactory(club=cast.club, name="Amal H.")
    merge(cast, double, cast.players[0])
    double.refresh_from_db()
    refused("same_person", lambda: make_match(club=cast.club, players=[double, *cast.players[:3]]))
    match = make_match(club=cast.club, players=["Amal", *cast.players[1:]])
    assert match.seatings.get(seat=0).player == cast.players[0]


def test_match_that_ends_after_a_merge_counts_for_the_one_who_stays(cast):
    double = PlayerFactory(club=cast.club, name="Amal H.")
    bring(cast.club, tables("Amal H.", 1))
    match = Match.objects.get()
    results = MatchResult.objects.filter(match=match, seat=0)
    write(matches.reopen, match, reason="look again")
    merge(cast, double, cast.players[0])
    match.refresh_from_db()
    finish(match)
    assert list(results.values_list("player", "seated")) == [(cast.players[0].id, double.id)]
