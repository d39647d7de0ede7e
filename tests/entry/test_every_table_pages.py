"""Every variant through the pages: rules made in the editor, a match opened by them, each deal
entered by the fields its form has, to the winner."""

import re
from itertools import accumulate
from random import Random

import pytest
from django.utils.html import conditional_escape

from scoring.entry.forms.entry import raw_of
from scoring.house_rules.forms.rules_data import raw_of as form_of_rules
from scoring.house_rules.presenters.rules_card import rules_card
from scoring.models import HouseRules, Match
from scoring.rules import PRESETS, ruleset
from tests.factories import NAMES
from tests.house_rules.test_rules_card_pages import BOOK, place, values
from tests.matches.test_match_new_pages import start
from tests.naive import naive_scores
from tests.naive_schedule import naive_winners
from tests.support.evenings import TABLES, played_evening
from tests.support.markup import flat
from tests.support.tables import codes, form_data, totals, url

NEW = "/clubs/cafe-younes/rules/new/"
TABLE_NEW = "/clubs/cafe-younes/matches/new/"
QUEENS = ("QS", "QH", "QD", "QC")


def made(client, cast, rules, **begin):
    """A match by rules that the owner made in the editor."""
    base = next(name for name, each in PRESETS.items() if each.system == rules.system)
    sent = {"name": "Friday", "action": "save", **form_of_rules(rules)}
    assert client.post(f"{NEW}?from={base}", sent).status_code == 303
    kept = HouseRules.objects.get()
    assert kept.ruleset == rules
    told = {key: str(seat) for key, seat in begin.items() if seat is not None}
    answer = client.post(TABLE_NEW, start(cast.players, rules=str(kept.id), **told))
    assert answer.status_code == 303
    match = Match.objects.get()
    assert ruleset(match.system, match.options) == rules
    return match


def other_than_usual(name):
    """Rules in which this option matters and has not its usual value."""
    system, others = place(name)
    for value in values(name):
        rules = ruleset(system, others | {name: value})
        if name in rules.options() and name not in others:
            return rules
    raise AssertionError(name)


@pytest.mark.parametrize("name", BOOK)
def test_option_is_set_in_the_editor_pinned_and_explained(cast, phone_of, name):
    rules = other_than_usual(name)
    client = phone_of(cast.owner)
    match = made(client, cast, rules)
    assert name in match.options
    page = client.get(url("match_rules", match)).text
    card = rules_card(rules)
    assert card.special
    assert all(conditional_escape(sentence) in page for sentence in card.special)


def begin(client, match, evening):
    """Says who holds the seven, or who deals, where the page asks for it."""
    (now, _), seven = evening.turns[0], evening.rules.chooser_first == "seven_of_hearts"
    if 'value="deals"' in client.get(url("match", match)).text:
        data = form_data(match, "", action="deals", seat=now.dealer)
        assert client.post(url("match", match), data).status_code == 303
    if 'value="first"' not in client.get(url("match", match)).text:
        return
    data = form_data(match, "", action="first", seat=now.chooser if seven else now.dealer)
    assert client.post(url("match", match), data).status_code == 303


def names_on(page):
    return set(re.findall(r'<input[^>]* name="([^"]+)"', page.text))


def tapped(page, entry, rules):
    """What is tapped: of all that happened, what this page asks."""
    raw = raw_of(entry)
    if rules.doubling.queens_unit == "whole_contract":
        announced = [raw.pop(f"doubles.{card}", None) for card in QUEENS]
        seats = [seat for seat in announced if seat is not None]
        asked = [card for card in QUEENS if f"doubles.{card}" in names_on(page)]
        raw |= {f"doubles.{card}": seat for card, seat in zip(asked, seats, strict=False)}
    if "queens.0" in names_on(page):
        takers = [raw.get(f"queens_taken_by.{card}") for card in QUEENS]
        raw |= {f"queens.{seat}": str(takers.count(str(seat))) for seat in range(4)}
    return {name: value for name, value in raw.items() if name in names_on(page)}, raw


def enter(client, match, deal, rules):
    query = {"contract": deal.entry.contract.key, "chooser": deal.chooser}
    page = client.get(url("match", match, **query))
    assert 'class="entry"' in page.text, (query, codes(page))
    roles = {"chooser": str(deal.chooser), "dealer": str(deal.dealer)}
    facts, all_facts = tapped(page, deal.entry, rules)
    data = form_data(match, deal.entry.contract.key, **facts, **roles)
    answer = client.post(url("match", match, **query), data)
    if codes(answer) and set(codes(answer)) == {"trick_leader_missing"}:
        asked = [name for name in names_on(answer) if name.startswith("trick_leader.")]
        leaders = {name: all_facts[name] for name in asked}
        assert leaders
        data = form_data(match, deal.entry.contract.key, **facts, **roles, **leaders)
        answer = client.post(url("match", match, **query), data)
    assert answer.status_code == 303, (codes(answer), data)
    return client.get(f"{answer.url}&contract=")


@pytest.mark.parametrize("number", range(len(TABLES)), ids=lambda number: str(TABLES[number]))
def test_from_the_editor_to_the_winner(cast, phone_of, number):
    evening = played_evening(Random(number), *TABLES[number], strays=0.1)
    client, cases = phone_of(cast.owner), evening.cases()
    first = {"first_chooser": evening.first_chooser, "first_dealer": evening.first_dealer}
    match = made(client, cast, evening.rules, **first)
    begin(client, match, evening)
    scores = [naive_scores(case) for case in cases]
    expected = accumulate(scores, lambda one, two: list(map(sum, zip(one, two, strict=True))))
    for deal, after in zip(evening.deals, expected, strict=True):
        assert totals(enter(client, match, deal, evening.rules)) == after
    answer = client.post(url("match", match), form_data(match, "", action="finish"))
    assert answer.status_code == 303, codes(answer)
    winners = winners_of(evening, cases, scores)
    title = re.search(r'class="end-name">(.*?)</h1>', flat(client.get(answer.url)))[1]
    assert re.findall(r"<bdi>(\w+)</bdi>", title) == [NAMES[seat] for seat in winners]


def winners_of(evening, cases, scores):
    """By the second schedule; a tie's extra deal stands behind the others."""
    had = sum(not now.is_extra for now, _ in evening.turns)
    return naive_winners(evening.system, evening.options, cases[:had], scores[:had], *scores[had:])
