"""A match without a club under changed rules: the rules travel with the form of the front page."""

import json
import uuid

import pytest

from scoring.house_rules.forms.rules_data import raw_of
from scoring.models import Match
from scoring.rules import preset, ruleset
from tests.factories import NAMES
from tests.support.asking import NASTY, errors
from tests.support.markup import flat
from tests.support.tables import codes

PAGE = "/start/rules/"


def front(**changes):
    """What the front page posts."""
    names = {f"name{seat}": name for seat, name in enumerate(NAMES)}
    return {**names, "preset": "levant", "entry_key": str(uuid.uuid4()), **changes}


def editor(rules, **changes):
    return {**front(), "action": "save", **raw_of(rules), **changes}


def test_front_page_leads_to_the_rules_and_loses_no_name(phone):
    assert f'formaction="{PAGE}"' in phone.get("/start/").text
    page = phone.post(PAGE, front(action="open", name1=NASTY, preset="barbu"))
    assert page.status_code == 200
    assert page.context["start"].label == "Barbu"
    assert 'name="name0" value="Amal"' in page.text
    assert 'name="name1" value="&lt;img' in page.text
    assert NASTY not in page.text


def test_changed_rules_come_back_to_the_front_page_and_are_pinned(phone):
    sent = editor(preset("levant"), **{"values.king": "١٠٠", "teams": "opposite"})
    page = phone.post(PAGE, sent)
    assert page.status_code == 200
    assert "Trex with kingdoms, with changes" in page.text
    assert "Those who sit opposite are a team" in page.text
    form = page.context["form"]
    assert form["name3"].value() == "Dima"
    carried = {"options": form["options"].value(), "entry_key": form["entry_key"].value()}
    assert phone.post("/start/", front(**carried)).status_code == 303
    match = Match.objects.get()
    assert match.options == {"values.king": 100, "teams": "opposite"}
    assert (match.system, match.preset, match.club, match.rules_name) == (
        "levant",
        "levant",
        None,
        "",
    )
    card = phone.get(f"/matches/{match.id}/rules/").text
    assert "−100" in card


def test_changed_rules_can_be_changed_again_and_dropped(phone):
    options = json.dumps({"teams": "opposite"})
    page = phone.post(PAGE, front(action="open", options=options))
    assert 'name="teams" value="opposite" checked' in flat(page)
    again = phone.post(PAGE, editor(ruleset("levant", json.loads(options)), options=options))
    assert json.loads(again.context["form"]["options"].value()) == {"teams": "opposite"}
    dropped = phone.post(PAGE, front(action="drop", options=options))
    assert not dropped.context["form"]["options"].value()
    assert dropped.context["form"]["name0"].value() == "Amal"
    assert "with changes" not in dropped.text


@pytest.mark.parametrize("name", ["levant-complex", "kleshchi-swapped", "barbu-drawn"])
def test_rules_that_nobody_changed_are_the_preset(phone, name):
    page = phone.post(PAGE, editor(preset(name), preset=name))
    assert not page.context["form"]["options"].value()
    phone.post("/start/", front(preset=name))
    assert Match.objects.get().options == preset(name).options()


def test_rules_that_do_not_go_together_are_refused_with_everything_kept(phone):
    sent = editor(preset("levant"), **{"contracts_scope": "game", "values.queen": "30"})
    page = phone.post(PAGE, sent)
    assert page.status_code == 422
    assert codes(page) == ["impossible_options"]
    assert 'value="30"' in page.text
    assert 'name="name2" value="Carmen"' in page.text


def test_check_says_what_the_rules_do(phone):
    sent = editor(preset("levant"), action="check", **{"doubling.owner_bonus": "false"})
    page = phone.post(PAGE, sent, headers={"HX-Request": "true"})
    assert page.status_code == 200
    assert "costs" in page.text
    assert "<h1>" not in page.text


@pytest.mark.parametrize(
    "options",
    ["{", "[]", "7", '{"teams": "three"}', '{"contracts_scope": "game"}', "[" * 9000],
)
def test_rules_that_no_form_of_ours_sends_are_refused(phone, options):
    page = phone.post("/start/", front(options=options))
    assert page.status_code == 422
    assert list(errors(page)) == ["options"]
    assert 'name="options"' not in page.text
    assert not Match.objects.exists()
    assert phone.post(PAGE, front(action="open", options=options)).status_code == 200
