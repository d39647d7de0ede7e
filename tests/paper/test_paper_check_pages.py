"""A paper sheet that anybody types in: what its lines mean, and where it is wrong."""

import re

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from scoring.common.numbers import read
from scoring.house_rules.services import house_rules
from scoring.paper.forms.paper_sheet import take_in
from scoring.paper.forms.pasting import pasted
from scoring.rules import preset
from tests.support.asking import NASTY
from tests.support.tables import codes

URL = reverse("paper_check")
NAMES = ("Amal", "Badr", "Carmen", "Dima")
CONTRACTS = ["king", "queens", "diamonds", "tricks", "trex"]


@pytest.fixture(autouse=True)
def nobody_asked_yet():
    cache.clear()


def sheet(*lines, preset="levant", totals=(), **more):
    """What the form posts: each line a contract and four numbers as typed."""
    data = {"preset": preset, "lines": "5", "action": "check"}
    data |= {f"name{seat}": name for seat, name in enumerate(NAMES)}
    for number, (contract, *typed) in enumerate(lines, start=1):
        data[f"contract.{number}"] = contract
        data |= {f"line.{number}.{seat}": str(text) for seat, text in enumerate(typed)}
    data |= {f"total.{seat}": str(text) for seat, text in enumerate(totals)}
    return data | more


def check(*lines, **more):
    return Client().post(URL, sheet(*lines, **more))


def found(response):
    return re.search(r'data-found="(\w+)"', response.text)[1]


def meant(response):
    told = re.findall(r'<p class="meant small[^>]*>(.*?)</p>', response.text, re.DOTALL)
    return [re.sub(r"<[^>]+>|\s+", " ", text).split() for text in told]


def said(response):
    return [" ".join(words) for words in meant(response)]


