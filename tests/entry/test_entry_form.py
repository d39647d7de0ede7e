"""The form of a deal, from the contract's items to an entry and back. No database."""

import json
from pathlib import Path

import pytest

from scoring.common import words
from scoring.entry.forms.entry import EntryForm, raw_of
from scoring.entry.presenters import explain, facts
from scoring.entry.presenters.drawing import draw
from scoring.entry.presenters.sentences import sentences
from scoring.rules import Contract, Entry, Tally, points, preset, read_entry, ruleset
from scoring.rules.rulesets.presets import PRESETS

NAMES = ("Amal", "Badr", "Carmen", "Dima")
CASES = Path(__file__).parents[1] / "cases"


def form_of(key, raw=None, *, rules="levant", chooser=0, **options):
    table = ruleset(rules, options) if options else preset(rules)
    return EntryForm(table, Contract.from_key(key), NAMES, raw or {}, chooser)


def parts(form):
    return {part.key: [(one.key, one.shape) for one in part.fields] for part in form.parts}


def said(form):
    return {code: str(text) for code, text in sentences(form.problems, form)}


def taps(key, *values):
    return {f"{key}.{place}": str(value) for place, value in enumerate(values) if value is not None}


def test_king_is_one_seat_with_its_doubling_beside_it():
    assert parts(form_of("king")) == {"king": [("doubles", "rows"), ("king_taken_by", "seat")]}
    assert parts(form_of("king", rules="barbu")) == {"king": [("king_taken_by", "seat")]}


def test_queens_go_by_card_with_doubling_as_a_step_of_its_own():
    assert parts(form_of("queens")) == {
        "queens": [("queens_taken_by", "seats")],
        "doubles": [("doubles", "rows")],
    }


def test_general_stacks_its_items_and_counts_the_queens():
    assert list(parts(form_of("general", rules="barbu"))) == [
        "king",
        "queens",
        "hearts",
        "tricks",
        "last_trick",
    ]
    assert parts(form_of("general", rules="barbu"))["queens"] == [("queens", "counts")]


def test_combined_contracts_stack_the_same_shapes():
    stacked = parts(form_of("king+queens+diamonds+tricks"))
    assert list(stacked) == ["king", "queens", "diamonds", "tricks", "doubles"]


def test_every_contract_of_every_preset_has_a_form():
    for name in PRESETS:
        table = preset(name)
        for key in table.contracts:
            drawn = draw(EntryForm(table, Contract.from_key(key), NAMES))
            assert drawn.parts
            assert not drawn.problems


# The last seat fills from the fixed total. C12
def test_the_last_count_follows_from_the_others():
    form = form_of("diamonds", taps("diamonds", 3, 5, 5))
    assert form.read().tally.diamonds == (3, 5, 5, 0)


def test_a_total_that_is_reached_leaves_nothing_to_the_rest():
    form = form_of("diamonds", taps("diamonds", 13))
    assert form.read().tally.diamonds == (13, 0, 0, 0)


def test_the_last_to_go_out_follows_from_the_others():
    form = form_of("trex", taps("finish_order", 2, 0, 3))
    assert form.read().tally.finish_order == (2, 0, 3, 1)


def test_a_barbu_trex_needs_two_places_only():
    form = form_of("trex", taps("finish_order", 2, 0), rules="barbu")
    assert form.parts[0].fields[0].needed == 2
    assert form.read().tally.finish_order == (2, 0, 1, 3)


def test_what_is_open_is_named():
    form = form_of("diamonds", taps("diamonds", 3))
    assert form.read() is None
    assert "Badr" in said(form)["missing"]
    assert "Amal" not in said(form)["missing"]


# A blank deal is refused. C08
def test_an_empty_form_is_not_begun_and_refused():
    form = form_of("king")
    assert not form.is_begun
    assert form.read() is None
    assert said(form) == {"missing": "Who took the king of hearts?"}


