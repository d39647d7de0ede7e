"""The rules of a table as sentences: every option of the book speaks, to whoever may look."""

import re
from itertools import pairwise

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from scoring.house_rules.presenters.option_sentences import sentence
from scoring.house_rules.presenters.options import GATES, GROUPS, LABELS, NEEDS, matters
from scoring.house_rules.presenters.rules_card import rules_card
from scoring.house_rules.services import house_rules
from scoring.rules import PRESETS, SYSTEMS, preset, ruleset
from tests.factories import diamonds, king, make_cast, make_match
from tests.support.tables import match_of, phone_client
from tests.support.worked import load

BOOK = {option["name"]: option for option in load("options")}

# What else must be so for an option to matter, and the system to look at.
WITH = {
    "kingdom_pass": ("levant", {}),
    "general_last": ("barbu", {"contract_order": "drawn"}),
    "contracts_scope": ("barbu", {}),
    "hearts_lead.forced_lead_breaks": ("levant", {}),
    "doubling.partner_capture": ("levant", {"teams": "opposite"}),
    "doubling.in_combo": ("levant", {"combo": "free"}),
    "pile.stuck": ("kleshchi", {}),
    "pile.wrap": ("kleshchi", {}),
    "ace_replay_chain": ("barbu", {}),
    "redeal.queens_draw": ("levant", {"teams": "opposite"}),
    "cheat.multiplied": ("barbu", {}),
    "cheat.replay": ("barbu", {}),
    "forfeit_first_three": ("kleshchi", {"contract_order": "fixed"}),
}
LISTS = {
    "values.trex": ([200, 150, 100, 50], [100, 50, 0, -50]),
    "hearts_lead.contracts": ([], ["king"], ["king", "queens"]),
    "kabbout.contracts": ([], ["tricks"], ["queens"]),
    "fifty_one.values": (
        {"A": 1, "K": 4, "Q": 3, "J": 2, "T": -1, "9": 0, "8": 8, "7": 7},
        {"A": 1, "K": 4, "Q": 3, "J": 2, "T": 10, "9": 0, "8": 8, "7": 7},
    ),
}


def place(name):
    """A system and options under which this option matters."""
    offered = next(each for each, value in BOOK[name]["default"].items() if value is not None)
    return WITH.get(name, (offered, {}))


def values(name):
    option = BOOK[name]
    if option["type"] == "enum":
        return option["values"]
    return LISTS.get(name) or ((True, False) if option["type"] == "bool" else (2, 3))


def said(rules):
    """Every sentence of the card and every line of its costs; what adds up stands apart."""
    card = rules_card(rules)
    sections = [sentence for section in card.sections for sentence in section.sentences]
    return {*card.special, *sections, *((c.contract, c.how, c.total) for c in card.costs)}


# No option is left out: each value has a sentence of its own.
@pytest.mark.parametrize("name", BOOK)
def test_option_changes_a_sentence_with_its_value(name):
    system, others = place(name)
    cards = [said(ruleset(system, {**others, name: value})) for value in values(name)]
    assert len({frozenset(card) for card in cards}) == len(cards) > 1
    for one, other in pairwise(cards):
        assert one - other
        assert other - one


def test_every_option_has_a_group_and_a_name():
    grouped = [name for group in GROUPS for name in group.options]
    assert sorted(grouped) == sorted(LABELS) == sorted(BOOK)
    assert set(NEEDS) <= set(BOOK)
    assert {gate for gates in NEEDS.values() for gate in gates} == set(GATES)


@pytest.mark.parametrize("name", NEEDS)
def test_option_that_hangs_on_another_is_silent_without_it(name):
    """Somewhere it matters, somewhere it does not, and there it changes no sentence."""
    system, others = place(name)
    assert matters(name, ruleset(system, {**others, name: values(name)[0]}))
    tables = [*map(preset, PRESETS), ruleset("levant", {"hearts_lead.mode": "free"})]
    assert any(not matters(name, rules) for rules in tables)


