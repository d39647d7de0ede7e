"""A club's own rules: the list, the editor, and who may do what there."""

import re
from pathlib import Path

import pytest
from django.test import Client

from scoring.house_rules.forms.rules_data import raw_of, read
from scoring.house_rules.forms.rules_form import CLASHES, RulesForm
from scoring.house_rules.presenters.option_sentences import sentence
from scoring.house_rules.presenters.options import CONTESTED, GATES, differing, possible
from scoring.house_rules.presenters.rules_card import rules_card
from scoring.house_rules.services import house_rules
from scoring.models import HouseRules, Match
from scoring.rules import OPTIONS, PRESETS, SYSTEMS, preset, ruleset
from tests.matches.test_match_new_pages import start
from tests.support.asking import NASTY
from tests.support.markup import flat
from tests.support.tables import codes

PAGE = "/clubs/cafe-younes/rules/"
NEW = f"{PAGE}new/"


def friday(club, name="Friday", preset="levant", **options):
    return house_rules.create(club=club, name=name, preset=preset, options=options)


def typed(rules, **changes):
    """What the form of these rules sends, with some of it tapped otherwise."""
    sent = {"name": "Friday", "action": "save", **raw_of(rules)}
    return {**sent, **{name.replace("__", "."): value for name, value in changes.items()}}


@pytest.fixture
def owner(cast, phone_of):
    return phone_of(cast.owner)


# ── what a form sends and what it means ─────────────────────────────────


@pytest.mark.parametrize("name", PRESETS)
def test_untouched_form_sends_the_rules_it_was_drawn_from(name):
    rules = preset(name)
    for base in (rules, SYSTEMS[rules.system]):
        assert ruleset(rules.system, read(raw_of(rules), base)) == rules


def test_swapped_signs_turn_the_winner_round_unless_somebody_said_who_wins():
    rules = preset("levant")
    swapped = {**raw_of(rules), "signs": ["swapped"]}
    assert ruleset("levant", read(swapped, rules)).win == "low"
    assert ruleset("levant", read({**swapped, "win": ["high"]}, rules)).win == "high"


def test_table_without_a_penalty_for_cheating_gets_none_by_its_details():
    rules = preset("levant")
    sent = {**raw_of(rules), "cheat.replay": ["true"], "cheat.amount": [""]}
    assert ruleset("levant", read(sent, rules)).cheat.amount is None
    assert ruleset("levant", read({**sent, "cheat.amount": ["300"]}, rules)).cheat.replay


def test_general_comes_last_by_itself_where_an_order_is_chosen():
    barbu = preset("barbu")
    for order in ("fixed", "fixed_reversed", "drawn"):
        sent = {**raw_of(barbu), "contract_order": [order]}
        assert read(sent, barbu)["general_last"] is True
        assert read({"contract_order": [order]}, barbu)["general_last"] is True
        assert read({**sent, "general_last": ["false"]}, barbu)["general_last"] is False
    for name in ("barbu-fixed", "barbu-drawn"):
        freed = {**raw_of(preset(name)), "contract_order": ["free"]}
        assert ruleset("barbu", read(freed, preset(name))) == barbu
    # Whoever has chosen otherwise keeps it.
    freely = ruleset("barbu", {"contract_order": "fixed"})
    assert ruleset("barbu", read(raw_of(freely), freely)) == freely
    turned = {**raw_of(freely), "contract_order": ["drawn"]}
    assert read(turned, freely)["general_last"] is False


# The boxes of the heart rule come in the order of the page: a second change was listed with any.
@pytest.mark.parametrize("name", ["levant", "kleshchi", "barbu"])
def test_allowing_combinations_changes_nothing_else(name):
    start = preset(name)
    page = {
        option: ["", *(each for each in start.contracts if each in texts)]
        if option.endswith(".contracts")
        else texts
        for option, texts in raw_of(start).items()
    }
    form = RulesForm({**page, "combo": ["free"]}, start, start)
    assert form.special == ["combo"]
    assert form.rules.options() == {"combo": "free"}
    saved = ruleset(start.system, form.options)
    assert rules_card(saved).special == (sentence("combo", saved),)