def test_page_is_there_for_anybody_and_keeps_nothing(db, client, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get(URL).status_code == 200
        assert client.post(URL, sheet(["tricks", 0, 75, 45, 75])).status_code == 200


def test_line_says_what_happened(client):
    response = check(["tricks", 0, 75, 45, 75])
    assert found(response) == "agrees"
    (text,) = said(response)
    for part in ("Badr took 5 tricks", "Carmen took 3 tricks", "Dima took 5 tricks"):
        assert part in text


def test_contract_need_not_be_known(client):
    response = check(["", 0, 75, 45, 75], ["", 200, 150, 50, 100])
    assert found(response) == "agrees"
    tricks, trex = said(response)
    assert "Tricks" in tricks
    assert "Amal , Badr , Dima , Carmen" in trex


# No sign is ever typed (C13); digits of any script are read (C14).
@pytest.mark.parametrize("digits", ["75", "٧٥", "۷۵", "−75", "-75", "(75)"])
def test_numbers_are_read_as_people_write_them(client, digits):
    response = check(["tricks", 0, digits, 45, digits])
    assert found(response) == "agrees"


def test_plus_is_chosen_where_a_doubler_gains(client):
    response = check(["king", 150, 75, 0, 0], **{"line.1.1.sign": "+"})
    assert found(response) == "agrees"
    assert "doubled" in said(response)[0]


def test_impossible_line_says_why_and_what_would_mend_it(client):
    response = check(["diamonds", 30, 40, 30, 20])
    assert re.findall(r'data-impossible="(\d+)"', response.text) == ["1"]
    assert "−130" in response.text
    assert found(response) == "changes"
    assert 'data-equal="4"' in response.text  # any of the four may be the wrong one


def test_sum_with_factors_is_told_as_such(client):
    (text,) = said(check(["tricks", 180, 0, 0, 0], preset="barbu", **{"chooser.1": "0"}))
    assert "without factors they come to +90 together, and must come to +80" in text


# A deal that a cheat ended comes to something else.
def test_cheating_is_named_where_a_sum_is_wrong(client):
    (text,) = said(check(["tricks", 390, 0, 0, 0], preset="barbu", **{"chooser.1": "1"}))
    assert "must come to +80 ; unless somebody cheated, who alone takes +400" in text
    assert found(check(["tricks", 400, 0, 0, 0], preset="barbu")) == "agrees"
    (text,) = said(check(["tricks", 390, 0, 0, 0]))
    assert "cheated" not in text


def test_totals_tell_which_change_it_was(client):
    response = check(["diamonds", 30, 40, 30, 20], totals=(30, 40, 30, 30))
    assert response.text.count('class="change"') == 1
    assert "−30" in response.text


def mends(response):
    return re.findall(r'name="mend" value="([^"]+)"', response.text)


RIGHT = (["diamonds", 30, 40, 30, 30], ["king", 0, 75, 0, 0], ["trex", 200, 150, 100, 50])
MISTAKES = {
    "a number of a line": {"line.1.3": "20"},
    "a taker": {"line.2.1": "0", "line.2.2": "75", "line.2.3": "0"},
    "two columns": {"line.3.0": "150", "line.3.1": "200"},
    "a total under a line": {"under.2.1": "125"},
    "a total that was carried on": {"under.1.0": "20", "under.2.0": "20", "total.0": "180"},
    "the last total": {"total.3": "10", "total.3.sign": "+"},
    "another contract noted": {"contract.1": "tricks"},
    "two totals exchanged": {"total.0": "35", "total.1": "170"},
    "a line left out": {f"under.2.{seat}": n for seat, n in enumerate(("30", "40", "30", "30"))},
    "all signs of a line": {f"line.1.{seat}.sign": "+" for seat in range(4)},
}


# Each change is one tap from being made on the sheet.
@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
@pytest.mark.parametrize("signed", [False, True])
def test_change_is_made_in_a_tap(client, mistake, signed):
    under = {"under.1": (-30, -40, -30, -30), "under.2": (-30, -115, -30, -30)}
    typed = {
        f"{name}.{seat}": str(n) for name, four in under.items() for seat, n in enumerate(four)
    }
    data = sheet(*RIGHT, totals=(170, 35, 70, 20), **typed)
    data |= {f"total.{seat}.sign": "+" for seat in range(4)}
    if signed:
        data |= {f"line.1.{seat}.sign": "-" for seat in range(4)}
    assert found(client.post(URL, data)) == "agrees"
    data |= mistake
    response = client.post(URL, data)
    assert found(response) == "changes"
    assert mends(response)
    del data["action"]
    for mend in mends(response):
        assert found(client.post(URL, data | {"mend": mend})) == "agrees", mend


@pytest.mark.parametrize("mend", ["", "line.1.9=3", "name0=3", "line.1.0=x", "=" * 9999])
def test_change_that_is_none_changes_nothing(client, mend):
    data = sheet(["diamonds", 30, 40, 60, 0]) | {"mend": mend}
    del data["action"]
    assert found(client.post(URL, data)) == "agrees"


def test_totals_between_the_lines(client):
    lines = (["diamonds", 30, 40, 60, 0], ["king", 0, 75, 0, 0])
    under = {f"under.1.{seat}": str(n) for seat, n in enumerate((40, 30, 60, 0))}
    response = check(*lines, **under)
    assert found(response) == "changes"
    under |= {"under.1.1": "20", "under.1.2": "70"}
    response = check(*lines, **under, kind="since", totals=(30, 115, 60, 0))
    assert found(response) == "nothing"
    assert "No single change that we know explains this." in response.text


def test_one_slip_in_running_totals_is_one_sentence(client):
    lines = [["king", 0, 75, 0, 0], ["queens", 25, 25, 50, 0], ["diamonds", 30, 40, 60, 0]] * 2
    sums = [(0, 75, 0, 0), (25, 100, 50, 0), (65, 140, 110, 0)]
    sums += [(65, 215, 110, 0), (90, 240, 160, 0), (120, 280, 220, 0)]
    under = {
        f"under.{n}.{seat}": x for n, four in enumerate(sums, 1) for seat, x in enumerate(four)
    }
    response = check(*lines, lines="6", **under)
    runs = re.findall(r"<li data-run>(.*?)</li>", response.text)
    assert [re.sub("<[^>]+>", "", run) for run in runs] == ["From line 3 on: Amal is 10 too low"]
    assert "is written, the lines come to" not in response.text


def test_line_left_out_is_named(client):
    lines = [["king", 0, 75, 0, 0], ["diamonds", 30, 40, 60, 0], ["queens", 25, 25, 50, 0]]
    response = check(*lines, totals=(25, 100, 50, 0))
    first = re.search(r'<li class="change">(.*?)</p>', response.text, re.DOTALL)[1]
    told = " ".join(re.sub("<[^>]+>", " ", first).split())
    assert told == "Total of the match: Line 2 is not counted"


# So much is tried, and no more: the page says that it did not look at everything.
def test_sheet_that_leaves_too_much_open_ends(client, monkeypatch):
    monkeypatch.setattr("scoring.paper.forms.paper_sheet.MOST_TRIES", 100_000)
    lines = [["", 501 + n, f"+{1 + n}", 0, 0] for n in range(40)]
    response = check(*lines, preset="levant-complex", lines="40")
    assert response.status_code == 200
    assert found(response) == "ended"
    assert 'data-open="40"' in response.text
    assert "It does not agree" not in response.text
    assert "Everything agrees" not in response.text


def test_kabbout_of_barbu_with_its_chooser(client):
    response = check(["tricks", 0, 800, 400, 400], preset="barbu", **{"chooser.1": "1"})
    assert found(response) == "agrees"


def test_what_is_no_number_is_said_at_its_place_and_nothing_is_lost(client):
    response = check(["tricks", 0, "many", 45, 75])
    assert response.status_code == 422
    assert codes(response) == ["not_a_number", "not_a_number"]
    for typed in ("many", 'value="45"', 'value="Carmen"'):
        assert typed in response.text


def test_contract_of_other_rules_is_said_at_its_place(client):
    response = check(["hearts", 0, 75, 45, 75])
    assert response.status_code == 422
    assert "unknown_contract" in codes(response)


def test_empty_sheet_is_asked_for(client):
    response = check()
    assert (response.status_code, codes(response)) == (422, ["missing"])


def test_name_that_is_too_long_comes_back_whole(client):
    response = check(["tricks", 0, 75, 45, 75], name0="x" * 41)
    assert response.status_code == 422
    assert "too_long" in codes(response)
    assert "x" * 41 in response.text


def test_sheet_grows_and_keeps_what_was_typed(client):
    response = check(["tricks", 0, 75, 45, 75], action="more")
    assert response.status_code == 200
    assert 'name="line.10.3"' in response.text
    assert 'value="45"' in response.text
    grown = Client().post(URL, sheet(action="more", lines="9999"))
    assert 'name="line.40.0"' in grown.text
    assert 'name="line.41.0"' not in grown.text


def test_other_rules_bring_their_contracts(client):
    response = check(["tricks", 0, 10, 45, 75], action="rules", preset="barbu")
    assert 'value="fifty_one"' in response.text
    assert 'name="chooser.1"' in response.text
    assert 'value="45"' in response.text


TABLE = """\
Amal\tBadr\tCarmen\tDima
1\tDiamonds\t-30\t-40\t-60\t0
2\tking\t0\t-75\t0\t0
\tTrex\t200\t150\t100\t50
Total\t170\t35\t40\t50
"""


def test_table_is_taken_in(client):
    response = Client().post(URL, sheet(action="paste", table=TABLE))
    assert response.status_code == 200
    for typed in ('value="-30"', 'value="200"', 'value="170"'):
        assert typed in response.text
    assert response.text.count('<option value="king" selected>') == 1
    assert "-30" not in re.search(r"<textarea.*?</textarea>", response.text, re.DOTALL)[0]


# Names or totals without a line of points say nothing about which line they belong to.
@pytest.mark.parametrize(
    "table",
    ["Zeina\tYara\tWard\tVera", "Total\t1\t2\t3\t4", "1 2 3", "Zeina Yara Ward Vera\n1 2 3"],
)
def test_paste_that_cannot_be_read_changes_nothing(table):
    page = {"name0": "Amal", "total.0": "5", "table": table}
    assert take_in(page, table, preset("levant"))[0] == page


def test_decimals_of_a_pasted_table_are_whole_numbers(client):
    table = "1\tking\t0,00\t-75,00\t0,00\t0,00"
    response = Client().post(URL, sheet(action="paste", table=table))
    assert response.status_code == 200
    assert 'value="-75,00"' in response.text


@pytest.mark.parametrize(
    ("table", "code"),
    [
        ("1 2 3", "unread"),
        ("-30 -40 -60 0\n-30 -40", "unread"),
        ("hello", "unread"),
        ("", "no_lines"),
        ("0 0 0 0\n" * 41, "too_long"),
        ("9" * 20_001, "too_long"),
    ],
)
def test_table_that_cannot_be_read_stays(client, table, code):
    response = Client().post(URL, sheet(action="paste", table=table))
    assert response.status_code == 422
    assert code in codes(response)
    assert table.strip()[:20] in response.text


def test_pasted_texts():
    read_in = pasted("١٣٠- ٠ ٠ ٠\n0;−75;–;0\n-5 -6 -7 -8 -5 -6 -7 -8", CONTRACTS)
    assert read_in.lines == [
        ("", ["١٣٠-", "٠", "٠", "٠"]),
        ("", ["0", "−75", "0", "0"]),
        ("", ["-5", "-6", "-7", "-8", "-5", "-6", "-7", "-8"]),
    ]
    assert pasted("King of hearts\t0\t-75\t0\t0", CONTRACTS).lines == [
        ("king", ["0", "-75", "0", "0"])
    ]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("−75", ("-", 75)),
        ("75-", ("-", 75)),
        ("(75)", ("-", 75)),
        ("+75", ("+", 75)),
        ("٧٥", ("", 75)),
        ("-75.0", ("-", 75)),
        ("0,00", ("", 0)),
        ("−75,00", ("-", 75)),
        ("(٧٥٫٠)", ("-", 75)),
        ("1.000", ("", None)),
        ("75.", ("", None)),
        ("7.5", ("", None)),
        ("--", ("", None)),
        ("999999", ("", None)),
        ("²", ("", None)),
    ],
)
def test_numbers(typed, expected):
    assert read(typed) == expected


