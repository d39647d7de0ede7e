"""Words in a picture: which fonts there are, what fits, what is cut."""

import io

import pytest
from PIL import Image

from scoring import lettering
from scoring.lettering import ELLIPSIS, fit, png, widths

ARABIC = "عبد الرحمن بن عبد العزيز آل الشيخ الكبير"
VOWELS = "مُحَمَّد الأَوَّل"
CYRILLIC = "Константин Константинопольский-Долгорук"
WIDE = "W" * 40


def inked(letter) -> bytes:
    """The pixels of one letter drawn by itself."""
    size = '<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60" font-size="40">'
    drawn = png(f'{size}<text x="5" y="40">{letter}</text></svg>')
    return Image.open(io.BytesIO(drawn)).tobytes()


def test_fonts_are_small_and_have_their_licence_beside_them():
    assert len(lettering.FILES) == 2
    assert sum((lettering.FONTS / name).stat().st_size for name in lettering.FILES) < 2_000_000
    assert "SIL Open Font License" in (lettering.FONTS / "OFL.txt").read_text()


def test_every_letter_of_our_languages_is_there():
    missing, nothing = inked("日"), inked(" ")
    assert [one for one in "aZéñğŞЁжћعءأىةكپچی٣7−+…·" if inked(one) in (missing, nothing)] == []


def test_largest_size_in_which_all_have_room():
    assert {one.size for one in fit(["Amal", "Badr"], 300, (40, 20))} == {40}
    assert {one.size for one in fit(["Amal", CYRILLIC], 480, (40, 20))} == {20}
    assert [one.text for one in fit(["Amal", CYRILLIC], 480, (40, 20))] == ["Amal", CYRILLIC]


@pytest.mark.parametrize("text", [ARABIC, CYRILLIC, WIDE, "﷽" * 40, VOWELS * 3])
def test_what_is_cut_ends_in_an_ellipsis_and_fits(text):
    (one,) = fit([text], 150, (30, 20), bold=True)
    assert one.text.endswith(ELLIPSIS)
    assert text.startswith(one.text.removesuffix(ELLIPSIS))
    assert widths([one.text], bold=True)[0] * 20 <= 150 * lettering.MEASURED


def test_nothing_is_cut_that_has_room():
    assert fit([ARABIC], 700, (30,), bold=True)[0].text == ARABIC
    assert fit(["W"], 1, (30,))[0].text == ELLIPSIS


# Arabic letters join and carry their vowels; beside Latin ones too.
def test_joined_letters_are_narrower_than_apart():
    joined, apart = widths(["محمد", "م ح م د"])
    assert joined < apart
    plain, vowels = widths(["محمد", "مُحَمَّد"])
    assert abs(plain - vowels) <= 2
    mixed, beside = widths([f"{VOWELS} (1) Salah", f"Salah {VOWELS} (1)"])
    assert abs(mixed - beside) <= 2


@pytest.mark.parametrize("text", ["<b>&\"'</b>", "a\x00b\ufffe", "]]>", "&#x41;", " "])
def test_any_text_may_be_measured(text):
    assert widths([text])[0] >= 0
