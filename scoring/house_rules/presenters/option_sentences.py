"""What each option of a table's rules says, one plain sentence for each of its values.

Nothing here says left or right: the next player is the next in order of play, whichever way the
table plays. "The chooser" is the owner of the kingdom as well.
"""

from collections.abc import Callable, Iterable, Mapping

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.common import words
from scoring.rules import Item, Ruleset
from scoring.rules.cards import RANK_ORDERS, rank
from scoring.rules.contracts import COMBINABLE
from scoring.rules.rulesets.ruleset import OPTION_GETTERS

type Say = Callable[[Ruleset], SafeString]


def sentence(name: str, rules: Ruleset) -> SafeString:
    """What the option says with the value that it has in these rules."""
    if say := TOLD.get(name):
        return say(rules)
    return format_html("{}", PLAIN[name][plain_value(OPTION_GETTERS[name](rules))])


def plain_value(value: object) -> str:
    """A word or a yes or no as forms and tables have it: "single", "true", "false"."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _yes_no(yes: words.Words, no: words.Words) -> dict[str, words.Words]:
    return {"true": yes, "false": no}


PLAIN: Mapping[str, Mapping[str, words.Words]] = {
    "direction": {
        "anticlockwise": _("Play and deal go anticlockwise, to the right."),
        "clockwise": _("Play and deal go clockwise, to the left."),
    },
    "dealer_rule": {
        "rotate": _("After every deal the next player deals."),
        "owner_deals": _("The chooser deals."),
        "owner_left": _("The player before the chooser deals."),
    },
    "chooser_order": {
        "kingdom": _("Kingdoms: one player chooses until all their contracts are played."),
        "rotate": _("After every deal the next player chooses."),
    },
    "kingdom_pass": {
        "right": _("The next kingdom belongs to the next player."),
        "seven_each_kingdom": _(
            "Each later kingdom belongs to the holder of the seven of hearts in its first deal; if "
            "they have had theirs, to the next player who has not."
        ),
    },
    "chooser_first": {
        "seven_of_hearts": _("The holder of the seven of hearts chooses first."),
        "dealer_right": _("The player after the first dealer chooses first."),
        "dealer": _("The first dealer chooses first."),
    },
    "first_lead": {
        "dealer_right": _("The player after the dealer leads to the first trick."),
        "chooser": _("The chooser leads to the first trick."),
    },
    "trex_start": {
        "chooser": _("The chooser begins Trex."),
        "dealer": _("The dealer begins Trex."),
        "dealer_right": _("The player after the dealer begins Trex."),
    },
    "general_last": _yes_no(
        _("General is always the last contract."),
        _("General is not kept for the end."),
    ),
    "contracts_scope": {
        "player": _("Every player plays each contract once."),
        "game": _("Each contract is played once in the whole match."),
    },
    "early_end": {
        "allowed": _("A deal may stop as soon as nothing can change any more."),
        "off": _("Every deal is played to its last card."),
    },
    "open_hands": _yes_no(
        _("Everybody plays with open cards."), _("Everybody keeps their cards hidden.")
    ),
    "hearts_lead.mode": {
        "free": _("Hearts may be led at any time."),
        "until_broken": _(
            "Hearts may be led only after one was discarded on another suit; who holds nothing "
            "but hearts may lead one."
        ),
        "only_if_no_other": _("Only who holds nothing but hearts may lead one."),
    },
    "hearts_lead.forced_lead_breaks": _yes_no(
        _("A heart led for want of other cards frees hearts for everybody."),
        _("A heart led for want of other cards does not free hearts for the others."),
    ),
    "must_dump": {
        "off": _("Who cannot follow suit plays any card."),
        "king": _(
            "Where the king of hearts costs points, its holder must play it as soon as they cannot "
            "follow suit, and under the ace of hearts."
        ),
        "all": _("Who cannot follow suit must play a card that costs points, if they hold one."),
    },
    "doubling.king": _yes_no(
        _("The king of hearts may be doubled: shown before the first trick."),
        _("The king of hearts is never doubled."),
    ),
    "doubling.queens": _yes_no(
        _("Queens may be doubled: shown before the first trick."), _("Queens are never doubled.")
    ),
    "doubling.owner_bonus": _yes_no(
        _("Whoever takes another’s doubled card pays twice, and the doubler gains it once."),
        _("Whoever takes another’s doubled card pays twice, and nobody gains."),
    ),
    "doubling.self_capture": {
        "single": _("Who takes the card they doubled themselves pays it once."),
        "double": _("Who takes the card they doubled themselves pays it twice."),
        "quadruple": _("Who takes the card they doubled themselves pays it four times."),
        "leader_gains": _(
            "Who takes the card they doubled themselves pays it twice, and whoever led that trick "
            "gains it once."
        ),
    },
    "doubling.queens_unit": {
        "per_queen": _("Each queen is doubled by itself, by its holder."),
        "whole_contract": _("Who doubles a queen doubles all four; who doubled pays theirs once."),
    },
    "doubling.partner_capture": {
        "as_opponent": _("A partner who takes the doubled card counts like an opponent."),
        "no_bonus": _("A partner who takes the doubled card pays it twice, and nobody gains."),
        "normal_value": _("A partner who takes the doubled card pays it once."),
        "opponents_gain": _(
            "A partner who takes the doubled card pays it twice, and the opponent who led that "
            "trick gains it once."
        ),
    },
    "doubling.in_combo": _yes_no(
        _("Cards may be doubled in combined deals too."),
        _("In combined deals nothing is doubled."),
    ),
    "win": {"high": _("The highest total wins."), "low": _("The lowest total wins.")},
    "teams": {
        "none": _("Everybody plays alone."),
        "opposite": _("Those who sit opposite are a team and add up their points."),
    },
    "trex_direction": {
        "same": _("Trex goes round the same way as the other deals."),
        "reverse": _("Trex goes round the other way."),
    },
    "trex_layout": {
        "suit_rows": _("Trex has four rows: a jack opens one, then cards go on at both ends."),
        "single_pile": _(
            "Trex is one pile: it begins with a jack, or with any card where the first player has "
            "none; then each card is one rank higher or lower than the last, whatever its suit."
        ),
    },
    "pile.stuck": {
        "last_player_any": _("When nobody can play, whoever played last plays any card."),
        "next_player_any": _("When nobody can play, the next player plays any card."),
    },
    "ace_replay": {
        "off": _("An ace gives no second turn."),
        "may": _("Who lays an ace may play one card more."),
        "must": _("Who lays an ace must play one card more, if they can."),
    },
    "ace_replay_chain": _yes_no(
        _("Every further ace gives one more turn."),
        _("However many aces follow, it is one extra card."),
    ),
    "trex_chooser_double": {
        "none": _("In Trex the chooser’s points are not multiplied."),
        "first": _("In Trex the chooser’s points are multiplied for the first place only."),
        "both": _("In Trex the chooser’s points are multiplied for the first and second place."),
    },
    "forced_applies_to_trex": _yes_no(
        _("A forced Trex is multiplied like every forced contract."),
        _("A forced Trex counts like any other Trex."),
    ),
    "trex_needs_jack": _yes_no(
        _("Who holds no jack may choose Trex only as their last contract."),
        _("Trex may be chosen without a jack."),
    ),
    "trex.expose_twos": _yes_no(
        _("In Trex all twos are laid open after everybody’s first turn."),
        _("In Trex the twos stay hidden."),
    ),
    "redeal.weak_hearts": {
        "off": _("Weak hearts are no reason for a new deal."),
        "on": _(
            "A new deal may be asked for with only the king, only the ace or only both of hearts, "
            "or with five and more hearts and the king among them."
        ),
        "with_one_card": _(
            "A new deal may be asked for with the king or ace of hearts and at most one heart "
            "more, or with five and more hearts and the king among them."
        ),
    },
    "redeal.twos": {
        "off": _("Twos are no reason for a new deal."),
        "on_trex": _(
            "When Trex has been chosen, four twos, or three and the three of the missing suit, "
            "are a reason for a new deal."
        ),
        "before_choice": _(
            "Before the contract is chosen, four twos, or three and the three of the missing "
            "suit, are a reason for a new deal."
        ),
    },
    "redeal.keeps_contract": _yes_no(
        _("After a new deal for twos Trex stays chosen."),
        _("After a new deal for twos the chooser may choose again."),
    ),
    "redeal.queens_draw": _yes_no(
        _("Queens that fall two to each team are dealt again."),
        _("Queens that fall two to each team count."),
    ),
    "revoke": {
        "remaining": _("Who revokes takes all that is left to take in the deal."),
        "total": _("Who revokes takes everything there is in the deal."),
        "off": _("The sheet knows no penalty for a revoke."),
    },
    "cheat.multiplied": _yes_no(
        _("The factors of chooser and forced contract multiply the penalty for cheating."),
        _("No factor multiplies the penalty for cheating."),
    ),
    "cheat.replay": _yes_no(
        _("A contract that ended with cheating is played again."),
        _("A contract that ended with cheating counts as played."),
    ),
    "kabbout.multiplied": _yes_no(
        _("The factors of chooser and forced contract multiply a kabbout."),
        _("No factor multiplies a kabbout."),
    ),
    "forfeit_first_three": _yes_no(
        _("Who cannot choose king, diamonds or queens takes all its points unplayed."),
        _("Every contract is played."),
    ),
    "tie_break": {
        "trex_firsts": _(
            "Level at the top: more first places in Trex win; still level, one more deal decides."
        ),
        "shared": _("Level at the top: the place is shared."),
    },
}


# ── with names and numbers ──────────────────────────────────────────────


def signed(number: int) -> SafeString:
    """Points inside a sentence, in an order that right-to-left text does not turn."""
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', words.signed(number))


def figure(number: int) -> SafeString:
    return format_html('<bdi class="num" dir="ltr">{}</bdi>', str(number).replace("-", "−"))


def contracts(names: Iterable[str]) -> str:
    return words.listed(words.contract(name) for name in names)


def _value(text: words.Words, item: Item) -> Say:
    def say(rules: Ruleset) -> SafeString:
        return format_html(str(text), points=signed(rules.item_values[item]))

    return say


def _fifty_one_value(rules: Ruleset) -> SafeString:
    text = gettext("Who loses fifty-one: {points}.")
    return format_html(text, points=signed(rules.sign * rules.values.fifty_one))


def _trex(rules: Ruleset) -> SafeString:
    text = gettext("Out first {first}, second {second}, third {third}, last {last}.")
    first, second, third, last = map(signed, rules.trex_values)
    return format_html(text, first=first, second=second, third=third, last=last)


def _signs(rules: Ruleset) -> SafeString:
    minus = gettext("Penalties are written with a minus.")
    plus = gettext("Penalties are written with a plus.")
    return format_html("{}", minus if rules.sign < 0 else plus)


def _order(rules: Ruleset) -> SafeString:
    text = {
        "free": gettext("Everybody chooses their contracts in any order."),
        "fixed": gettext("Everybody’s contracts come in one order: {names}."),
        "fixed_reversed": gettext("Everybody’s contracts come in the turned order: {names}."),
        "drawn": gettext("The contract is drawn by lot from those that the chooser has left."),
    }[rules.contract_order]
    return format_html(text, names=contracts(rules.fixed_order))


def _combo(rules: Ruleset) -> SafeString:
    apart = [name for name in rules.contracts if name not in COMBINABLE]
    together = gettext("All penalty contracts are played in one deal, Trex in another.")
    if apart != ["trex"]:
        together = gettext("All are played in one deal, only these by themselves: {names}.")
    text = {
        "off": gettext("One contract a deal."),
        "free": gettext("The chooser may put several penalty contracts into one deal."),
        "complex": together,
    }[rules.combo]
    return format_html(text, names=contracts(apart))


def _hearts_contracts(rules: Ruleset) -> SafeString:
    names = [name for name in rules.contracts if name in rules.hearts_lead.contracts]
    if not names:
        return format_html("{}", gettext("No contract has a rule for leading hearts."))
    return format_html(gettext("The rule for leading hearts: {names}."), names=contracts(names))


def _kabbout(rules: Ruleset) -> SafeString:
    names = [name for name in rules.contracts if name in rules.kabbout.contracts]
    if not names:
        return format_html("{}", gettext("Taking everything changes nothing: no kabbout."))
    text = gettext("Kabbout, taking everything, turns these round: {names}.")
    return format_html(text, names=contracts(names))


def _kabbout_amount(rules: Ruleset) -> SafeString:
    text = gettext("Who takes everything gets 0, each of the others {points}.")
    return format_html(text, points=signed(rules.sign * rules.kabbout.amount))


def _cheat(rules: Ruleset) -> SafeString:
    amount = rules.cheat.amount
    if amount is None:
        return format_html("{}", gettext("The sheet knows no penalty for cheating."))
    text = gettext("Who is caught cheating gets {points}, and the deal is over.")
    return format_html(text, points=signed(rules.sign * amount))


def _chooser_factor(rules: Ruleset) -> SafeString:
    if rules.chooser_factor == 1:
        return format_html("{}", gettext("The chooser’s points count like everybody’s."))
    text = gettext("The chooser’s points count {factor} times.")
    return format_html(text, factor=figure(rules.chooser_factor))


def _forced_factor(rules: Ruleset) -> SafeString:
    if rules.forced_factor == 1:
        return format_html("{}", gettext("A player’s last contract counts like any other."))
    text = gettext("A player’s last contract is forced: all its points count {factor} times.")
    if rules.contracts_scope == "game":
        text = gettext("The last contract of the match is forced: its points count {factor} times.")
    return format_html(text, factor=figure(rules.forced_factor))


def _wrap(rules: Ruleset) -> SafeString:
    yes = gettext("On the pile ace and {lowest} are neighbours.")
    no = gettext("On the pile ace and {lowest} are no neighbours.")
    return format_html(yes if rules.pile.wrap else no, lowest=ranks(rules)[-1])


def _ranks(text: words.Words, of: Callable[[Ruleset], str]) -> Say:
    def say(rules: Ruleset) -> SafeString:
        row = format_html('<bdi class="num" dir="ltr">{}</bdi>', " ".join(ranks(rules, of(rules))))
        return format_html(str(text), ranks=row)

    return say


def ranks(rules: Ruleset, order: str = "natural") -> list[str]:
    """The ranks of the deck as they are written, from the highest down."""
    held = {rank(card) for card in rules.deck}
    return [each.replace("T", "10") for each in reversed(RANK_ORDERS[order]) if each in held]


def _fifty_one_values(rules: Ruleset) -> SafeString:
    told = [
        format_html(
            '<bdi class="num" dir="ltr">{} = {}</bdi>', each.replace("T", "10"), figure(number)
        )
        for each, number in rules.fifty_one.values.items()
    ]
    return format_html(gettext("In fifty-one cards count {values}."), values=words.listed(told))


def _target(rules: Ruleset) -> SafeString:
    text = gettext("Whoever brings the sum to {target} or more loses fifty-one.")
    return format_html(text, target=figure(rules.fifty_one.target))


def _positive_wins(rules: Ruleset) -> SafeString:
    if not rules.positive_wins:
        return format_html("{}", gettext("Only the best total wins."))
    above = gettext("Every total above zero is a winner too.")
    below = gettext("Every total below zero is a winner too.")
    return format_html("{}", above if rules.win == "high" else below)


TOLD: Mapping[str, Say] = {
    "positive_wins": _positive_wins,
    "contract_order": _order,
    "combo": _combo,
    "hearts_lead.contracts": _hearts_contracts,
    "values.king": _value(_("The king of hearts: {points}."), Item.KING),
    "values.queen": _value(_("Each queen: {points}."), Item.QUEENS),
    "values.diamond": _value(_("Each diamond: {points}."), Item.DIAMONDS),
    "values.trick": _value(_("Each trick: {points}."), Item.TRICKS),
    "values.heart": _value(_("Each heart: {points}."), Item.HEARTS),
    "values.last_trick": _value(_("The last trick: {points}."), Item.LAST_TRICK),
    "values.fifty_one": _fifty_one_value,
    "values.trex": _trex,
    "signs": _signs,
    "kabbout.contracts": _kabbout,
    "kabbout.amount": _kabbout_amount,
    "cheat.amount": _cheat,
    "chooser_factor": _chooser_factor,
    "forced_factor": _forced_factor,
    "pile.wrap": _wrap,
    "rank_order": _ranks(_("In tricks from high to low: {ranks}."), lambda r: r.rank_order),
    "layout_rank_order": _ranks(
        _("In Trex from high to low: {ranks}."), lambda r: r.layout_rank_order
    ),
    "fifty_one.values": _fifty_one_values,
    "fifty_one.target": _target,
}