def test_too_many_questions_wait(client):
    for _ in range(41):
        response = check(["tricks", 0, 75, 45, 75])
    assert (response.status_code, codes(response)) == (422, ["too_often"])


def test_form_that_came_too_late_keeps_what_was_typed(db):
    late = Client(enforce_csrf_checks=True).post(URL, sheet(["tricks", 0, 75, 45, 75]))
    assert (late.status_code, codes(late)) == (422, ["form_expired"])
    assert 'value="45"' in late.text


def test_names_are_shown_as_they_are(client):
    response = check(["tricks", 0, 75, 45, 75], name1=NASTY)
    assert NASTY not in response.text


@pytest.mark.parametrize("field", ["lines", "chooser.1", "kind", "line.1.0.sign", "preset"])
def test_nonsense_in_a_field_breaks_nothing(client, field):
    for nonsense in ("-1", "x", "9" * 99, "\x00", "٣"):
        response = check(["tricks", 0, 75, 45, 75], **{field: nonsense})
        assert response.status_code in (200, 422)


FRIDAY = {"values.trick": 20}


def own_rules(club, name="Friday", options=None):
    rules = house_rules.create(club=club, name=name, preset="levant", options=options or FRIDAY)
    house_rules.set_default(club=club, rules=rules)
    return rules