def test_what_is_not_asked_stays_as_it_was():
    base = ruleset("levant", {"values.heart": 30, "values.king": 90})
    assert not possible("values.heart", "levant")
    assert read({}, base) == {**base.options(), **read({}, base)}


# Any digits are numbers, and no field ever needs a typed sign. C13, C14
@pytest.mark.parametrize("text", ["120", "١٢٠", "۱۲۰", " 120 "])
def test_numbers_in_any_digits(owner, cast, text):
    signs = {"values__trex__3.sign": "-", "values__trex__3": "٥٠"}
    sent = typed(preset("levant"), values__king=text, **signs)
    assert owner.post(f"{NEW}?from=levant", sent).status_code == 303
    kept = HouseRules.objects.get().ruleset.values
    assert (kept.king, kept.trex) == (120, (200, 150, 100, -50))


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_number_of_the_page_can_be_typed_without_a_sign(owner, system):
    page = flat(owner.get(f"{NEW}?from={system}"))
    values = re.findall(r'<input class="input num"[^>]*value="([^"]*)"', page)
    assert len(values) > 8
    assert not [value for value in values if value and not value.isdecimal()]


# ── the pages ───────────────────────────────────────────────────────────


def test_list_names_the_sets_with_what_they_change(cast, phone_of):
    friday(cast.club)
    friday(cast.club, "Pairs", teams="opposite", **{"values.king": 100})
    page = phone_of(cast.badr).get(PAGE).text
    assert "Friday" in page
    assert "Trex with kingdoms, changed: King of hearts, Teams" in page
    assert "New rules, started from" not in page
    assert "Offer first" not in page


def test_owner_chooses_what_a_new_match_is_offered_first(owner, cast):
    friday(cast.club)
    other = friday(cast.club, "Other")
    assert owner.post(PAGE, {"default": str(other.id)}).status_code == 303
    cast.club.refresh_from_db()
    assert cast.club.house_rules == other


@pytest.mark.parametrize("name", PRESETS)
def test_new_rules_start_from_every_preset(owner, cast, name):
    page = owner.get(f"{NEW}?from={name}")
    assert page.context["form"]["name"].value() == page.context["start"].label
    response = owner.post(f"{NEW}?from={name}", typed(preset(name)))
    assert response.status_code == 303
    rules = HouseRules.objects.get()
    assert (rules.preset, rules.options) == (name, dict(PRESETS[name].options))


@pytest.mark.parametrize("system", SYSTEMS)
def test_page_asks_for_every_option_that_can_matter_once(owner, system):
    page = flat(owner.get(f"{NEW}?from={system}"))
    for name in OPTIONS:
        asked = page.count(f'id="{name.replace(".", "-")}" data-needs=')
        assert asked == possible(name, system), name


def test_disputed_captures_are_asked_without_unfolding_anything():
    assert {"doubling.self_capture", "doubling.partner_capture"} <= {*CONTESTED["levant"]}
    assert {"doubling.self_capture", "doubling.partner_capture"} <= {*CONTESTED["kleshchi"]}


def test_every_gate_of_the_rules_is_one_of_the_style_sheet():
    css = Path("static/css/rules.css").read_text()
    assert set(re.findall(r'data-needs~="([\w-]+)"', css)) == set(GATES)


def test_set_is_edited_and_renamed(owner, cast):
    rules = friday(cast.club)
    sent = typed(rules.ruleset, doubling__self_capture="quadruple", name="Saturday")
    assert owner.post(f"{PAGE}{rules.id}/", sent).status_code == 303
    kept = HouseRules.objects.get()
    assert (kept.name, kept.options) == ("Saturday", {"doubling.self_capture": "quadruple"})


