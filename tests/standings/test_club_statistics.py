"""Rounding is for showing: exact averages decide who stands where."""

import pytest

from scoring.models import ContractTotal, PlayerTotal
from scoring.standings.presenters import club_statistics as pages
from scoring.standings.queries.club_statistics import club_in_figures, people_of
from tests.factories import NOW, make_cast, make_match

pytestmark = pytest.mark.django_db
FAMILY = ("levant", "high")


def of_contract(cast, sums, contract="king"):
    for player, (deals, points) in zip(cast.players, sums, strict=True):
        ContractTotal.objects.create(
            club=cast.club,
            player=player,
            system="levant",
            win="high",
            contract=contract,
            deals=deals,
            points=points,
        )


def in_all(cast, sums):
    match = make_match(club=cast.club, players=cast.players)
    for player, (matches, total) in zip(cast.players, sums, strict=True):
        PlayerTotal.objects.create(
            club=cast.club,
            player=player,
            system="levant",
            win="high",
            matches=matches,
            total=total,
            wins=0,
            places=4 * matches,
            seats=matches,
            best=0,
            best_match=match,
            worst=0,
            worst_match=match,
            won_in_a_row=0,
            longest_row=0,
            first_at=NOW,
            last_at=NOW,
        )


def test_list_of_a_contract_stands_by_exact_averages():
    """-32.5 and -33.33 both show as -33; by name Amal would stand first."""
    cast = make_cast()
    of_contract(cast, [(30, -1000), (40, -1300), (40, -1320), (2, 0)])
    found = people_of(cast.club, FAMILY, "king")
    assert [(one.name, one.average) for one in found] == [
        ("Badr", -33),
        ("Carmen", -33),
        ("Amal", -33),
        ("Dima", 0),
    ]


def test_best_average_is_not_shared_by_rounding():
    """3.0 and 2.5 both show as 3."""
    cast = make_cast()
    in_all(cast, [(6, 15), (5, 15), (10, 25), (6, 18)])
    (best,) = [one for one in club_in_figures(cast.club, FAMILY).records if one.what == "average"]
    assert (best.value, [one.name for one in best.holders]) == (3, ["Badr", "Dima"])


def test_contracts_stand_by_exact_averages():
    cast = make_cast()
    in_all(cast, [(5, 0)] * 4)
    of_contract(cast, [(10, -324)] * 4, "king")
    of_contract(cast, [(10, -316)] * 4, "diamonds")
    of_contract(cast, [(10, -320)] * 4, "queens")
    bars = pages.contracts(club_in_figures(cast.club, FAMILY), "/people")
    assert [bar.label for bar in bars.rows] == ["King of hearts", "Queens", "Diamonds"]