def offered(response):
    return re.findall(r'name="preset" value="([\w-]+)"( checked)?', response.text)


def test_member_checks_by_the_rules_of_the_club(cast, phone_of, django_assert_num_queries):
    rules, other = own_rules(cast.club), own_rules(cast.club, "Second")
    phone = phone_of(cast.carmen)
    page = phone.get(URL, {"club": cast.club.slug})
    names = [name for name, _checked in offered(page)]
    assert names[:5] == ["levant", "kleshchi", "barbu", str(other.id), str(rules.id)]
    assert (str(other.id), " checked") in offered(page)
    assert cast.club.name in page.text
    data = sheet(["tricks", 0, 100, 60, 100], preset=str(rules.id))
    with django_assert_num_queries(4):  # session, account, roles, sets
        response = phone.post(URL, data)
    assert found(response) == "agrees"
    assert "Rules: Friday" in response.text
    assert found(phone.post(URL, data | {"preset": "levant"})) != "agrees"


def test_page_of_the_club_leads_to_its_own_rules(cast, phone_of):
    page = phone_of(cast.carmen).get(reverse("club", args=[cast.club.slug]))
    assert f'href="{URL}?club={cast.club.slug}"' in page.text


# Ghassan sees what anybody sees: rules of another club are unknown, and nothing tells of it. C94
def test_ghassan_checks_by_no_rules_of_another_club(cast, phone_of):
    rules = own_rules(cast.club)
    for phone in (phone_of(cast.ghassan), Client()):
        page = phone.get(URL, {"club": cast.club.slug})
        assert str(rules.id) not in page.text
        assert ("levant", " checked") in offered(page)
        for action in ("check", "rules", "more"):
            data = sheet(["tricks", 0, 100, 60, 100], preset=str(rules.id), action=action)
            response = phone.post(URL, data)
            assert "invalid_choice" in codes(response)
            assert "Friday" not in response.text
            assert str(rules.id) not in response.text
            assert response.status_code == (422 if action == "check" else 200)


# Ghassan sees what anybody sees: the page is nobody's, and holds nothing of a club. C94
def test_ghassan_sees_nothing_of_a_club(cast, phone_of):
    page = phone_of(cast.ghassan).get(URL)
    assert page.status_code == 200
    for name in ("Younes", "Carmen"):
        assert name not in page.text
