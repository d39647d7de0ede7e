"""An empty sheet on paper: its lines, values and sums under any rules, and who may print it."""

import html
import re

import pytest
from django.utils.html import strip_tags

from scoring.house_rules.presenters.presets import PRESET_WORDS
from scoring.models import HouseRules
from scoring.paper.presenters.empty_sheet import empty_sheet
from scoring.rules import PRESETS, preset, ruleset
from scoring.rules.schedule import turn
from tests.factories import make_cast

pytestmark = pytest.mark.django_db


def page_of(cast, **query):
    return f"/clubs/{cast.club.slug}/paper/" + "".join(f"?{k}={v}" for k, v in query.items())


def worth(rules):
    return {
        line.label: strip_tags(line.worth).replace("\u00a0", " ")
        for line in empty_sheet(rules).lines
    }


# ── what stands on it ───────────────────────────────────────────────────


@pytest.mark.parametrize("name", PRESETS)
def test_as_many_lines_as_a_match_has_deals(name):
    rules = preset(name)
    empty = empty_sheet(rules)
    assert empty.blocks * len(empty.lines) == turn(rules, None, None, ()).deals_total
    assert empty.in_two == (rules.system == "barbu")


def test_values_are_those_of_the_rules():
    assert worth(preset("levant")) == {
        "King of hearts": "−75",
        "Queens": "4 × −25",
        "Diamonds": "13 × −10",
        "Tricks": "13 × −15",
        "Trex": "+200 +150 +100 +50",
    }
    assert worth(preset("barbu"))["General"] == "+400"
    assert worth(preset("kleshchi-swapped"))["King of hearts"] == "+75"
    assert worth(preset("levant-complex"))["Complex"].startswith("King −75 · Queens 4 × −25")
    assert worth(ruleset("levant", {"values.queen": 30}))["Queens"] == "4 × −30"


def test_sum_of_nothing_is_asked_only_where_the_rules_promise_it():
    assert empty_sheet(preset("levant")).zero
    assert not empty_sheet(preset("kleshchi")).zero
    assert not empty_sheet(preset("barbu")).zero


def test_one_set_of_contracts_for_all_is_one_block():
    empty = empty_sheet(ruleset("kleshchi", {"contracts_scope": "game"}))
    assert (empty.blocks, empty.room) == (1, "roomy")


def test_what_counts_otherwise_is_said_below():
    said = " ".join(map(strip_tags, empty_sheet(preset("barbu")).notes))
    assert "The lowest total wins." in said
    assert "The chooser’s points count 2 times." in said
    assert "doubled" not in said


# ── the page ────────────────────────────────────────────────────────────


def test_first_the_rules_of_the_club_then_any_of_its_sets_and_every_preset(cast, phone_of):
    own = HouseRules.objects.create(
        club=cast.club, name="Fridays", preset="barbu", system="barbu", options={}
    )
    phone = phone_of(cast.badr)
    page = phone.get(page_of(cast)).text
    offered = re.findall(r'<option value="([^"]*)"', page)
    assert str(own.id) in offered
    assert set(PRESET_WORDS) <= set(offered)
    chosen = phone.get(page_of(cast, rules=own.id)).text
    assert "Fridays" in re.search(r'class="empty-title">(.*?)</p>', chosen)[1]
    assert chosen.count("<thead>") == 4
    assert len(re.findall(r'<th scope="row"><span>King of hearts', html.unescape(chosen))) == 4
    assert phone.get(page_of(cast, rules="nonsense")).status_code == 404


@pytest.mark.parametrize("is_public", [True, False])
def test_sheet_of_a_private_club_is_for_its_own_people(phone_of, is_public):
    cast = make_cast(is_public=is_public)
    other = HouseRules.objects.create(
        club=cast.other_club, name="Secret", preset="levant", system="levant"
    )
    assert phone_of(cast.badr).get(page_of(cast, rules=other.id)).status_code == 404
    assert phone_of(cast.badr).get(page_of(cast)).status_code == 200
    ghassan = phone_of(cast.ghassan).get(page_of(cast))
    assert ghassan.status_code == (200 if is_public else 404)


def test_query_count(cast, phone_of, django_assert_num_queries):
    phone = phone_of(cast.badr)
    with django_assert_num_queries(5):
        phone.get(page_of(cast))