def test_thirteen_diamonds_that_are_twelve():
    form = form_of("diamonds", taps("diamonds", 3, 3, 3, 3))
    assert form.read() is None
    assert said(form) == {"wrong_total": "13 diamonds exist, 12 are entered."}


def test_a_seat_twice_in_the_finish_order_is_named():
    form = form_of("trex", taps("finish_order", 2, 2, 3, 1))
    assert form.read() is None
    assert "Carmen" in said(form)["not_a_permutation"]


def test_an_unknown_seat_is_quoted():
    form = form_of("king", {"king_taken_by": "7"})
    assert form.read() is None
    assert "7" in said(form)["bad_seat"]


def test_text_where_a_number_belongs_is_quoted_shortened():
    form = form_of("diamonds", taps("diamonds", "x" * 10_000, 3, 5, 5))
    assert form.read() is None
    assert "x" * 40 in said(form)["bad_counts"]
    assert "x" * 41 not in said(form)["bad_counts"]


def test_markup_in_what_was_sent_is_shown_literally():
    form = form_of("king", {"king_taken_by": "<img onerror=x>"})
    form.read()
    assert "&lt;img" in said(form)["bad_seat"]


def test_a_double_where_the_table_has_none_never_reaches_the_rules():
    form = form_of("king", {"king_taken_by": "1", "doubles.KH": "2"}, rules="barbu")
    assert form.read().tally.doubles == ()


def test_doubles_are_read_from_their_rows():
    form = form_of("king", {"king_taken_by": "1", "doubles.KH": "2"})
    assert form.read().tally.doubles == (("KH", 2),)


def test_two_announcements_under_whole_contract_are_refused():
    raw = {f"queens_taken_by.Q{suit}": "1" for suit in "SHDC"}
    raw |= {"doubles.QS": "2", "doubles.QH": "3"}
    form = form_of("queens", raw, **{"doubling.queens_unit": "whole_contract"})
    assert form.read() is None
    assert "doubled_twice" in said(form)


WHOLE = {"doubling.queens_unit": "whole_contract"}


# One announcement for all is asked in one row, and a stored one keeps its queen. C-K3
def test_one_announcement_is_one_row():
    assert parts(form_of("queens", **WHOLE)) == {
        "queens": [("doubles", "rows"), ("queens_taken_by", "seats")]
    }
    assert form_of("queens", **WHOLE).parts[0].fields[0].cards == ("QS",)
    assert form_of("queens", {"doubles.QD": "2"}, **WHOLE).parts[0].fields[0].cards == ("QD",)
    combined = form_of("king+queens", **WHOLE).parts[-1].fields[0]
    assert combined.cards == ("KH", "QS")
    signs = [str(slot.sign) for slot in draw(form_of("queens", **WHOLE)).parts[0].fields[0].slots]
    assert ["Q×4" in sign for sign in signs] == [True]


PARTNERS = {"teams": "opposite", "doubling.partner_capture": "opponents_gain"}


# Asked when a partner took it, not when an opponent did or he himself. C-L5, C-L10
@pytest.mark.parametrize(("taker", "asked"), [(0, False), (1, False), (2, True), (3, False)])
def test_the_leader_is_asked_where_a_partner_took_the_doubled_card(taker, asked):
    raw = {"king_taken_by": str(taker), "doubles.KH": "0"}
    form = form_of("king", raw, **PARTNERS)
    assert (form.read() is None) == asked
    assert bool(form.questions) == asked


def test_the_trick_leader_is_asked_only_where_the_rule_needs_him():
    raw = {"king_taken_by": "2", "doubles.KH": "2"}
    form = form_of("king", raw, **{"doubling.self_capture": "leader_gains"})
    assert form.questions == ()
    assert form.read() is None
    assert [one.cards for one in form.questions] == [("KH",)]

    form = form_of(
        "king", {**raw, "trick_leader.KH": "0"}, **{"doubling.self_capture": "leader_gains"}
    )
    assert form.read().tally.trick_leader == {"KH": 0}
    assert form_of("king", raw).read() is not None


