"""Fuzzy matching of names: any order, abbreviations, spelling variants, other scripts (C95).

Two ways to compare words. `folded` keeps the letters of a script less marks, case and the spellings
that are mixed up (أ إ آ ا, ة ه, ى ي). `sounds` keeps of any script what its consonants sound like,
roughly enough that محمد, Mohammed and Мухаммед are one.
"""

import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from scoring.models.names import MOST_READ, same_name

type Fits = Callable[[str, str], bool]

SPELLED = 2
SOUNDS = 1
NOT = 0

_ONE_LETTER = str.maketrans(
    {"ة": "ه", "ى": "ي", "ی": "ي", "ک": "ك", "ٱ": "ا", "ء": "", "ـ": ""}
    | {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe"}
    | dict.fromkeys("'’‘ʼ`´ʿʾ", "")
    | dict.fromkeys("-–‐.,_/", " ")
)
_ARABIC = dict(
    zip("بتثجحخدذرزسشصضطظفقكلمنه", "btsghhdzrzscsdtzfkklmnh", strict=True)
) | dict.fromkeys("اعويآ", "")
_CYRILLIC = dict(zip("бвгджзклмнпрстфхцчшщ", "bfgdgzklmnbrstfhsccc", strict=True)) | dict.fromkeys(
    "аеёийоуыэюяьъіїє", ""
)
_LATIN = dict(zip("bcdfghjklmnpqrstvz", "bkdfghgklmnbkrstfz", strict=True)) | dict.fromkeys(
    "aeiouyw", ""
)
_LETTERS = str.maketrans(_ARABIC | _CYRILLIC | _LATIN)
# What two letters sound like together, in English and French spelling; "c" stands for "sh".
_TOGETHER = (
    ("sch", "C"),
    ("sh", "C"),
    ("ch", "C"),
    ("ck", "k"),
    ("kh", "h"),
    ("gh", "g"),
    ("dj", "j"),
    ("zh", "j"),
    ("th", "t"),
    ("dh", "z"),
    ("ph", "f"),
    ("дж", "j"),
    ("x", "ks"),
    ("ce", "se"),
    ("ci", "si"),
    ("cy", "sy"),
)
# Digits for letters that Latin has not: 3ali, Mo7amed.
_CHAT = str.maketrans({"2": "", "3": "", "5": "kh", "7": "h"})


def similarity(wanted: str, name: str) -> int:
    """Return how similar a name is: SPELLED or SOUNDS alike, or NOT.

    Every wanted word must begin, or be inside, a word of its own in the name; two letters of each
    are enough. A single letter only matches the beginning of a word as it is written."""
    words, parts = _words(wanted), _words(name)
    if _fit(words, parts, _is_spelled) or _is_inside(_joined(words), _joined(parts)):
        return SPELLED
    return SOUNDS if _fit(words, parts, _is_heard) else NOT


@lru_cache(maxsize=4096)
def folded(text: str) -> str:
    """Return the letters of a text without what is left out or mixed up in writing."""
    letters = unicodedata.normalize("NFKD", same_name(text).translate(_ONE_LETTER))
    plain = "".join(map(_digit, (each for each in letters if not unicodedata.combining(each))))
    return " ".join(plain.translate(_ONE_LETTER).split())


@lru_cache(maxsize=4096)
def sounds(word: str) -> str:
    """Return the consonants of a folded word, none twice in a row."""
    if not word.isdecimal():
        word = word.translate(_CHAT)
    for written, heard in _TOGETHER:
        word = word.replace(written, heard)
    heard = word.translate(_LETTERS).lower()
    single = "".join(one for one, before in zip(heard, " " + heard, strict=False) if one != before)
    return single.removesuffix("h") or single


def _words(text: str) -> list[str]:
    return folded(text[:MOST_READ]).split()


def _joined(words: Sequence[str]) -> str:
    return "".join(words)


def _digit(sign: str) -> str:
    return str(unicodedata.decimal(sign)) if sign.isdecimal() else sign


def _fit(words: Sequence[str], parts: Sequence[str], fits: Fits) -> bool:
    """Return whether each word has a part of its own.

    A word may take the part of another that can have a different one, so the pairs tried grow with
    the cube of the words, not with every order."""
    holders: dict[int, int] = {}

    def finds_part(word: int, tried: set[int]) -> bool:
        for at, part in enumerate(parts):
            if at in tried or not fits(words[word], part):
                continue
            tried.add(at)
            if at not in holders or finds_part(holders[at], tried):
                holders[at] = word
                return True
        return False

    return len(words) <= len(parts) and all(finds_part(word, set()) for word in range(len(words)))


def _is_spelled(word: str, part: str) -> bool:
    return any(each.startswith(word) for each in _forms(part)) or _is_inside(word, part)


def _is_inside(letters: str, text: str) -> bool:
    return len(letters) > 2 and letters in text


def _is_heard(word: str, part: str) -> bool:
    if len(word) < 2:
        return _is_spelled(word, part)
    return any(
        _is_spelled(word, one) or _sound_alike(each, one)
        for each in _forms(word)
        for one in _forms(part)
    )


def _sound_alike(word: str, part: str) -> bool:
    """Return whether a word sounds like a part.

    One consonant says too little, but in another script it may be all that there is: then it must
    be first in both or in none."""
    wanted, found = sounds(word), sounds(part)
    if len(wanted) < 2:
        is_same = bool(wanted) and wanted == found and _script(word) != _script(part)
        return is_same and _opens(word) == _opens(part)
    return found.startswith(wanted) or (len(found) > 2 and wanted.startswith(found))


def _opens(word: str) -> bool:
    """Return whether a consonant is heard first."""
    return bool(sounds(word.translate(_CHAT)[:1]))


def _forms(word: str) -> tuple[str, ...]:
    """Return the word, and the word without its article."""
    is_long = len(word) > 4
    return (word, word[2:]) if is_long and word.startswith("ال") else (word,)


def _script(word: str) -> str:
    return unicodedata.name(word[0], "").partition(" ")[0]
