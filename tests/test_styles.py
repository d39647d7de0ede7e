"""What the styles may count on, read from their files."""

import re
from pathlib import Path

import pytest

from tests.support.baseline import beyond_baseline, stripped

ROOT = Path(__file__).parents[1]
SHEETS = sorted((ROOT / "static/css").glob("*.css"))
SCRIPTS = sorted((ROOT / "static/js").glob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SELECTED = re.compile(r"\[(data-[\w-]+)")
IN_DATASET = re.compile(r'"(\w+)" in [\w.()]+\.dataset')
TRANSLATED = re.compile(r'(data-[\w-]+)="\{% *(?:block)?trans')


def found_in(paths, pattern):
    return {name for path in paths for name in pattern.findall(path.read_text())}


def test_no_state_has_the_name_of_a_text():
    """`[data-offline] .seat-role` once hid every role: <body> kept a sentence by that name."""
    states = found_in(SHEETS + SCRIPTS, SELECTED)
    states |= {f"data-{name}" for name in found_in(SCRIPTS, IN_DATASET)}
    assert {"data-offline", "data-state"} <= states
    texts = found_in(TEMPLATES, TRANSLATED)
    assert "data-text-offline" in texts
    assert states & texts == set()


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda path: path.name)
def test_styles_use_what_the_baseline_knows(sheet):
    assert beyond_baseline(sheet.read_text()) == []


NEWER = {
    ".a { .b { color: red; } }": ["1: nesting"],
    ".a {\n  &:hover { color: red; }\n}": ["2: nesting"],
    ".a {\n  @media print { color: red; }\n}": ["2: nesting"],
    "@media (width < 44rem) { .a { color: red; } }": ["1: @media (width < 44rem)"],
    "@media (max-width: 44rem) { .a:dir(rtl) { top: 0; } }": ["1: :dir"],
    "@media print and (any-hover: hover) { }": ["1: @media print and (any-hover: hover)"],
    "@container (min-width: 1px) { .a { top: 0; } }": ["1: @container"],
    ".a:has(:is(:popover-open)) { top: 0; }": ["1: :popover-open"],
    ".a { block-size: calc(1px + 2 * (3vb + 1px)); }": ["1: vb"],
    ".a { color: color-mix(in srgb, red, blue); }": ["1: color-mix()"],
    ".a:not(:has(.b)) > .c { block-size: calc(100vh - env(top)); }": [],
}


@pytest.mark.parametrize("css", NEWER)
def test_what_the_baseline_does_not_know_is_found(css):
    assert beyond_baseline(css) == NEWER[css]


def test_styles_are_stripped_of_what_the_baseline_does_not_know():
    css = ".a { top: 0; inset: 1vb; .b { top: 1px; } } @media (width < 9px) { .c { top: 0; } }"
    assert stripped(css + "@media print { .d { top: 0; } }") == (
        ".a {top: 0;}@media print {.d {top: 0;}}"
    )


ASIDE = re.compile(r"^ *text-align: match-parent;", re.MULTILINE)
FOR_CHROMIUM = re.compile(r"text-align: -webkit-match-parent;\s+text-align: match-parent;")


def test_names_stand_on_the_side_of_the_page_in_chromium_too():
    """It knows another name of `match-parent`, and put a name in two lines on its own side."""
    texts = [sheet.read_text() for sheet in SHEETS]
    names = sum(len(ASIDE.findall(text)) for text in texts)
    assert names >= 4
    assert sum(len(FOR_CHROMIUM.findall(text)) for text in texts) == names


def test_every_page_has_the_styles_of_its_heading_and_of_the_day():
    """The page of the day had a heading below its way back: it did not load where that stood."""
    base = (ROOT / "templates/base.html").read_text()
    everywhere = "".join(sheet.read_text() for sheet in SHEETS if f"css/{sheet.name}" in base)
    for part in (".page-head", ".match-day"):
        assert f"{part} {{\n  display: flex;" in everywhere
