"""Every message of the product has its words in every language that is offered."""

import ast
import os
import re
import shutil
import subprocess
import sys
from gettext import c2py
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.utils.translation import gettext, override

ROOT = Path(__file__).parents[2]
LANGUAGES = [code for code, _ in settings.LANGUAGES if code != "en"]
PARTS = ("scoring", "trexscore", "templates")
# What a sentence must keep, whatever its words: values, and the marks around them.
KEPT = re.compile(r"%\(\w+\)[a-z]|\{\w*\}|</?\w[^>]*>")
# What people read on a page besides its text.
READ_ATTRIBUTES = {"alt", "aria-label", "placeholder", "title"}
NAMES = re.compile(r"trexscore|API|Σ|\.trex|\.json|7H KS 10D")
FUNCTIONS = {
    f"{prefix}gettext{lazy}" for prefix in ("", "n", "p", "np") for lazy in ("", "_lazy")
} | {"gettext_noop"}


def read(path, code):
    with path.open("rb") as file:
        return read_po(file, locale=code)


def ids(catalog):
    return {(message.context, message.id) for message in catalog if message.id}


@pytest.fixture(scope="module")
def extracted(tmp_path_factory):
    """The catalogs as `bin/translations` would leave them, made beside the tree."""
    if not shutil.which("xgettext"):
        pytest.skip("xgettext is not installed (Debian: apt install gettext)")
    copy = tmp_path_factory.mktemp("tree")
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "manage.py", copy)
    for code in LANGUAGES:
        (copy / "scoring" / "locale" / code / "LC_MESSAGES").mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "--no-obsolete"]
        + [f"--locale={code}" for code in LANGUAGES],
        cwd=copy,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "trexscore.settings"},
        check=True,
        capture_output=True,
    )
    folder = copy / "scoring" / "locale"
    return {code: read(folder / code / "LC_MESSAGES" / "django.po", code) for code in LANGUAGES}


@pytest.fixture(scope="module")
def kept():
    """The catalogs of the repository."""
    folder = ROOT / "scoring" / "locale"
    return {code: read(folder / code / "LC_MESSAGES" / "django.po", code) for code in LANGUAGES}


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_message_has_its_words(extracted, code):
    missing = [message.id for message in extracted[code] if message.id and not has_words(message)]
    assert missing == []


def has_words(message):
    forms = [message.string] if isinstance(message.string, str) else message.string
    return all(forms) and not message.fuzzy


@pytest.mark.parametrize("code", LANGUAGES)
def test_nothing_is_kept_that_is_said_no_more(extracted, kept, code):
    assert ids(kept[code]) - ids(extracted[code]) == set()
    assert list(kept[code].obsolete) == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_keep_values_and_marks(kept, code):
    catalog = kept[code]
    wrong = [text for message in catalog if message.id for text in unlike(message, catalog)]
    assert wrong == []


def unlike(message, catalog):
    """Translations with other values than the message. Where one form of a plural is used for a
    single number ("two queens"), its words may say the number."""
    if isinstance(message.id, str):
        same = sorted(set(KEPT.findall(message.id))) == sorted(set(KEPT.findall(message.string)))
        return [] if same else [message.string]
    asked = set(KEPT.findall(message.id[1]))
    return [
        text
        for form, text in enumerate(message.string)
        if set(KEPT.findall(text)) != asked and not serves_one_number(form, catalog)
    ]


def serves_one_number(form, catalog):
    choose = c2py(catalog.plural_expr)
    return sum(choose(number) == form for number in range(200)) == 1


@pytest.mark.parametrize(("code", "forms"), [("ar", 6), ("fr", 3)])
def test_plurals_have_every_form(kept, code, forms):
    catalog = kept[code]
    assert catalog.num_plurals == forms
    plural = [message for message in catalog if message.id and not isinstance(message.id, str)]
    assert plural
    assert {len(message.string) for message in plural} == {forms}


@pytest.mark.parametrize("code", LANGUAGES)
def test_catalogs_compile(kept, code):
    compiled = BytesIO()
    write_mo(compiled, kept[code])
    assert len(compiled.getvalue()) > 10_000


@pytest.mark.parametrize(
    ("code", "against"),
    [
        # A colon alone at the start of a line; typewriter quotes.
        ("fr", r"[^\u00a0\u202f\d] ?[:;!?»](?=[\s<]|$)|«[^\u00a0\u202f]|'"),
        # Signs that look the other way in Arabic, and letters that look right but are Persian.
        ("ar", r"[,;?]|[\u06a9\u06cc]"),
    ],
)
def test_signs_are_those_of_the_language(kept, code, against):
    texts = [text for message in kept[code] if message.id for text in said(message)]
    assert [text for text in texts if re.search(against, KEPT.sub("x", text))] == []


def said(message):
    return [message.string] if isinstance(message.string, str) else message.string


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_reach_the_pages(code):
    with override(code):
        assert gettext("Scoresheet") != "Scoresheet"


def test_functions_have_the_names_that_are_looked_for():
    """xgettext goes by the name of the function: behind any other name, messages stay English."""
    wrong = [
        f"{path.relative_to(ROOT)}: {name.name} as {name.asname}"
        for part in ("scoring", "trexscore")
        for path in (ROOT / part).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for name in node.names
        if name.name in FUNCTIONS and name.asname not in (None, "_")
    ]
    assert wrong == []


class Reader(HTMLParser):
    """Collects the letters that a page shows, once its tags and values are blanked. What says that
    it is English for every reader may be."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.unread = []

    def handle_starttag(self, tag, attrs):
        english = tag in ("script", "style") or ("lang", "en") in attrs
        if tag in self.unread or (english and not self.unread):
            self.unread.append(tag)
        if not self.unread:
            self.found += [text for name, text in attrs if name in READ_ATTRIBUTES and speaks(text)]

    def handle_endtag(self, tag):
        if tag in self.unread:
            self.unread.pop()

    def handle_data(self, text):
        if not self.unread and speaks(text):
            self.found.append(text.strip())


def speaks(text):
    """Whether letters are in it beside our names for things."""
    return bool(re.search(r"[^\W\d_]", NAMES.sub("", text or "")))


TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_say_nothing_by_themselves(path):
    source = path.read_text()
    for spoken in (
        r"\{#.*?#\}",
        r"\{% comment.*?endcomment %\}",
        r"\{% blocktranslate.*?endblocktranslate %\}",
        r"\{%.*?%\}",
        r"\{\{.*?\}\}",
    ):
        source = re.sub(spoken, "", source, flags=re.DOTALL)
    reader = Reader()
    reader.feed(source)
    reader.close()
    assert reader.found == []
