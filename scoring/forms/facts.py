"""What happened in a deal, in words and without points."""

from collections.abc import Iterator, Sequence

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from scoring.forms import words
from scoring.rules import Entry, Item
from scoring.rules.tally import Tally

COUNTED = (Item.QUEENS, Item.DIAMONDS, Item.HEARTS, Item.TRICKS)


def facts(entry: Entry, names: Sequence[str]) -> Iterator[SafeString]:
    """One sentence a fact."""
    tally = entry.tally
    yield from _trouble(tally, names)
    for double in tally.doubles:
        text = _("{name} doubled {card}")
        yield format_html(text, name=words.person(names[double.by]), card=words.card(double.card))
    for item in entry.contract.items:
        yield from _taken(item, tally, names)
    if tally.finish_order and entry.contract.special == "trex":
        order = words.people(names[seat] for seat in tally.finish_order)
        yield format_html(_("Went out: {names}"), names=order)
    if tally.loser is not None and entry.contract.special == "fifty_one":
        yield format_html(_("{name} went over the top"), name=words.person(names[tally.loser]))
    if tally.plays and entry.contract.special == "fifty_one":
        cards = format_html_join(" ", "{}", ((words.card(card),) for card in tally.plays))
        yield format_html(_("In order: {cards}"), cards=cards)


def _taken(item: Item, tally: Tally, names: Sequence[str]) -> Iterator[SafeString]:
    text = _("{name} took {what}")
    if item is Item.QUEENS and tally.queens_taken_by:
        for card, seat in tally.queens_taken_by.items():
            yield format_html(text, name=words.person(names[seat]), what=words.card(card))
        return
    if item in COUNTED:
        for seat, count in enumerate(getattr(tally, item) or ()):
            what = words.counted(item, count)
            yield format_html(text, name=words.person(names[seat]), what=what)
        return
    taker = tally.king_taken_by if item is Item.KING else tally.last_trick_by
    if taker is not None:
        what = words.card("KH") if item is Item.KING else words.counted(item, 1)
        yield format_html(text, name=words.person(names[taker]), what=what)


def _trouble(tally: Tally, names: Sequence[str]) -> Iterator[SafeString]:
    if tally.revoke_by is not None:
        yield format_html(_("{name} revoked"), name=words.person(names[tally.revoke_by]))
    if tally.cheat_by is not None:
        yield format_html(_("{name} was caught cheating"), name=words.person(names[tally.cheat_by]))
    if tally.forfeited:
        yield format_html("{}", _("Not played: the chooser takes it all"))
