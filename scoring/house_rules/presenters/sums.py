"""What a table's rules do to the sums that it checks itself by, in plain words."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common.words import Words
from scoring.house_rules.presenters.option_sentences import contracts, figure, signed
from scoring.rules import Guarantee, Ruleset, guarantees

SUMS: Mapping[str, Words] = {
    "always_sums": _("The four totals of a match always add up to {match}."),
    "usually_sums": _("The four totals of a match add up to {match}, unless this happens:"),
    "never_sums": _("The four totals of a match do not add up to a fixed number:"),
}
CARDS: Mapping[tuple[str, str], Words] = {
    ("doubled_costs_more", "king"): _(
        "A doubled king of hearts taken by another costs {points} more than anyone gains."
    ),
    ("doubled_costs_more", "queens"): _(
        "A doubled queen taken by another costs {points} more than anyone gains."
    ),
    ("own_double_costs_more", "king"): _(
        "A king of hearts taken by its own doubler costs {points} more than it would undoubled."
    ),
    ("own_double_costs_more", "queens"): _(
        "A queen taken by its own doubler costs {points} more than it would undoubled."
    ),
    ("partner_double_costs_more", "king"): _(
        "A doubled king of hearts taken by the doubler’s partner costs {points} more than anyone "
        "gains."
    ),
    ("partner_double_costs_more", "queens"): _(
        "A doubled queen taken by the doubler’s partner costs {points} more than anyone gains."
    ),
    ("own_side_led_costs_more", "king"): _(
        "A doubled king of hearts taken by the doubler’s partner in a trick that their own side "
        "led costs {points} more than anyone gains."
    ),
    ("own_side_led_costs_more", "queens"): _(
        "A doubled queen taken by the doubler’s partner in a trick that their own side led costs "
        "{points} more than anyone gains."
    ),
    ("revoked_double_costs_more", "king"): _(
        "A doubled king of hearts that its doubler gets for a revoke costs {points} more than "
        "anyone gains."
    ),
    ("revoked_double_costs_more", "queens"): _(
        "A doubled queen that its doubler gets for a revoke costs {points} more than anyone gains."
    ),
    ("partner_revoke_costs_more", "king"): _(
        "A doubled king of hearts that the doubler’s partner gets for a revoke costs {points} more "
        "than anyone gains."
    ),
    ("partner_revoke_costs_more", "queens"): _(
        "A doubled queen that the doubler’s partner gets for a revoke costs {points} more than "
        "anyone gains."
    ),
}
OTHERS: Mapping[str, Words] = {
    "chooser_counts": _("The chooser’s points count {factor} times."),
    "forced_counts": _("The points of a forced contract count {factor} times."),
    "kabbout": _("After a kabbout each of the others gets {amount}: {contracts}."),
    "cheat": _("A cheater gets {amount}, and nothing else in that deal counts."),
    "fifty_one_unlost": _("In fifty-one the cards may stay below {target}, and nobody loses."),
}


class SumSentences(NamedTuple):
    """Whether the totals add up to something, everything that can upset it, and what is not
    counted in it (nothing where there is no such sum)."""

    first: SafeString
    unless: list[SafeString]
    beside: str


def sums(rules: Ruleset) -> SumSentences:
    first, *rest = guarantees(rules)
    beside = "" if first.code == "never_sums" else _beside(rules)
    return SumSentences(_said(first, rules), [_said(each, rules) for each in rest], beside)


def _beside(rules: Ruleset) -> str:
    if rules.tie_break == "trex_firsts":
        return gettext("An extra deal after a tie, penalties and corrections come on top.")
    return gettext("Penalties and corrections come on top.")


def _said(one: Guarantee, rules: Ruleset) -> SafeString:
    text = SUMS.get(one.code) or OTHERS.get(one.code)
    text = text or CARDS.get((one.code, str(one.numbers.get("item"))))
    if text is None:
        return format_html(gettext("Something else ({code})."), code=one.code)
    return format_html(str(text), **{name: _shown(name, one, rules) for name in one.numbers})


def _shown(name: str, one: Guarantee, rules: Ruleset) -> str:
    value = one.numbers[name]
    if name == "contracts":
        return contracts(cast(Sequence[str], value))
    if not isinstance(value, int):
        return str(value)
    if name == "amount":
        return signed(rules.sign * value)
    return signed(value) if name == "match" else figure(value)
