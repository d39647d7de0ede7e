"""A person's figures in words, each with its sample."""

from types import SimpleNamespace

from django.utils.html import strip_tags

from scoring.players.presenters import player
from scoring.players.queries.player import COUNTS
from scoring.rules.statistics.form import Against, Form
from scoring.rules.statistics.rivals import Rival, rivals


def figures(**given):
    return SimpleNamespace(family=("levant", "high"), **given)


def counted(trex=0, **counts):
    """With so many deals of Trex."""
    contracts = (Against("trex", trex, own=0, club=0, better=None),)
    return figures(counts={**dict.fromkeys(COUNTS, 0), **counts}, contracts=contracts)


def said(text):
    return strip_tags(text)


def test_doubles_are_told_with_what_they_came_to():
    assert player.doubles(counted()) == ""
    one = player.doubles(counted(doubles=1, double_points=-75))
    assert said(one) == "1 double made. It brought −75."
    many = player.doubles(counted(doubles=3, double_points=200))
    assert said(many) == "3 doubles made. Together they brought +200, +67 each on average."


def test_own_kingdoms_stand_beside_those_of_others():
    own = counted(deals=20, chosen=5, points=-100, chosen_points=200)
    assert {what: said(text) for what, text in player.kingdoms(own).items()} == {
        "chosen": "A deal of their own choice brings +40 on average (5 deals).",
        "others": "A deal that others chose brings −20 on average (15 deals).",
    }
    assert player.kingdoms(counted(deals=5, chosen=5)) == {}


def test_kabbouts_and_places_in_trex_are_counted_where_there_are_any():
    assert (player.kabbouts(counted()), player.trex_places(counted())) == ("", [])
    assert said(player.kabbouts(counted(kabbouts=1))) == "Took everything in 1 deal."
    places = player.trex_places(counted(first=4, fourth=1, trex=5))
    assert [times for _, times, _ in places] == [4, 0, 0, 1]


def test_places_that_nobody_took_are_not_out():
    places = player.trex_places(counted(first=4, second=2, trex=9))
    assert [(name, times) for name, times, _ in places] == [("1st", 4), ("2nd", 2), ("not out", 3)]


def form_sentences(won, longest, form=None):
    total = SimpleNamespace(won_in_a_row=won, longest_row=longest)
    return [said(fact.text) for fact in player.form_sentences(figures(total=total, form=form))]


def test_form_and_streaks_have_their_samples():
    form = Form(matches=10, lately=14, always=25)
    place = "Place on average: 1.4 in the last 10 matches, 2.5 in all."
    won = "Won the last 3 matches, one after the other."
    most = "The most wins one after the other: 4."
    assert form_sentences(3, 4, form) == [place, won, most]
    assert form_sentences(3, 3) == [won]
    assert form_sentences(1, 1) == form_sentences(0, 1) == []


def test_who_stands_out_is_named_with_how_often():
    amal = Rival("a", "Amal", 6, ahead=1, behind=5, together=0, together_won=0)
    badr = Rival("b", "Badr", 5, ahead=4, behind=1, together=0, together_won=0)
    carmen = Rival("c", "Carmen", 3, ahead=3, behind=0, together=5, together_won=4)
    told = player.rivalries(figures(rivals=rivals([amal, badr, carmen])))
    assert [
        (one.name, said(one.text).replace("\u2068", "").replace("\u2069", "")) for one in told
    ] == [
        ("Nemesis", "Amal finished ahead in 5 of 6 matches."),
        ("Favourite victim", "Badr finished behind in 4 of 5 matches."),
        ("Best partner", "With Carmen 4 of 5 matches won."),
    ]