def test_copy_starts_from_a_set_and_is_another(owner, cast):
    rules = friday(cast.club, teams="opposite")
    page = owner.get(f"{NEW}?from={rules.id}")
    assert page.context["form"]["name"].value() == "Friday (2)"
    sent = typed(rules.ruleset, name="Friday (2)")
    assert owner.post(f"{NEW}?from={rules.id}", sent).status_code == 303
    copied = HouseRules.objects.get(name="Friday (2)")
    assert (copied.options, copied.preset) == ({"teams": "opposite"}, "levant")


# Destructive acts stand apart and ask. C119
def test_set_is_deleted(owner, cast):
    rules = friday(cast.club)
    page = owner.get(f"{PAGE}{rules.id}/").text
    assert page.index('value="save"') < page.index("<summary>Delete these rules")
    assert owner.post(f"{PAGE}{rules.id}/", {"action": "delete"}).status_code == 303
    assert not HouseRules.objects.exists()


IMPOSSIBLE = [
    ("kleshchi", {"forfeit_first_three": "true"}, "forfeit_first_three"),
    ("levant", {"redeal.queens_draw": "true"}, "redeal.queens_draw"),
    ("levant", {"doubling.partner_capture": "no_bonus"}, "doubling.partner_capture"),
    ("levant", {"combo": "complex", "contract_order": "fixed"}, "combo"),
    ("barbu", {"trex_layout": "single_pile"}, "ace_replay"),
    ("levant", {"contracts_scope": "game"}, "contracts_scope"),
]


@pytest.mark.parametrize(("system", "changes", "field"), IMPOSSIBLE)
def test_rules_that_do_not_go_together_are_refused_at_the_field(owner, system, changes, field):
    sent = {**typed(preset(system)), "values.king": "88", "name": "Ours", **changes}
    response = owner.post(f"{NEW}?from={system}", sent)
    assert response.status_code == 422
    assert codes(response) == ["impossible_options"]
    (wrong,) = response.context["options"].wrong
    assert wrong.name == field
    assert str(wrong.problems[0][1]) in {str(each) for each in CLASHES.values()}
    assert f'href="#{wrong.id}"' in response.text
    assert 'value="88"' in response.text
    assert 'value="Ours"' in response.text
    for name, value in changes.items():
        assert f'name="{name}" value="{value}" checked' in flat(response)
    assert not HouseRules.objects.exists()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("values.king", "-75", "A whole number from 0 to 10000."),
        ("values.king", "", "A whole number from 0 to 10000."),
        ("values.queen", "many", "A whole number from 0 to 10000."),
        ("values.trex.1", "9" * 40, "A whole number from −10000 to 10000."),
        ("fifty_one.target", "97", "A whole number from 1 to 96."),
        ("fifty_one.values.T", "ten", "A whole number from −10000 to 10000."),
        ("chooser_factor", "11", "A whole number from 1 to 10."),
        ("cheat.amount", "", "A whole number from 0 to 10000."),
        ("teams", "three", "Choose one of these."),
        ("hearts_lead.contracts", "trex", "Choose one of these."),
    ],
)
def test_value_that_cannot_be_is_refused_at_the_field_and_comes_back(owner, name, text, said):
    sent = {**typed(preset("barbu")), name: text}
    response = owner.post(f"{NEW}?from=barbu", sent)
    assert response.status_code == 422
    assert codes(response) == ["bad_option_value"]
    (wrong,) = response.context["options"].wrong
    assert name.startswith(wrong.name)
    assert re.sub("<[^>]+>", "", wrong.problems[0][1]) == said
    if wrong.shape in ("number", "signed"):
        assert f'value="{text[:12]}"' in response.text


def test_every_reason_is_said_at_once(owner, cast):
    friday(cast.club)
    sent = typed(preset("levant"), values__king="x", contracts_scope="game", name="")
    response = owner.post(f"{NEW}?from=levant", sent)
    assert codes(response) == ["missing", "impossible_options", "bad_option_value"]
    taken = owner.post(f"{NEW}?from=levant", typed(preset("levant"), name="FRIDAY"))
    assert codes(taken) == ["taken"]
    assert taken.status_code == 422


