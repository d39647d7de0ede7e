"""Nemesis, favourite victim, best partner: only of those whom one has met often enough."""

from scoring.rules.statistics.rivals import ENOUGH, Rival, rivals


def rival(name, matches=0, ahead=0, behind=0, together=0, together_won=0):
    return Rival(name.lower(), name, matches, ahead, behind, together, together_won)


def test_nemesis_is_oftenest_ahead_for_each_match():
    found = rivals([rival("Badr", 20, 8, 12), rival("Carmen", 5, 1, 4), rival("Dima", 9, 5, 4)])
    assert found.nemesis.name == "Carmen"
    assert found.victim.name == "Dima"
    assert [each.name for each in found.opponents] == ["Badr", "Dima", "Carmen"]


# Nothing is said about three matches. C89
def test_nothing_is_claimed_of_those_who_met_seldom():
    seldom = ENOUGH - 1
    few = [
        rival("Badr", seldom, seldom, 0),
        rival("Carmen", seldom, 0, seldom),
        rival("Dima", together=seldom, together_won=seldom),
    ]
    found = rivals(few)
    assert (found.nemesis, found.victim, found.partner) == (None, None, None)
    assert len(found.opponents) == 2
    assert len(found.partners) == 1


def test_whoever_is_as_often_ahead_as_behind_is_neither():
    found = rivals([rival("Badr", 10, 4, 4)])
    assert (found.nemesis, found.victim) == (None, None)
    assert found.opponents[0].level == 2


def test_of_equals_the_one_met_oftener_then_by_name():
    found = rivals([rival("Dima", 10, 2, 8), rival("Carmen", 20, 4, 16), rival("Badr", 20, 4, 16)])
    assert found.nemesis.name == "Badr"


def test_best_partner_is_the_one_with_whom_most_is_won():
    found = rivals(
        [
            rival("Badr", together=20, together_won=10),
            rival("Carmen", together=6, together_won=4),
            rival("Dima", together=9),
        ]
    )
    assert found.partner.name == "Carmen"
    assert rivals([rival("Dima", together=9)]).partner is None
    assert rivals([]).opponents == ()
