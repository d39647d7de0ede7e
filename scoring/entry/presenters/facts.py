"""What happened in a deal, in words and without points."""

from collections.abc import Container, Iterator, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.rules import Entry, Item, Ruleset
from scoring.rules.cards import QUEENS
from scoring.rules.deal.doubling import doubled_cards
from scoring.rules.tally import Tally

COUNTED = (Item.QUEENS, Item.DIAMONDS, Item.HEARTS, Item.TRICKS)

PLAYED_AGAIN = gettext_lazy("Broken off: the contract stays open and is played again.")


def facts(entry: Entry, names: Sequence[str], ruleset: Ruleset) -> Iterator[SafeString]:
    """One sentence a fact."""
    tally = entry.tally
    doubled = doubled_cards(tally, ruleset)
    yield from _trouble(tally, names, ruleset)
    for card, seat in doubled.items():
        text = _("{name} doubled {card}")
        name, shown = words.person(names[seat]), words.card(card, card in QUEENS)
        yield format_html(text, name=name, card=shown)
    for item in entry.contract.items:
        yield from _taken(item, tally, names, doubled)
    if tally.finish_order and entry.contract.special == "trex":
        order = words.people(names[seat] for seat in tally.finish_order)
        yield format_html(_("Went out: {names}"), names=order)
    if tally.loser is not None and entry.contract.special == "fifty_one":
        yield format_html(_("{name} went over the top"), name=words.person(names[tally.loser]))
    if tally.plays and entry.contract.special == "fifty_one":
        cards = format_html_join(" ", "{}", ((words.card(card),) for card in tally.plays))
        yield format_html(_("In order: {cards}"), cards=cards)


def _taken(
    item: Item, tally: Tally, names: Sequence[str], doubled: Container[str]
) -> Iterator[SafeString]:
    text = _("{name} took {what}")
    if item is Item.QUEENS and tally.queens_taken_by:
        for card, seat in tally.queens_taken_by.items():
            what = words.card(card, card in doubled)
            yield format_html(text, name=words.person(names[seat]), what=what)
        return
    if item in COUNTED:
        for seat, count in enumerate(getattr(tally, item) or ()):
            counted = words.counted(item, count)
            yield format_html(text, name=words.person(names[seat]), what=counted)
        return
    taker = tally.king_taken_by if item is Item.KING else tally.last_trick_by
    if taker is not None:
        sole = words.card("KH") if item is Item.KING else words.counted(item, 1)
        yield format_html(text, name=words.person(names[taker]), what=sole)


def _trouble(tally: Tally, names: Sequence[str], ruleset: Ruleset) -> Iterator[SafeString]:
    if tally.revoke_by is not None:
        yield format_html(_("{name} revoked"), name=words.person(names[tally.revoke_by]))
    if tally.cheat_by is not None:
        yield format_html(_("{name} was caught cheating"), name=words.person(names[tally.cheat_by]))
    if tally.cheat_by is not None and ruleset.cheat.replay:
        yield format_html("{}", PLAYED_AGAIN)
    if tally.forfeited:
        yield format_html("{}", _("Not played: the chooser takes it all"))
