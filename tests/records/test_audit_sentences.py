"""What an audit says, in sentences."""

import re
from pathlib import Path

import pytest
from django.utils.html import strip_tags

from scoring.records.presenters import audit_sentences
from scoring.records.presenters.audits import CODE_LABELS, code_label
from scoring.replay import words
from scoring.replay.archive import WRONG_CLAIM
from scoring.replay.audit import Finding, FindingCode
from scoring.replay.breaches import Breach, BreachCode
from scoring.replay.notation import json_records, tags
from scoring.replay.record import NotationError

NAMES = ("Amal", "Badr", "Carmen", "Dima")
ERROR_CODES = set()
for module in (tags, json_records):
    ERROR_CODES |= set(re.findall(r'"(bad_\w+|missing_tag)"', Path(module.__file__).read_text()))


def said(text):
    return " ".join(strip_tags(text).split())


@pytest.mark.parametrize("code", BreachCode)
def test_every_breach_has_a_sentence(code):
    text = said(audit_sentences.breach_sentence(Breach(code, 3, 0, 1, "KH", ("2C",)), NAMES))
    assert text.endswith("Legal: 2♣.")
    assert "{" not in text


@pytest.mark.parametrize("code", [*BreachCode, *FindingCode, WRONG_CLAIM])
def test_every_code_has_a_few_words(code):
    assert code in CODE_LABELS
    assert len(code_label(code)) < 40


def test_the_codes_of_findings_are_those_that_the_audit_explains():
    explained = re.findall(r"^ *([a-z]+_?\w+) {2,}\S", Finding.__doc__, re.M)[1:]
    assert set(explained) == set(FindingCode)


def test_commands_have_words_for_every_breach_and_finding():
    assert set(words.BREACHES) == set(audit_sentences.BREACHES) == set(BreachCode)
    # The sentence of a number depends on the item.
    assert set(words.FINDINGS) == set(FindingCode) - {"number_differs"}


@pytest.mark.parametrize("code", sorted(set(FindingCode) - {"number_differs", "other_contract"}))
def test_every_finding_has_a_sentence(code):
    found = Finding(code, seat=1, card="KH", entered=0, least=2, most=2)
    assert "{" not in said(audit_sentences.finding_sentence(found, NAMES))


@pytest.mark.parametrize("code", sorted(ERROR_CODES))
def test_every_error_of_writing_has_words_and_a_place(code):
    text = said(audit_sentences.error_sentence(NotationError(code, 12, 8, "<b>")))
    assert text.startswith("Line 12, column 9: ")
    assert text.endswith("&lt;b&gt;")


@pytest.mark.parametrize(
    ("item", "entered", "least", "most", "sentence"),
    [
        ("tricks", 4, 5, 5, "Badr took 5 tricks; entered: 4 tricks."),
        ("diamonds", 1, 2, 9, "Badr took at least 2 diamonds; 1 diamond cannot be right."),
        ("hearts", 8, 0, 3, "Badr took at most 3 hearts; 8 hearts cannot be right."),
        ("king", 1, 0, 0, "Badr did not take the king of hearts; the entry says otherwise."),
        ("last_trick", 0, 1, 1, "Badr took the last trick; the entry says otherwise."),
        ("fifty_one", 1, 0, 0, "Badr did not go over the top; the entry says otherwise."),
        ("trex", 1, 3, 3, "Badr went out 3rd; entered: 1st."),
        ("trex", 1, 2, 4, "Badr went out 2nd to 4th; 1st cannot be right."),
    ],
)
def test_a_number_that_differs_is_said_with_both(item, entered, least, most, sentence):
    found = Finding("number_differs", seat=1, item=item, entered=entered, least=least, most=most)
    assert said(audit_sentences.finding_sentence(found, NAMES)) == sentence


def test_names_are_escaped():
    found = Finding("revoke_not_entered", seat=0)
    assert "<img" not in audit_sentences.finding_sentence(
        found, ["<img src=x onerror=alert(1)>"] * 4
    )
