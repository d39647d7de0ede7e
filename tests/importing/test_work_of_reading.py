"""What is sent as a file takes at most twice the work for twice the length."""

import io

import pytest

from scoring.importing.limits import PAGE
from scoring.importing.reading import read_file
from tests.support.steps import steps

ONCE, TWICE = 200, 400
A_LITTLE = 1.02
HEAD = "match,played_at,player_1,player_2,player_3,player_4,rules,deal,contract"
MATCH = '"players":["a","b","c","d"],"system":"levant","played_at":"2026-01-01"'


def of_match(rest):
    return f"{{{MATCH},{rest}}}"


def of_deal(rest):
    return of_match(f'"deals":[{{"deal_number":1,"chooser":0,"contract":"king",{rest}}}]')


def keys(many):
    return ",".join(f'"x{number}":1' for number in range(many))


FILES = {
    "an array of numbers": lambda many: f"[{'1,' * many}1]",
    "an open array": lambda many: "[" + "1," * many,
    "players": lambda many: f'{{"players":[{"1," * many}1],"deals":[]}}',
    "a contract": lambda many: of_match(f'"deals":[{{"contract":[{"1," * many}1]}}]'),
    "counts": lambda many: of_deal(f'"input":{{"tricks":[{"1," * many}1]}}'),
    "facts": lambda many: of_deal(f'"input":{{{keys(many)}}}'),
    "keys of a deal": lambda many: of_deal(keys(many)),
    "keys that stand twice": lambda many: of_match(f'"deals":[],{keys(many)},{keys(many)}'),
    "options": lambda many: of_match(f'"deals":[],"options":{{{keys(many)}}}'),
    "lists in lists": lambda many: of_match(f'"deals":{"[" * many}{"]" * many}'),
    "deals that are none": lambda many: of_match(f'"deals":[{"1," * many}1]'),
    "columns": lambda many: f"{HEAD}\n{',' * many}",
    "deals of one match": lambda many: f"{HEAD}\n" + "x,2026-01-01,a,b,c,d,levant,1,king\n" * many,
    "matches": lambda many: (
        f"{HEAD}\n"
        + "".join(f"x{number},1/2/2026,a,b,c,d,levant,1,king\n" for number in range(many))
        + "y,31/1/2026,a,b,c,d,levant,1,king\n"
    ),
    "rows without a deal": lambda many: f"{HEAD}\n" + "x,2026-01-01\n" * many,
    "titles": lambda many: "a\n" * many,
}


def read(text):
    return list(read_file(io.BytesIO(text.encode()), PAGE))


@pytest.mark.parametrize("file", FILES)
def test_twice_the_file_is_at_most_twice_the_work(file):
    once, twice = FILES[file](ONCE), FILES[file](TWICE)
    read(once)  # what is only made once
    assert steps(lambda: read(twice)) <= A_LITTLE * 2 * steps(lambda: read(once))


# An array of three million numbers was told number by number.
@pytest.mark.parametrize("file", ["an array of numbers", "an open array", "rows without a deal"])
def test_what_is_more_than_a_file_can_hold_is_not_looked_at(file):
    most, more = FILES[file](PAGE.deals + 1), FILES[file](8 * PAGE.deals)
    assert steps(lambda: read(more)) <= A_LITTLE * steps(lambda: read(most))
    assert read(more)[-1].code in ("too_many_deals", "no_rows")


def test_problems_of_one_match_are_cut_at_what_can_be_right():
    for file in ("a contract", "counts", "facts", "keys that stand twice", "options"):
        found = read(FILES[file](TWICE))
        assert sum(len(getattr(each, "faults", ())) for each in found) <= 70
