"""Cleaning and comparison of typed names."""

import re
import unicodedata

from django.utils.crypto import salted_hmac

# Marks that turn the direction of everything after them: no name needs one.
TURNING = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
# Seen by nobody: a second "Sami" could hide behind one. The joiners stay, Persian writes with them.
UNSEEN = "\u00ad\u034f\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\U000e0000-\U000e007f"
DROPPED = re.compile(f"[{TURNING}{UNSEEN}]")
# Letters and signs that look like nothing at all.
BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")
MOST_READ = 1_000
# They change the shape of their neighbours at most: two names that differ by one look the same.
JOINERS = re.compile("[\u200c\u200d\ufe00-\ufe0f]")


def clean_name(text: str) -> str:
    """Return the name as it is stored.

    Composed letters, single blanks, no control characters; empty when nothing would be visible, cut
    where it is longer than any name."""
    # Composing takes the square of the length where marks stand on marks.
    composed = unicodedata.normalize("NFC", text[:MOST_READ])
    spaced = "".join(map(_kept, DROPPED.sub("", composed)))
    return " ".join(spaced.split()) if any(map(_is_seen, spaced)) else ""


def same_name(text: str) -> str:
    """Return a key that is equal for names that read the same."""
    return JOINERS.sub("", unicodedata.normalize("NFKC", clean_name(text)).casefold())


def name_digest(name: str) -> str:
    """Return a digest by which a name is recognised without being readable."""
    return salted_hmac("trexscore.names", same_name(name), algorithm="sha256").hexdigest()


def _kept(character: str) -> str:
    return " " if unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") else character


def _is_seen(character: str) -> bool:
    """Return whether a character is visible; marks need a letter to stand on."""
    return unicodedata.category(character)[0] not in "CMZ" and character not in BLANK