@pytest.mark.parametrize("name", PRESETS)
def test_what_is_not_as_usual_is_marked_and_nothing_is_said_twice(name):
    card = rules_card(preset(name))
    assert bool(card.special) == (name not in SYSTEMS)
    sentences = [sentence for section in card.sections for sentence in section.sentences]
    assert len({*card.special, *sentences}) == len(card.special) + len(sentences)


@pytest.mark.parametrize(
    ("system", "options", "first", "codes"),
    [
        ("levant", {}, "The four totals of a match always add up to 0.", []),
        (
            "kleshchi",
            {},
            "The four totals of a match add up to 0, unless this happens:",
            [
                "A doubled king of hearts taken by another costs 75 more than anyone gains.",
                "A doubled queen taken by another costs 25 more than anyone gains.",
            ],
        ),
        (
            "barbu",
            {},
            "The four totals of a match do not add up to a fixed number:",
            [
                "The chooser’s points count 2 times.",
                "The points of a forced contract count 2 times.",
                "After a kabbout each of the others gets +400: Tricks, Hearts, General.",
                "A cheater gets +400, and nothing else in that deal counts.",
            ],
        ),
    ],
)
def test_card_says_what_must_add_up(system, options, first, codes):
    told = rules_card(ruleset(system, options)).sums
    plain = [re.sub("<[^>]+>", "", sentence) for sentence in (told.first, *told.unless)]
    assert plain == [first, *codes]


# The arbiter's points and a tie's extra deal count in the totals and in no promise.
@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("levant", "An extra deal after a tie, penalties and corrections come on top."),
        ("kleshchi", "Penalties and corrections come on top."),
        ("barbu", ""),
    ],
)
def test_card_says_what_comes_on_top_of_the_sums(name, beside):
    assert rules_card(preset(name)).sums.beside == beside


BREAKING = [
    {"doubling.self_capture": "double"},
    {"doubling.self_capture": "quadruple"},
    {"doubling.self_capture": "leader_gains"},
    {"teams": "opposite", "doubling.partner_capture": "no_bonus"},
    {"teams": "opposite", "doubling.partner_capture": "opponents_gain"},
    {"values.trex": [100, 50, 0, -50], "doubling.owner_bonus": False},
    {"fifty_one.target": 96},
]


@pytest.mark.parametrize("options", BREAKING)
@pytest.mark.parametrize("system", ["levant", "barbu"])
def test_everything_that_breaks_the_sum_has_words(system, options):
    told = rules_card(ruleset(system, {"doubling.king": True, **options})).sums
    assert not [sentence for sentence in told.unless if "(" in sentence]


def plain(sentences):
    return {re.sub("<[^>]+>", "", str(sentence)) for sentence in sentences}


@pytest.mark.parametrize(
    ("system", "options", "said_so"),
    [
        # Read alone, among what is not as usual, each must say what it is about.
        ("levant", {"redeal.keeps_contract": True}, "After a new deal for twos Trex stays chosen."),
        ("barbu", {"cheat.replay": True}, "A contract that ended with cheating is played again."),
        (
            "barbu",
            {"cheat.multiplied": True},
            "The factors of chooser and forced contract multiply the penalty for cheating.",
        ),
        ("barbu", {"forced_applies_to_trex": False}, "A forced Trex counts like any other Trex."),
        (
            "barbu",
            {"contracts_scope": "game"},
            "The last contract of the match is forced: its points count 2 times.",
        ),
        (
            "barbu",
            {"combo": "complex"},
            "All are played in one deal, only these by themselves: Trex, Fifty-one, General.",
        ),
        (
            "levant",
            {"combo": "complex"},
            "All penalty contracts are played in one deal, Trex in another.",
        ),
        ("barbu", {"contract_order": "fixed"}, "General is not kept for the end."),
    ],
)
def test_sentence_holds_at_this_table(system, options, said_so):
    assert said_so in plain(said(ruleset(system, options)))


