"""What one version of a deal says otherwise than the one before it, in facts and without points."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from scoring.common import words
from scoring.entry.presenters.facts import facts
from scoring.models import Deal
from scoring.rules import Entry, Item, Ruleset, Tally
from scoring.rules.deal.points import taken_counts
from scoring.rules.seats import Seat

ROLES: Mapping[str, words.Words] = {
    "chooser": pgettext_lazy("role in a deal", "Chooser"),
    "dealer": pgettext_lazy("role in a deal", "Dealer"),
    "leader": pgettext_lazy("role in a deal", "First lead"),
}
SOLE: Mapping[str, words.Words] = {
    "loser": pgettext_lazy("of a deal", "Over the top"),
    "revoke_by": pgettext_lazy("of a deal", "Revoke"),
    "cheat_by": pgettext_lazy("of a deal", "Caught cheating"),
}
COUNTED = (Item.QUEENS, Item.DIAMONDS, Item.HEARTS, Item.TRICKS)


def changes(
    before: Deal, now: Deal, names: Sequence[str], ruleset: Ruleset
) -> Iterator[SafeString]:
    """One sentence for each thing; nothing where it is the same once more."""
    old, new = before.entry, now.entry
    if old.contract != new.contract:
        now_key, then_key = new.contract.key, old.contract.key
        text = _("{contract} instead of {before}")
        yield format_html(text, contract=words.contract(now_key), before=words.contract(then_key))
    for role, what in ROLES.items():
        yield from _seat(what, getattr(now, role), getattr(before, role), names)
    if old.contract != new.contract:
        yield from facts(new, names, ruleset)
    else:
        yield from _facts(old, new, names)
    if old.forced != new.forced:
        yield format_html("{}", _("It counts as forced.") if new.forced else _("Not forced."))


def _facts(old: Entry, new: Entry, names: Sequence[str]) -> Iterator[SafeString]:
    was, has = old.tally, new.tally
    yield from _seat(words.card("KH"), has.king_taken_by, was.king_taken_by, names)
    last_trick = words.counted(Item.LAST_TRICK, 1)
    yield from _seat(last_trick, has.last_trick_by, was.last_trick_by, names)
    for item in COUNTED:
        yield from _taken(item, was, has, names)
    if has.finish_order != was.finish_order:
        order = words.people(names[seat] for seat in has.finish_order or ())
        past = words.people(names[seat] for seat in was.finish_order or ())
        yield format_html(_("Went out: {names}; before: {before}"), names=order, before=past)
    for key, what in SOLE.items():
        yield from _seat(what, getattr(has, key), getattr(was, key), names)
    doubles = dict(was.doubles), dict(has.doubles)
    yield from _cards(_("Double of {card}"), *doubles, names)
    leaders = was.trick_leader or {}, has.trick_leader or {}
    yield from _cards(_("Lead of the trick with {card}"), *leaders, names)
    if has.plays != was.plays:
        yield format_html("{}", _("The cards in their order were told otherwise."))
    if has.forfeited != was.forfeited:
        played, unplayed = _("It was played."), _("Not played: the chooser takes it all")
        yield format_html("{}", unplayed if has.forfeited else played)


def _taken(item: Item, was: Tally, has: Tally, names: Sequence[str]) -> Iterator[SafeString]:
    """Queen by queen where both say which; else how many each took."""
    if item is Item.QUEENS and was.queens_taken_by and has.queens_taken_by:
        yield from _cards("{card}", was.queens_taken_by, has.queens_taken_by, names)
        return
    counts = zip(taken_counts(item, was), taken_counts(item, has), strict=True)
    for seat, (count, now) in enumerate(counts):
        if count != now:
            yield format_html(
                _("{what} for {name} instead of {count}"),
                what=words.counted(item, now),
                name=words.person(names[seat]),
                count=count,
            )


def _cards(
    text: str, was: Mapping[str, Seat], has: Mapping[str, Seat], names: Sequence[str]
) -> Iterator[SafeString]:
    for card in dict.fromkeys([*was, *has]):
        what = format_html(text, card=words.card(card))
        yield from _seat(what, has.get(card), was.get(card), names)


def _seat(
    what: words.Words, now: Seat | None, before: Seat | None, names: Sequence[str]
) -> Iterator[SafeString]:
    """K♥: Amal instead of Carmen."""
    if now != before:
        yield format_html(
            _("{what}: {name} instead of {before}"),
            what=what,
            name=_who(now, names),
            before=_who(before, names),
        )


def _who(seat: Seat | None, names: Sequence[str]) -> SafeString:
    return format_html("{}", _("nobody")) if seat is None else words.person(names[seat])