def test_check_says_what_the_rules_do_and_keeps_nothing(owner, cast):
    rules = friday(cast.club)
    sent = typed(rules.ruleset, doubling__owner_bonus="false", action="check")
    for headers in ({}, {"HX-Request": "true"}):
        response = owner.post(f"{PAGE}{rules.id}/", sent, headers=headers)
        assert response.status_code == 200
        assert "costs" in response.text
        assert "Not as in Trex with kingdoms" in response.text
        assert ("<h1>" in response.text) == (not headers)
    assert not HouseRules.objects.get().options


def test_check_of_half_a_number_says_what_it_can(owner):
    sent = typed(preset("levant"), values__king="7x", action="check")
    assert owner.post(f"{NEW}?from=levant", sent).status_code == 200


def seen_on(page):
    return re.search(r'name="seen" value="(\w+)"', page.text)[1]


# Nothing that another owner changed meanwhile is written over unseen, and no tap is lost.
def test_two_owners_at_the_same_set(owner, cast):
    rules = friday(cast.club)
    address = f"{PAGE}{rules.id}/"
    seen = seen_on(owner.get(address))
    assert (
        owner.post(address, typed(rules.ruleset, values__king="90", seen=seen)).status_code == 303
    )
    late = typed(rules.ruleset, values__queen="30", seen=seen)
    refused = owner.post(address, late)
    assert (refused.status_code, codes(refused)) == (409, ["stale"])
    assert HouseRules.objects.get().options == {"values.king": 90}
    assert 'name="values.queen" value="30"' in refused.text
    again = owner.post(address, {**late, "seen": seen_on(refused)})
    assert again.status_code == 303
    assert HouseRules.objects.get().options == {"values.queen": 30}


def test_refused_name_does_not_make_the_form_stale(owner, cast):
    rules, _other = friday(cast.club), friday(cast.club, "Saturday")
    address = f"{PAGE}{rules.id}/"
    sent = typed(rules.ruleset, name="Saturday", seen=seen_on(owner.get(address)))
    refused = owner.post(address, sent)
    assert codes(refused) == ["taken"]
    sent |= {"name": "Sunday", "seen": seen_on(refused)}
    assert owner.post(address, sent).status_code == 303


def test_set_that_somebody_deletes_meanwhile_does_not_come_back(cast):
    rules = friday(cast.club)
    HouseRules.objects.all().delete()
    with pytest.raises(house_rules.ServiceError) as refused:
        house_rules.change(rules=rules, name="Friday", options={})
    assert refused.value.code == "gone"
    assert not HouseRules.objects.exists()


def test_set_that_somebody_deletes_meanwhile_is_not_offered_first(owner, cast, monkeypatch):
    rules = friday(cast.club)
    HouseRules.objects.all().delete()
    monkeypatch.setattr(
        "scoring.house_rules.views.house_rules._set_of", lambda club, rules_id: rules
    )
    assert owner.post(PAGE, {"default": str(rules.id)}).status_code == 404


# A name that would run is shown as it was typed. C121
def test_names_are_names(owner, cast):
    rules = friday(cast.club, NASTY)
    for address in (PAGE, f"{PAGE}{rules.id}/", "/clubs/cafe-younes/"):
        page = owner.get(address).text
        assert "&lt;img src=x" in page
        assert NASTY not in page


# ── who may ─────────────────────────────────────────────────────────────


def test_members_read_and_only_the_owner_writes(cast, phone_of):
    rules = friday(cast.club, teams="opposite")
    for person in (cast.badr, cast.amal, cast.esam):
        client = phone_of(person)
        page = client.get(f"{PAGE}{rules.id}/")
        assert "Those who sit opposite are a team" in page.text
        assert "<form" not in page.text.split("<main")[1]
        for action in ("save", "delete", "check"):
            sent = typed(rules.ruleset, action=action)
            assert client.post(f"{PAGE}{rules.id}/", sent).status_code == 403
        assert client.post(PAGE, {"default": str(rules.id)}).status_code == 403
        assert client.get(NEW).status_code == 404
        assert client.post(NEW, typed(preset("levant"))).status_code == 404
    assert HouseRules.objects.get().options == {"teams": "opposite"}


