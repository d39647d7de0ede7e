"""What comes from outside takes at most twice the work for twice the length."""

import json

import pytest

from scoring.models.name_matching import NOT, SPELLED, similarity
from scoring.models.names import MOST_READ, clean_name
from scoring.paper.forms.pasting import pasted
from scoring.replay.archive import kind_of, read_all, replayed
from scoring.replay.report import to_json
from scoring.rules import score_case
from tests.support.steps import Text, steps

ONCE, TWICE = 150, 300
A_LITTLE = 1.02
"""For numbers that have more digits."""


def names(many):
    return [Text(f"x{number}") for number in range(many)]


def seats(many):
    return dict.fromkeys(names(many), 1)


def played(many):
    return [{"card": Text("KH"), "by": 1, "seat": 1} for _ in range(many)]


def scored(**case):
    return score_case({"system": "levant", "contract": "king", **case})


DOUBLED = {"king_taken_by": 1, "doubles": [{"card": "KH", "by": 1}]}
LEADER = {"doubling.self_capture": "leader_gains"}

ENTRIES = {
    "names in a contract": lambda many: scored(contract=names(many)),
    "one name in a contract": lambda many: scored(contract=[Text("king") for _ in range(many)]),
    "unknown options": lambda many: scored(options=seats(many)),
    "contracts in an option": lambda many: scored(
        options={"kabbout.contracts": [Text("queens") for _ in range(many)]}
    ),
    "points in an option": lambda many: scored(options={"values.trex": [1] * many}),
    "doubles": lambda many: scored(input={"king_taken_by": 1, "doubles": played(many)}),
    "queens": lambda many: scored(contract="queens", input={"queens_taken_by": seats(many)}),
    "leaders": lambda many: scored(options=LEADER, input=DOUBLED | {"trick_leader": seats(many)}),
    "counts": lambda many: scored(contract="diamonds", input={"diamonds": names(many)}),
    "places": lambda many: scored(contract="trex", input={"finish_order": names(many)}),
    "plays": lambda many: scored(
        system="barbu", contract="fifty_one", input={"plays": [Text("KH") for _ in range(many)]}
    ),
}


@pytest.mark.parametrize("entry", ENTRIES)
def test_a_list_in_an_entry_is_cut_before_anything_is_done_with_it(entry):
    case = ENTRIES[entry]
    once, twice = steps(lambda: case(ONCE)), steps(lambda: case(TWICE))
    made = steps(lambda: names(TWICE)) + steps(lambda: played(TWICE))
    assert twice <= once + made  # what is done beside making the list
    assert str(case(TWICE)) == str(case(ONCE))


FRAME = '[System "levant"]\n[Contract "king"]\n[Dealer "N"]\n'
TREX = '[System "levant"]\n[Contract "trex"]\n[Dealer "N"]\n'

RECORDS = {
    "tags in blocks": lambda many: "\n\n".join(f'[A{number} "x"]' for number in range(many)),
    "tags in a line": lambda many: "".join(f'[A{number} "x"]' for number in range(many)),
    "tricks": lambda many: FRAME + "N KH 2H 3H 4H\n" * many,
    "what is no card": lambda many: FRAME + "N ZZ ZZ ZZ ZZ\n" * many,
    "passes": lambda many: TREX + "N:- W:- S:- E:-\n" * many,
    "passes in a line": lambda many: TREX + "N:- " * many,
    "comments": lambda many: FRAME + "{a} " * many,
    "options": lambda many: f'{FRAME}[Options "{" a=[" * many}"]',
    "lines of one letter": lambda many: "N\n\n" * many,
    "an open array": lambda many: "[" + "1," * many,
    "open objects": lambda many: '[{"id":1,' * many,
    "objects in objects": lambda many: '[{"a":' * many,
    "unknown keys": lambda many: json.dumps({"system": "levant", "tags": seats(many)}),
}


def reported(text):
    return [to_json(replayed(record, bounds=False)) for record in read_all(text, kind_of(text))]


@pytest.mark.parametrize("record", RECORDS)
def test_twice_the_record_is_at_most_twice_the_work(record):
    once, twice = RECORDS[record](ONCE), RECORDS[record](TWICE)
    reported(once)  # what is only made once
    assert steps(lambda: reported(twice)) <= A_LITTLE * 2 * steps(lambda: reported(once))


def test_twice_the_pasted_table_is_at_most_twice_the_work():
    once, twice = ("1\t2\t3\t4\tx\n" * many for many in (ONCE, TWICE))
    pasted(once, ["king"])
    most = A_LITTLE * 2 * steps(lambda: pasted(once, ["king"]))
    assert steps(lambda: pasted(twice, ["king"])) <= most


def test_words_find_their_parts_without_every_order_being_tried():
    letters = "a " * 12
    assert similarity(letters, letters) == SPELLED
    # Eleven letters in twelve parts can be placed in 479,001,600 ways.
    assert steps(lambda: similarity("a " * 11 + "x", letters)) < 20_000
    assert similarity("a " * 11 + "x", letters) == NOT
    assert similarity("am a", "Amal Andraos") == similarity("a am", "Amal Andraos") == SPELLED
    assert similarity("a am", "Amal Badr") == NOT


def test_marks_on_marks_are_not_composed_without_end():
    """Composing sorts the marks of a letter, and takes the square of their number for it."""
    assert len(clean_name("a" + "\u0300\u0316" * MOST_READ)) <= MOST_READ
