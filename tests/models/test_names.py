"""What is kept of a typed name, and when two names are one to a reader."""

import pytest

from scoring.models.names import clean_name, same_name

# Zero width, fillers, a lone accent, a tag, marks of direction, control characters, blanks.
NOTHING = ["\u200b", "\u3164\u115f", "\u2800", "\u00ad\ufeff", "\u0301", "\u200c\u200d", "\ufe0f"]
NOTHING += ["\U000e0041", "\u202e\u061c", "\x00\x1b", " \u00a0\u3000", "\ud83d"]


@pytest.mark.parametrize("text", NOTHING)
def test_a_name_that_nobody_can_see_is_none(text):
    assert clean_name(text) == ""


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Amal \t Haddad\n", "Amal Haddad"),
        ("Re\u0301mi", "Rémi"),
        ("Sa\u00admi\u200b", "Sami"),
        ("\u202eimaS\u202c", "imaS"),
        ("می\u200cخواهم", "می\u200cخواهم"),  # a joiner that Persian needs
        ("👩\u200d🦰", "👩\u200d🦰"),
        ("محمّد", "محمّد"),
        ("7", "7"),
    ],
)
def test_what_is_kept_of_a_name(typed, kept):
    assert clean_name(typed) == kept


@pytest.mark.parametrize("other", ["SAMI", "Sa\u200bmi", "Sami\u200d", "Ｓami", "\u061cSami "])
def test_names_that_look_the_same(other):
    assert same_name(other) == same_name("Sami")
