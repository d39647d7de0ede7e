"""Whole evenings typed in on a phone 390 px wide, every running total held against the file."""

from itertools import accumulate, pairwise
from random import Random

import pytest
from playwright.sync_api import expect

from scoring.matches.views import match as matches
from scoring.rules import PRESETS
from tests.browser.table import Phone
from tests.factories import NAMES, evenings, record
from tests.naive import naive_scores
from tests.naive_schedule import naive_winners
from tests.support.evenings import played_evening
from tests.support.tables import PHONE, match_of, url

pytestmark = pytest.mark.django_db(transaction=True)


KINGDOM = 5
"""Deals of levant: every contract once."""


def play(phone, name, deals=None):
    evening = evenings()[name]
    match = match_of(
        system=evening["system"],
        players=evening["players"],
        first_chooser=evening["first_chooser"],
    )
    phone.open(url("match", match))
    for deal in evening["deals"][:deals]:
        phone.enter(deal)
        assert phone.totals() == deal["totals"], deal
    return match


# The pages are held to the same worked evenings as the rules. C88
@pytest.mark.parametrize("name", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_an_evening_typed_in_gives_the_totals_of_the_file(page, live_server, name):
    phone = Phone(page, live_server.url)
    match = play(phone, name)
    phone.tap('button:near(.places, 400):has-text("Finish")')
    expect(page.locator(".end-name")).to_be_visible()
    phone.open(url("sheet", match))
    assert page.locator("tr[data-deal]").count() == len(evenings()[name]["deals"])


def test_a_kingdom_in_arabic(page, live_server):
    phone = Phone(page, live_server.url, language="ar")
    play(phone, "evening-levant", KINGDOM)
    assert page.locator("html").get_attribute("dir") == "rtl"


def test_a_kingdom_without_a_script(new_context, live_server):
    phone = Phone(new_context(java_script_enabled=False).new_page(), live_server.url)
    play(phone, "evening-levant", KINGDOM)


# ── evenings of players who lay any card that is legal ──────────────────


def dealt(name, seed):
    """An evening under a preset: its deals as they are typed, and the totals after each, worked
    out by the second scorer."""
    preset = PRESETS[name]
    evening = played_evening(Random(seed), preset.system, dict(preset.options))
    cases = evening.cases()
    scores = [naive_scores(case) for case in cases]
    totals = list(accumulate(scores, lambda one, two: list(map(sum, zip(one, two, strict=True)))))
    numbered = [case | {"deal_number": number} for number, case in enumerate(cases, start=1)]
    winners = naive_winners(preset.system, dict(preset.options), cases, scores)
    return evening, numbered, totals, winners


def type_in(page, server, name, seed, begun=0):
    """The evening typed in deal by deal, after so many that are there already. Gives the phone, the
    match, what was typed and the taps for each."""
    evening, cases, totals, winners = dealt(name, seed)
    match = match_of(
        system=evening.system,
        options=evening.options,
        first_chooser=evening.first_chooser,
        first_dealer="beside" if evening.first_dealer is None else evening.first_dealer,
    )
    for case in cases[:begun]:
        record(match, case, actor=PHONE)
    phone = Phone(page, server.url)
    phone.open(url("match", match))
    taps = [0]
    for case, expected in list(zip(cases, totals, strict=True))[begun:]:
        phone.enter(case)
        taps.append(phone.taps)
        assert phone.totals() == expected, case
    phone.tap('button:near(.places, 400):has-text("Finish")')
    expect(page.locator(".end-name")).to_be_visible()
    champions = page.locator(".end-name bdi").all_text_contents()
    assert sorted(champions) == sorted(NAMES[seat] for seat in winners)
    return phone, match, cases[begun:], [after - before for before, after in pairwise(taps)]


def is_plain(case):
    """Nothing was doubled and nothing went wrong: what the budgets speak of."""
    return not {"doubles", "revoke_by", "cheat_by"} & set(case["input"])


def test_a_complex_evening_costs_at_most_17_taps_a_kingdom(page, live_server):
    *_, cases, taps = type_in(page, live_server, "levant-complex", 29)
    plain = [
        complex_deal + trex
        for case, complex_deal, trex in zip(cases[::2], taps[::2], taps[1::2], strict=True)
        if is_plain(case)
    ]
    assert len(plain) == 2
    assert max(plain) <= 17


# Partners' sums beside the seats, and winners by team. C-L19
def test_an_evening_of_partners(page, live_server):
    phone, match, *_ = type_in(page, live_server, "levant-partners", 2, begun=2 * KINGDOM)
    _, cases, totals, _ = dealt("levant-partners", 2)
    seats = totals[-1]
    sides = sorted([seats[0] + seats[2], seats[1] + seats[3]], reverse=True)
    shown = page.locator(".places > li > b").all_text_contents()
    assert [int(text.replace("−", "-")) for text in shown] == sides
    phone.open(url("sheet", match))
    assert page.locator("tr[data-deal] .split").count() == len(cases)


# The page draws every contract; general, forced and last, in at most 13 taps. C-B9
def test_an_evening_by_lot(page, live_server, monkeypatch):
    _, cases, *_ = dealt("barbu-drawn", 6)
    lots = iter(case["contract"] for case in cases[20:])

    class Lot:
        """Falls as it fell on that evening."""

        def choice(self, contracts):
            drawn = next(lots)
            return next(one for one in contracts if one.key == drawn)

    monkeypatch.setattr(matches, "SystemRandom", Lot)
    *_, cases, taps = type_in(page, live_server, "barbu-drawn", 6, begun=20)
    general = [
        used for case, used in zip(cases, taps, strict=True) if case["contract"] == "general"
    ]
    assert len(general) == 4
    assert max(general) <= 13
