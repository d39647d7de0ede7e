"""The fast reading of text and the long way give the same records."""

from io import BytesIO
from random import Random

import pytest

from scoring.replay.notation.draft import drafts
from scoring.replay.notation.paragraphs import Paragraph, paragraphs
from scoring.replay.notation.tags import record_of
from scoring.replay.notation.trex_text import read, write
from tests.replay.mutations import samples
from tests.support.players import any_legal_deal

PIECES = ["", "\n", "\n\n", "[", "]", '"', "x", "{", "%", " ", "\r", "١", "\x85", "[Id ", "N KH\n"]


def long_way(text):
    return [record_of(draft) for draft in drafts(text)]


def same(text):
    found = list(read(text))
    expected = long_way(text)
    assert found == expected
    assert [each.unknown for each in found] == [each.unknown for each in expected]
    assert list(read(BytesIO(text.encode()))) == expected


@pytest.fixture(scope="module")
def texts():
    played = [any_legal_deal(Random(seed), tags={"North": "بدر"}) for seed in range(20)]
    return [*map(write, samples()), *map(write, played)]


def test_whole_texts(texts):
    same("\n".join(texts))


@pytest.mark.parametrize("block", range(5))
def test_mutated_texts(texts, block):
    for seed in range(block * 60, block * 60 + 60):
        rng = Random(seed)
        text = "\n".join(rng.sample(texts, 3))
        for _ in range(rng.randrange(1, 4)):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(PIECES) + text[at + rng.randrange(3) :]
        same(text)


def test_what_is_written_is_read_fast():
    text = "\n".join(write(any_legal_deal(Random(seed))) for seed in range(20))
    assert all(isinstance(each, Paragraph) for each in paragraphs(text))


def test_a_paragraph_after_an_unusual_one_is_read_fast_again(texts):
    fast = write(any_legal_deal(Random(1)))
    text = f"{fast}\nN 1H\n\n{fast}\n{fast}\n{fast}"
    kinds = [isinstance(each, Paragraph) for each in paragraphs(text)]
    assert kinds[-2:] == [True, True]
    same(text)


def test_a_first_line_that_is_too_long_hides_no_record():
    text = "%" + "x" * 70_000 + "\n" + write(any_legal_deal(Random(1)))
    assert len(list(read(text))) == 1
