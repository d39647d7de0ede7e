"""The oldest browsers that must do: iOS 15.4 and Chrome 105. What their styles know, and what is
left of a stylesheet there."""

import re
from collections.abc import Iterator

import tinycss2

# All that the styles use. What is added must be known to both browsers, or lose nothing where it
# is not known; then it belongs here.
AT_RULES = {"media", "page", "keyframes", "supports"}
MEDIA = {
    "print", "and", "min-width", "max-width", "min-height", "max-height", "orientation", "hover",
    "pointer", "prefers-color-scheme", "prefers-contrast", "prefers-reduced-motion", "scripting",
}  # fmt: skip
PSEUDO = {
    "-moz-progress-bar", "-webkit-details-marker", "-webkit-progress-bar",
    "-webkit-progress-value", "active", "after", "before", "checked", "disabled", "empty",
    "first-child", "first-of-type", "focus", "focus-visible", "focus-within", "has", "hover", "is",
    "lang", "last-child", "not", "nth-child", "placeholder", "placeholder-shown", "root", "where",
}  # fmt: skip
FUNCTIONS = {
    "calc", "clamp", "counter", "env", "inset", "linear-gradient", "max", "min", "minmax",
    "radial-gradient", "repeat", "rgb", "scale", "scalex", "translate", "translatey", "var",
}  # fmt: skip
UNITS = {"deg", "em", "fr", "mm", "ms", "pt", "px", "rem", "s", "vh", "vw"}


def beyond_baseline(css: str) -> list[str]:
    """Each use of a rule, pseudo-class, function or unit that is not on the lists, and nesting."""
    return [f"{line}: {what}" for line, what in rules_beyond(tinycss2.parse_stylesheet(css))]


def rules_beyond(nodes) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if node.type == "at-rule":
            yield from at_rule_beyond(node)
        elif node.type == "qualified-rule":
            yield from selector_beyond(node.prelude)
            yield from block_beyond(node)


def at_rule_beyond(rule) -> Iterator[tuple[int, str]]:
    if rule.lower_at_keyword not in AT_RULES:
        yield rule.source_line, f"@{rule.lower_at_keyword}"
    yield from media_beyond(rule)
    if rule.lower_at_keyword == "page":
        yield from block_beyond(rule)
    elif rule.content:
        yield from rules_beyond(tinycss2.parse_rule_list(rule.content))


def media_beyond(rule) -> Iterator[tuple[int, str]]:
    """`(width < 44rem)` is known to neither: Safari 16.4."""
    if rule.lower_at_keyword != "media":
        return
    text = tinycss2.serialize(rule.prelude).strip()
    asked = [token for token in rule.prelude if token.type == "() block"]
    names = [token for token in rule.prelude if token.type == "ident"]
    names += [next(each for each in block.content if each.type == "ident") for block in asked]
    if re.search("[<>=]", text) or not {name.lower_value for name in names} <= MEDIA:
        yield rule.source_line, f"@media {text}"


def selector_beyond(tokens) -> Iterator[tuple[int, str]]:
    after_colon = False
    for token in tokens:
        name = getattr(token, "lower_name" if token.type == "function" else "lower_value", "")
        if after_colon and token.type in ("ident", "function") and name not in PSEUDO:
            yield token.source_line, f":{name}"
        if token.type == "function":
            yield from selector_beyond(token.arguments)
        after_colon = token == ":"


def block_beyond(rule) -> Iterator[tuple[int, str]]:
    for node in tinycss2.parse_blocks_contents(rule.content):
        if node.type == "declaration":
            yield from value_beyond(node.value)
        elif node.type not in ("whitespace", "comment"):
            yield node.source_line, "nesting"


def value_beyond(tokens) -> Iterator[tuple[int, str]]:
    for token in tokens:
        if token.type == "dimension" and token.lower_unit not in UNITS:
            yield token.source_line, token.lower_unit
        elif token.type == "function":
            if token.lower_name not in FUNCTIONS:
                yield token.source_line, f"{token.lower_name}()"
            yield from value_beyond(token.arguments)
        elif token.type == "() block":
            yield from value_beyond(token.content)


def stripped(css: str) -> str:
    """The stylesheet as a browser of the baseline reads it: without what it does not know."""
    return "".join(kept_rules(tinycss2.parse_stylesheet(css, True, True)))


def kept_rules(nodes) -> Iterator[str]:
    for node in nodes:
        if node.type == "qualified-rule" and not list(selector_beyond(node.prelude)):
            yield f"{tinycss2.serialize(node.prelude)}{{{kept_declarations(node)}}}"
        elif node.type == "at-rule" and node.content and not is_whole(node):
            inner = "".join(kept_rules(tinycss2.parse_rule_list(node.content, True, True)))
            if node.lower_at_keyword in AT_RULES and not list(media_beyond(node)):
                yield f"@{node.at_keyword}{tinycss2.serialize(node.prelude)}{{{inner}}}"
        elif node.type == "at-rule":
            yield node.serialize()


def kept_declarations(rule) -> str:
    known = tinycss2.parse_blocks_contents(rule.content, True, True)
    return "".join(
        f"{each.serialize()};"
        for each in known
        if each.type == "declaration" and not list(value_beyond(each.value))
    )


def is_whole(rule) -> bool:
    return rule.lower_at_keyword in ("page", "keyframes")