@pytest.mark.parametrize(
    ("name", "system", "options"),
    [
        # Lots are drawn one by one, so nothing is combined.
        ("combo", "levant", {"combo": "free", "contract_order": "drawn"}),
        ("trex_needs_jack", "barbu", {"contract_order": "fixed"}),
        ("hearts_lead.mode", "levant", {"hearts_lead.contracts": []}),
        ("hearts_lead.forced_lead_breaks", "levant", {"hearts_lead.contracts": []}),
        # Who doubles all four queens pays their own once, whatever else is agreed.
        (
            "doubling.self_capture",
            "levant",
            {"doubling.king": False, "doubling.queens_unit": "whole_contract"},
        ),
    ],
)
def test_rule_that_cannot_come_up_is_not_told(name, system, options):
    rules = ruleset(system, options)
    assert not matters(name, rules)
    assert sentence(name, rules) not in said(rules)
    assert matters(name, SYSTEMS[system])


# ── the page ────────────────────────────────────────────────────────────


def page_of(match, client):
    return client.get(f"/matches/{match.id}/rules/")


def test_card_of_a_clubless_match_is_for_its_phone(phone):
    match = match_of(options={"values.king": 100})
    page = page_of(match, phone_client())
    assert page.status_code == 200
    assert "The rules of this table" in page.text
    assert "Trex with kingdoms" in page.text
    assert 'The king of hearts: <bdi class="num" dir="ltr">−100</bdi>.' in page.text
    assert page_of(match, phone).status_code == 404


def test_everybody_who_sees_the_match_reads_its_rules_and_nobody_else(phone, phone_of):
    cast = make_cast(is_public=True)
    match = make_match(club=cast.club, players=cast.players, rules_name="Friday <b>")
    for client in (phone, phone_of(cast.badr), phone_of(cast.ghassan)):
        assert "Friday &lt;b&gt;" in page_of(match, client).text
    cast.club.is_public = False
    cast.club.save()
    for client in (phone, phone_of(cast.ghassan), phone_of(cast.farah)):
        assert page_of(match, client).status_code == 404


def test_rules_are_one_tap_from_the_table(cast, phone_of):
    match = make_match(club=cast.club, players=cast.players)
    client = phone_of(cast.badr)
    assert f'href="/matches/{match.id}/rules/"' in client.get(f"/matches/{match.id}/").text


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("language", ["en", "ar", "fr"])
def test_card_of_every_preset_is_drawn_in_every_language(db, name, language):
    chosen = PRESETS[name]
    match = match_of(system=chosen.system, options=dict(chosen.options), preset=name)
    client = phone_client()
    client.cookies["django_language"] = language
    with translation.override(language):
        page = page_of(match, client)
    assert page.status_code == 200
    assert "{" not in re.sub(r"(?s)<(script|style|meta|body).*?>", "", page.text)


# Old matches keep their points, their sheet and their rules. C73
@pytest.mark.parametrize("act", ["edited", "deleted"])
def test_match_keeps_all_when_its_set_is_edited_or_deleted(
    cast, phone_of, django_assert_num_queries, act
):
    rules = house_rules.create(
        club=cast.club, name="Friday", preset="levant", options={"values.king": 100}
    )
    match = make_match(
        club=cast.club,
        players=cast.players,
        options=rules.options,
        preset=rules.preset,
        rules_name=rules.name,
        entries=[king(), diamonds()],
    )
    client = phone_of(cast.badr)
    pages = {name: f"/matches/{match.id}/{name}" for name in ("", "sheet/", "rules/")}
    before = {name: shown(client, address) for name, address in pages.items()}
    if act == "edited":
        house_rules.change(rules=rules, name="Saturday", options={"values.king": 50})
    else:
        house_rules.delete(rules=rules)
    assert {name: shown(client, address) for name, address in pages.items()} == before
    assert "Friday" in before["rules/"][1]
    assert "−100" in before["sheet/"][1]
    with django_assert_num_queries(4):  # session, account, match with its club, its roles
        client.get(pages["rules/"])


def shown(client, address):
    """The page without what is new each time it is drawn, and how often it asked the database."""
    with CaptureQueriesContext(connection) as asked:
        page = client.get(address).text
    text = re.sub(r'(csrf\w*"?\s*(value=|:)\s*"?|token": ")\w+|data-drawn="[^"]+"', "", page)
    return len(asked), re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "", text)
