"""Which notation a source has, and what an audit says of its records."""

import pytest

from scoring.replay.archive import Mark, Totals, kind_of, read_all, verdict
from tests.replay.notation.test_trex_text import HEARTS, KING


@pytest.mark.parametrize(
    ("start", "kind"),
    [
        ('[Id "a"]', "text"),
        ("% note\n[Id", "text"),
        ('{note} [Id "a"]', "text"),
        ("W KH", "text"),
        ("", "text"),
        ('[{"id"', "json"),
        ("[\n {", "json"),
        ("[]", "json"),
        ("[", "json"),
        ('\ufeff {"id"', "json"),
        ("{\n", "json"),
        ("nonsense\n" + '{"id": 1}', "json"),
    ],
)
def test_the_notation_is_known_by_its_beginning(start, kind):
    assert kind_of(start) == kind


def marks(text):
    (record,) = read_all(text, "text")
    return verdict(record).marks


def test_breaches_are_marked_with_their_play():
    assert marks(HEARTS) == (Mark("heart_lead", 8), Mark("unfinished"))


def test_errors_of_writing_are_marked_with_their_line():
    assert marks(HEARTS.replace("TH JH", "1H JH")) == (Mark("bad_card", 12),)


def test_a_claim_that_is_not_what_the_cards_say():
    early = KING + "W KH QH JH TH\n"  # K♥ is taken: no points are open
    right = '[Result "N:0 W:-75 S:0 E:0"]\n'
    assert Mark("wrong_claim") not in marks(right + early)
    assert Mark("wrong_claim") in marks(right.replace("-75", "-57") + early)


def test_a_code_is_counted_once_a_record():
    totals = Totals()
    text = f"{HEARTS}\n{HEARTS.replace('TD', '1D').replace('TH', '1H')}"
    for record in read_all(text, "text"):
        totals.add(verdict(record))
    assert (totals.records, totals.bad) == (2, 2)
    assert totals.codes == {"heart_lead": 1, "unfinished": 1, "bad_card": 1}
