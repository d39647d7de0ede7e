"""Sentences for breaches of the rules, differences from an entry, and errors of notation."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.common import words
from scoring.replay.audit import Finding, FindingCode
from scoring.replay.breaches import Breach, BreachCode
from scoring.replay.record import NotationError, UnknownTag
from scoring.rules.cards import Card

type Words = str | Promise

BREACHES: Mapping[BreachCode, Words] = {
    BreachCode.BAD_HANDS: gettext_lazy("These hands cannot have been dealt."),
    BreachCode.DOUBLE_NOT_HELD: gettext_lazy("{card} was not for {name} to double."),
    BreachCode.OUT_OF_TURN: gettext_lazy("{name} was not on turn when {card} was played."),
    BreachCode.ALREADY_PLAYED: gettext_lazy("{name} plays {card}, which lay there before."),
    BreachCode.NOT_HELD: gettext_lazy("{name} plays {card} without holding it."),
    BreachCode.REVOKE: gettext_lazy("{name} could follow suit and played {card}."),
    BreachCode.HEART_LEAD: gettext_lazy("{name} led {card} when hearts could not be led."),
    BreachCode.MUST_DUMP: gettext_lazy("{name} played {card} where another card had to be thrown."),
    BreachCode.LEAD_NOT_HIGHEST: gettext_lazy(
        "{name} opened with {card}, which is not the highest."
    ),
    BreachCode.NOT_ADJACENT: gettext_lazy("{name} laid {card}, which fits nowhere."),
    BreachCode.PASS_WHEN_ABLE: gettext_lazy("{name} passed and could have laid a card."),
    BreachCode.UNFINISHED: gettext_lazy("The record ends while points are open."),
}
PASS_OUT_OF_TURN = gettext_lazy("{name} was not on turn and passed.")
LEGAL = gettext_lazy("Legal: {cards}.")

FINDINGS: Mapping[FindingCode, Words] = {
    FindingCode.OTHER_DEALER: gettext_lazy("By the record {name} dealt; entered is {other}."),
    FindingCode.OTHER_CHOOSER: gettext_lazy("By the record {name} chose; entered is {other}."),
    FindingCode.DOUBLE_NOT_ENTERED: gettext_lazy("{name} doubled {card}, which is not entered."),
    FindingCode.DOUBLE_NOT_RECORDED: gettext_lazy(
        "Entered is that {name} doubled {card}; the record does not show it."
    ),
    FindingCode.TAKER_DIFFERS: gettext_lazy("{right} took {card}; entered is {other}."),
    FindingCode.REVOKE_NOT_ENTERED: gettext_lazy("{name} revoked, which is not entered."),
    FindingCode.REVOKE_NOT_RECORDED: gettext_lazy(
        "A revoke of {name} is entered; the record does not show it."
    ),
    FindingCode.NOT_TOGETHER: gettext_lazy(
        "Each number is possible, but not all of them together."
    ),
    FindingCode.CONTRADICTION: gettext_lazy("The record contradicts itself and proves nothing."),
}
FORCED: dict[bool, Words] = {
    True: gettext_lazy("Entered is a forced contract; by the record it was free."),
    False: gettext_lazy("By the record the contract was forced, which is not entered."),
}
SINGLE: dict[tuple[str, bool], Words] = {
    ("king", True): gettext_lazy("{name} took the king of hearts; the entry says otherwise."),
    ("king", False): gettext_lazy(
        "{name} did not take the king of hearts; the entry says otherwise."
    ),
    ("last_trick", True): gettext_lazy("{name} took the last trick; the entry says otherwise."),
    ("last_trick", False): gettext_lazy(
        "{name} did not take the last trick; the entry says otherwise."
    ),
    ("fifty_one", True): gettext_lazy("{name} went over the top; the entry says otherwise."),
    ("fifty_one", False): gettext_lazy("{name} did not go over the top; the entry says otherwise."),
}
"""By item, and whether the named seat had it."""

ERRORS: dict[str, Words] = {
    "bad_tag": gettext_lazy("This tag cannot be read"),
    "bad_card": gettext_lazy("This is no card"),
    "bad_seat": gettext_lazy("This is no seat"),
    "bad_line": gettext_lazy("This line cannot be read"),
    "unknown_system": gettext_lazy("No such rule system"),
    "unknown_contract": gettext_lazy("No such contract in this system"),
    "unknown_option": gettext_lazy("No such option"),
    "bad_option_value": gettext_lazy("This option has no such value"),
    "missing_tag": gettext_lazy("A tag is missing"),
    "bad_json": gettext_lazy("This is no JSON that can be read"),
}


def breach_sentence(found: Breach, names: Sequence[str]) -> SafeString:
    """Return a sentence for a breach, with the cards that would have been legal."""
    text = BREACHES[found.code]
    if found.code == BreachCode.OUT_OF_TURN and found.card is None:
        text = PASS_OUT_OF_TURN
    sentence = format_html(str(text), name=_name(found.seat, names), card=_card(found.card))
    if not found.legal:
        return sentence
    legal = format_html(str(LEGAL), cards=card_list(found.legal))
    return format_html("{} {}", sentence, legal)


def finding_sentence(found: Finding, names: Sequence[str]) -> SafeString:
    """Return a sentence for a difference between entry and record, except `other_contract`."""
    if found.code == FindingCode.NUMBER_DIFFERS:
        return _number(found, names)
    if found.code == FindingCode.OTHER_FORCED:
        return format_html("{}", FORCED[bool(found.entered)])
    return format_html(
        str(FINDINGS[found.code]),
        name=_name(found.seat, names),
        card=_card(found.card),
        other=_name(found.entered, names),
        right=_name(found.least, names),
    )


def other_contract_sentence(recorded: str, entered: str) -> SafeString:
    text = _("By the record it was {recorded}; entered is {entered}.")
    return format_html(text, recorded=words.contract(recorded), entered=words.contract(entered))


def error_sentence(found: NotationError) -> SafeString:
    """Return a sentence for a notation error; lines and columns count from 1."""
    text = _("Line {line}, column {column}: {wrong}: {text}")
    return format_html(
        text,
        line=found.line,
        column=found.column + 1,
        wrong=ERRORS[found.code],
        text=format_html('<bdi dir="ltr"><code>{}</code></bdi>', found.text),
    )


def unknown_tag_sentence(found: UnknownTag) -> SafeString:
    """Return a sentence for an unknown tag, with the tag that it resembles."""
    code = '<bdi dir="ltr"><code>{}</code></bdi>'
    text = (
        _("Line {line}: {tag} is not read. Did you mean {likely}?")
        if found.likely
        else _("Line {line}: {tag} is not read.")
    )
    tag, likely = format_html(code, found.text), format_html(code, found.likely)
    return format_html(text, line=found.line, tag=tag, likely=likely)


def card_list(codes: Iterable[Card]) -> SafeString:
    """Return the pictures of cards, separated as a list."""
    return words.listed(words.card(code) for code in codes)


# ── numbers ─────────────────────────────────────────────────────────────


def _number(found: Finding, names: Sequence[str]) -> SafeString:
    item = found.item or ""
    if item == "trex":
        return _place_sentence(found, names)
    if single := SINGLE.get((item, bool(found.least))):
        return format_html(str(single), name=_name(found.seat, names))
    name, entered = _name(found.seat, names), words.counted(item, found.entered or 0)
    least, most = found.least or 0, found.most or 0
    if least == most:
        text, bound = _("{name} took {found}; entered: {entered}."), least
    elif (found.entered or 0) < least:
        text, bound = _("{name} took at least {found}; {entered} cannot be right."), least
    else:
        text, bound = _("{name} took at most {found}; {entered} cannot be right."), most
    return format_html(text, name=name, found=words.counted(item, bound), entered=entered)


def _place_sentence(found: Finding, names: Sequence[str]) -> SafeString:
    least, most = found.least or 1, found.most or 4
    places = [words.PLACES[place - 1] for place in (least, most, found.entered or 1)]
    text = (
        _("{name} went out {least}; entered: {entered}.")
        if least == most
        else _("{name} went out {least} to {most}; {entered} cannot be right.")
    )
    name = _name(found.seat, names)
    return format_html(text, name=name, least=places[0], most=places[1], entered=places[2])


def _name(seat: int | None, names: Sequence[str]) -> SafeString:
    return words.person("?" if seat is None else names[seat])


def _card(code: Card | None) -> SafeString:
    return words.card(code) if code else SafeString("")