def test_a_revoke_lets_the_counts_fall_short():
    form = form_of("diamonds", {**taps("diamonds", 3, 2), "revoke_by": "3"})
    entry = form.read()
    assert entry.tally.diamonds == (3, 2, 0, 0)
    assert entry.tally.revoke_by == 3
    assert points(entry, form.ruleset).scores == (-30, -20, 0, -80)


def test_cheating_needs_nothing_else():
    form = form_of("tricks", {"cheat_by": "1"}, rules="barbu")
    assert points(form.read(), form.ruleset).scores == (0, 400, 0, 0)


def test_a_forfeit_is_offered_only_where_it_exists():
    options = {"contract_order": "fixed", "forfeit_first_three": True}
    form = form_of("king", {"forfeited": "1"}, rules="kleshchi", chooser=2, **options)
    assert points(form.read(), form.ruleset).scores == (0, 0, -75, 0)
    assert [one.key for one in form_of("king", rules="kleshchi").trouble] == []


@pytest.mark.parametrize(
    "case", json.loads((CASES / "scoring.json").read_text()), ids=lambda c: c["id"]
)
def test_a_stored_entry_turns_into_taps_and_back(case):
    table = ruleset(case["system"], case["options"])
    data = {key: case.get(key) for key in ("contract", "chooser", "forced", "input")}
    entry = read_entry(data, table).entry
    form = EntryForm(
        table, entry.contract, NAMES, raw_of(entry), entry.chooser, bool(case.get("forced"))
    )
    again = form.read()
    assert again is not None, said(form)
    assert points(again, table).scores == points(entry, table).scores == tuple(case["scores"])


@pytest.mark.parametrize(
    "case", json.loads((CASES / "scoring.json").read_text()), ids=lambda c: c["id"]
)
def test_every_deal_can_be_told_in_words(case):
    table = ruleset(case["system"], case["options"])
    data = {key: case.get(key) for key in ("contract", "chooser", "forced", "input")}
    entry = read_entry(data, table).entry
    worth = points(entry, table)
    lines = explain.reasons(worth, NAMES)
    assert sum(line.points for line in lines) == sum(worth.scores)
    assert len(explain.effects(worth, NAMES, table)) == (sum(map(bool, worth.scores)) or 1)
    assert list(facts.facts(entry, NAMES, table))


def effect_texts(key, facts, chooser=0, rules="levant"):
    entry = Entry(Contract.from_key(key), chooser, False, Tally.from_json(facts))
    told = explain.effects(points(entry, preset(rules)), NAMES, preset(rules))
    return [str(text).replace("<bdi>", "").replace("</bdi>", "") for text in told]


def test_the_preview_speaks_of_losing_and_gaining():
    doubled = {"king_taken_by": 2, "doubles": [{"card": "KH", "by": 0}]}
    assert effect_texts("king", doubled) == [
        "Amal gains 75 — doubled",
        "Carmen loses 150 — doubled",
    ]


def test_where_few_points_win_they_are_taken_and_shed():
    assert effect_texts("last_trick", {"last_trick_by": 2}, rules="barbu") == ["Carmen takes 80"]
    first = effect_texts("trex", {"finish_order": [2, 1, 3, 0]}, chooser=3, rules="barbu")
    assert first == ["Badr sheds 50", "Carmen sheds 100"]


def test_first_names_are_used_where_they_tell_people_apart():
    assert words.first_names(["Amal Haddad", "Badr"]) == ["Amal", "Badr"]
    assert words.first_names(["Player 12", "Ali 2", "Sami"]) == ["Player 12", "Ali 2", "Sami"]
    assert words.first_names(["Ali Badr", "Ali Omar", "Dima"]) == ["Ali Badr", "Ali Omar", "Dima"]


def test_half_a_name_is_no_first_name():
    assert words.first_names(["عبد الرحمن الشامي", "أم كامل", "Abu Omar Haddad", "عبد"]) == [
        "عبد الرحمن",
        "أم كامل",
        "Abu Omar",
        "عبد",
    ]
