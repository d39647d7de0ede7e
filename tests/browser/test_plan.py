"""What the script foretells without a network is what the schedule says, along any way through a
match in which the table does as proposed."""

from pathlib import Path
from random import Random

import pytest
from django.conf import settings

from scoring.rules import ruleset
from scoring.rules.course import Played, dealer_follows_chooser
from scoring.rules.rulesets.offers import offers, prerequisites
from scoring.rules.schedule import turn
from scoring.rules.upcoming import chooser_continues, upcoming_choosers, upcoming_dealers

PLAN = (Path(settings.BASE_DIR) / "static" / "js" / "plan.js").read_text()
FOLLOW = """async ({source, plan, kit, walk}) => {
  const planned = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return walk.map((_, count) => {
    const now = planned.ahead(plan, kit, walk.slice(0, count));
    const offered = now.chooser === null ? [] : kit.offers
        .filter((offer) => planned.isOffered(offer, plan, now, now.chooser));
    return [now.number, now.chooser, offered.map((offer) => offer.key), now.dealer(now.chooser)];
  });
}"""
TABLES = [
    ("levant", {}),
    ("levant", {"combo": "complex"}),
    ("levant", {"combo": "free"}),
    ("levant", {"dealer_rule": "owner_deals"}),
    ("levant", {"kingdom_pass": "seven_each_kingdom"}),
    ("kleshchi", {}),
    ("kleshchi", {"contract_order": "fixed"}),
    ("barbu", {}),
    ("barbu", {"contract_order": "drawn", "general_last": True}),
    ("barbu", {"contracts_scope": "game"}),
]


def walked(rules, begun, seed):
    """The deals of one evening, and before each what the schedule says of it."""
    chance, played = Random(seed), []
    while True:
        now = turn(rules, 0, 0, played)
        if now.over:
            return played
        chooser = chance.choice(now.choosers) if now.chooser is None else now.chooser
        offered = list(offers(rules, now.left[chooser]))
        if len(played) >= begun and rules.combo == "free":
            offered = [one for one in offered if not one.is_combined]
        dealer = 0 if now.dealer is None else now.dealer
        played.append(Played(now.deal_number, dealer, chooser, chance.choice(offered)))


def schedule_says(rules, played):
    now = turn(rules, 0, 0, played)
    if now.chooser is None:
        return now.deal_number, None, [], now.dealer
    alone = {contract for contract, _ in prerequisites(rules)}
    return (
        now.deal_number,
        now.chooser,
        [one.key for one in now.contracts if one in alone],
        now.dealer,
    )


@pytest.mark.parametrize(("system", "options"), TABLES)
def test_script_foretells_what_the_schedule_says(page, system, options):
    rules = ruleset(system, options)
    for begun in (0, 1, 6):
        played = walked(rules, begun, begun)
        before = played[:begun]
        now = turn(rules, 0, 0, before)
        plan = {"deals": list(upcoming_choosers(now, 0, 0, before)), "left": now.left}
        plan |= {"number": now.deal_number, "only": [], "dealers": upcoming_dealers(now)}
        kit = {
            "again": [],
            "shared": rules.contracts_scope == "game",
            "stays": chooser_continues(rules),
        }
        kit["beside"] = dealer_follows_chooser(rules)
        kit["offers"] = [
            {"key": one.key, "parts": one.parts, "before": sorted(first)}
            for one, first in prerequisites(rules)
        ]
        walk = [
            {
                "number": deal.deal_number,
                "chooser": deal.chooser,
                "fields": {"contract": deal.contract.key},
            }
            for deal in played[begun:]
        ]
        said = page.evaluate(FOLLOW, {"source": PLAN, "plan": plan, "kit": kit, "walk": walk})
        for count, (number, chooser, keys, dealer) in enumerate(said):
            expected = schedule_says(rules, played[: begun + count])
            if chooser is None:  # it asks, even where only one is left
                assert rules.kingdom_pass == "seven_each_kingdom"
            else:
                assert (number, chooser, keys, dealer) == expected, (begun, count)