# Another club's people learn nothing, and its sets are not to be had by their ids. C94
def test_rules_of_another_club_are_nothing(cast, phone, phone_of):
    ours, theirs = friday(cast.club), friday(cast.other_club, "Theirs")
    for client in (phone, phone_of(cast.ghassan), phone_of(cast.farah)):
        for address in (PAGE, NEW, f"{PAGE}{ours.id}/"):
            assert client.get(address).status_code == 404
            assert client.post(address, typed(preset("levant"))).status_code == 404
    owner = phone_of(cast.owner)
    assert owner.get(f"{PAGE}{theirs.id}/").status_code == 404
    assert owner.post(f"{PAGE}{theirs.id}/", {"action": "delete"}).status_code == 404
    assert owner.get(f"{NEW}?from={theirs.id}").status_code == 404
    assert owner.post(PAGE, {"default": str(theirs.id)}).status_code == 404
    assert HouseRules.objects.count() == 2


def test_expired_form_keeps_everything_that_was_tapped(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner)
    rules = friday(cast.club)
    sent = typed(rules.ruleset, values__king="99", name="Saturday")
    response = client.post(f"{PAGE}{rules.id}/", sent)
    assert response.status_code == 422
    assert codes(response) == ["form_expired"]
    assert 'value="99"' in response.text
    assert client.post(f"{PAGE}{rules.id}/", {"action": "delete"}).status_code == 422
    assert HouseRules.objects.get().name == "Friday"


# ── matches keep what they began with ───────────────────────────────────


def test_match_opened_by_a_set_has_its_name_and_keeps_it(cast, phone_of, owner):
    rules = friday(cast.club, **{"values.king": 100})
    phone_of(cast.badr).post("/clubs/cafe-younes/matches/new/", start(cast.players, rules=rules.id))
    match = Match.objects.get()
    sent = typed(rules.ruleset, values__king="50", name="Saturday")
    owner.post(f"{PAGE}{rules.id}/", sent)
    owner.post(f"{PAGE}{rules.id}/", {"action": "delete"})
    page = phone_of(cast.badr).get(f"/matches/{match.id}/rules/").text
    assert "Friday" in page
    assert "−100" in page


def test_rules_are_there_as_they_were_where_it_is_too_late_to_delete_them(cast):
    client = Client(enforce_csrf_checks=True)
    client.force_login(cast.owner)
    rules = friday(cast.club)
    response = client.post(f"{PAGE}{rules.id}/", {"action": "delete"})
    assert (response.status_code, codes(response)) == (422, ["form_expired"])
    assert f'value="{rules.name}"' in response.text
    assert HouseRules.objects.filter(id=rules.id).exists()


@pytest.mark.parametrize("count", [1, 12])
def test_list_asks_the_same_of_one_and_of_twelve(cast, owner, count, django_assert_num_queries):
    for number in range(count):
        friday(cast.club, f"Rules {number}")
    with django_assert_num_queries(5):
        owner.get(PAGE)


def test_form_of_rules_that_are_half_wrong_is_still_drawn():
    rules = preset("barbu")
    form = RulesForm({"values.king": ["x"], "teams": ["?"]}, rules, rules)
    assert form.rules.values.king == 80
    assert form.first
    assert form.groups


# A set of contracts comes back in the order of the page: it is the same set.
@pytest.mark.parametrize("name", ["kleshchi", "barbu", "levant"])
def test_rules_saved_unchanged_are_unchanged(name):
    rules = preset(name)
    sent = raw_of(rules)
    turned = {
        key: texts[::-1] if key.endswith(".contracts") else texts for key, texts in sent.items()
    }
    assert ruleset(rules.system, read(turned, rules)).options() == {}
    order = sorted(rules.hearts_lead.contracts, reverse=True)
    pinned = ruleset(rules.system, {"hearts_lead.contracts": order})
    assert list(differing(pinned, rules)) == []
