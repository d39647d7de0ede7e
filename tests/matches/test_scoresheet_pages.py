"""The scoresheet: every deal with its points, what kingdoms add up to, the marks."""

import re

import pytest
from django.utils.html import strip_tags

from scoring.api.shapes import match_details
from scoring.ledger.queries.match_view import match_view
from scoring.matches.presenters.card import card
from scoring.matches.services import matches
from scoring.matches.views.overview import as_text
from scoring.models import Deal
from scoring.rules import Contract, Entry, Tally
from scoring.rules.ranking import sides
from tests.factories import adjust, correct, evenings, finish, king, void, write
from tests.support.markup import flat
from tests.support.tables import PHONE, evening_of, match_of, phone_client, totals, url

pytestmark = pytest.mark.django_db


@pytest.fixture
def phone():
    return phone_client()


def entry(contract, facts) -> Entry:
    return Entry(Contract.read(contract), 0, False, Tally.from_json(facts))


def number(text) -> int:
    return int(text.replace("−", "-").replace("+", ""))


def rows(page) -> list[list[int]]:
    """Points of the deals as they stand on the sheet."""
    found = re.findall(r'<tr data-deal="\d+">(.*?)</tr>', flat(page))
    cells = [
        re.findall(r'<td[^>]*>(?:<span dir="ltr">)?<bdi class="num" dir="ltr">(.*?)<', row)
        for row in found
    ]
    return [[number(cell) for cell in row] for row in cells]


@pytest.mark.parametrize("evening", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_every_deal_stands_with_the_points_of_the_file(phone, evening):
    page = phone.get(url("sheet", evening_of(evening)))
    by_number = sorted(evenings()[evening]["deals"], key=lambda deal: deal["deal_number"])
    assert rows(page) == [deal["scores"] for deal in by_number]
    foot = page.text[page.text.index("<tfoot>") :]
    found = re.findall(r'<td><bdi class="num" dir="ltr">(.*?)<', foot)
    assert [number(cell) for cell in found] == evenings()[evening]["totals"]


# A reader who hears the page knows which table this is and what each number belongs to. C107
def test_the_sheet_says_what_it_is_and_names_rows_and_columns(phone):
    page = phone.get(url("sheet", evening_of("evening-levant", 6))).text
    assert '<caption class="hidden-text">Scoresheet</caption>' in page
    assert page.count('<th scope="row">') == 6 + 2 + 1
    assert page.count('<th scope="col">') == 5


def test_kingdoms_show_that_they_sum_to_zero_where_the_rules_promise_it(phone):
    page = phone.get(url("sheet", evening_of("evening-levant"))).text
    assert page.count("Kingdom of") == 4
    assert page.count("Σ 0") == 4
    page = phone.get(url("sheet", evening_of("evening-kleshchi"))).text
    assert page.count("Round") == 5
    assert "Σ" not in page


def test_doubled_corrected_and_forced_deals_are_marked(phone):
    match = evening_of("evening-levant", 5)
    deal = Deal.objects.get(match=match, deal_number=2)
    correct(match, deal, king(taken_by=1, chooser=1), actor=PHONE)
    page = phone.get(url("sheet", match)).text
    assert page.count('title="doubled a card"') == 1
    assert page.count('title="corrected"') == 1
    page = phone.get(url("sheet", evening_of("evening-barbu"))).text
    assert page.count('title="forced"') == 4


def test_a_deal_taken_back_and_not_played_again_is_named(phone):
    match = evening_of("evening-levant", 3)
    void(match, Deal.objects.get(match=match, deal_number=2), reason="No", actor=PHONE)
    assert f'{url("deal", match, 2)}"' in phone.get(url("sheet", match)).text


def test_a_penalty_stands_after_the_deal_in_which_it_was_given(phone):
    match = evening_of("evening-levant", 7)
    for after in (0, 2, 7):
        adjust(match, after_deal=after, actor=PHONE)
    page = phone.get(url("sheet", match)).text
    rows = re.findall(r'<tr[^>]* data-(deal|adjustment)="(\d+)"', page)
    deals = [("deal", str(number)) for number in range(1, 8)]
    given = [("adjustment", number) for number in ("0", "2", "7")]
    assert rows == [given[0], *deals[:2], given[1], *deals[2:], given[2]]


def test_a_row_opens_its_deal(phone):
    match = evening_of("evening-levant", 3)
    assert (
        f'<a class="row-link" href="{url("deal", match, 3)}">'
        in phone.get(url("sheet", match)).text
    )


def test_an_empty_sheet_says_so(phone):
    assert "No deal yet." in phone.get(url("sheet", match_of())).text


QUEENS = {"queens_taken_by": {"QS": 1, "QH": 1, "QD": 2, "QC": 0}}


# The pillow of the table: a doubled queen is marked wherever she stands. C-L2
def test_a_doubled_queen_lies_on_her_pillow(phone):
    facts = QUEENS | {"doubles": [{"card": "QH", "by": 3}]}
    match = match_of(entries=[entry("queens", facts)])
    for page in (url("sheet", match), url("deal", match, 1)):
        text = phone.get(page).text
        assert 'suit-h pillow" title="queen of hearts, doubled">Q♥' in text
        assert 'suit-s pillow"' not in text


def test_one_announcement_lays_all_four_on_pillows(phone):
    facts = QUEENS | {"doubles": [{"card": "QH", "by": 3}]}
    options = {"doubling.queens_unit": "whole_contract"}
    text = phone.get(url("sheet", match_of(options=options, entries=[entry("queens", facts)]))).text
    assert text.count('pillow"') == 4
    assert text.count('title="doubled a card"') == 1


def test_teams_have_their_sums(phone):
    match = match_of(options={"teams": "opposite"})
    assert "Teams" in phone.get(url("sheet", match)).text


# Partners add up; a Trex splits 350 and 150, or 300 and 200, or 250 and 250. C-L19
@pytest.mark.parametrize(
    ("order", "split"),
    [
        ([0, 2, 1, 3], ["+350", "+150"]),
        ([0, 1, 2, 3], ["+300", "+200"]),
        ([1, 0, 2, 3], ["+250", "+250"]),
    ],
)
def test_every_deal_shows_what_each_team_got(phone, order, split):
    match = match_of(
        options={"teams": "opposite"}, entries=[entry("trex", {"finish_order": order})]
    )
    row = phone.get(url("sheet", match)).text.split('class="split"')[1].split("</small>")[0]
    assert re.findall(r'dir="ltr">(.*?)<', row) == split
    for page in (url("deal", match, 1), url("match", match, contract="")):
        shown = phone.get(page).text
        found = re.findall(r'class="team-total"><bdi class="num" dir="ltr">(.*?)<', shown)
        # A form of the next deal shows them once more, beside Save.
        assert found in (split, split * 2)


def won(page) -> list[str]:
    """The marks of the four totals."""
    foot = page.text[page.text.index("<tfoot>") : page.text.index("</tfoot>")]
    first = foot.split("</tr>")[0]
    return ["".join(re.findall(r'class="won"[^>]*>(.)<', cell)) for cell in first.split("<td>")[1:]]


# Beside the champion everybody above zero has won. C-L17
def test_every_positive_total_is_marked_beside_the_champion(phone):
    match = evening_of("evening-levant")
    totals = evenings()["evening-levant"]["totals"]
    marks = ["♛" if total == max(totals) else "✓" if total > 0 else "" for total in totals]
    assert marks.count("✓")
    assert won(phone.get(url("sheet", match))) == marks
    assert won(phone.get(url("sheet", evening_of("evening-levant", 19)))) == [""] * 4
    finish(match)
    page = phone.get(url("match", match)).text
    assert page.count('class="positive"') == marks.count("✓")
    assert "and so winners too" in page


# Nothing is not 0, and nobody wins it.
@pytest.mark.parametrize("options", [{}, {"teams": "opposite"}])
def test_match_without_a_deal_has_no_totals_and_no_winner(phone, options):
    match = match_of(options=options)
    match = write(matches.break_off, match, actor=PHONE, reason="Late")
    view = match_view(match)
    assert (view.sheet.winners, view.sheet.begun) == ((), False)
    foot = flat(phone.get(url("sheet", match))).split("<tfoot>")[1].split("</tfoot>")[0]
    assert {cell.strip() for cell in re.findall(r"<td>(.*?)</td>", foot)} == {"–"}
    assert totals(phone.get(url("match", match))) == [None] * 4
    assert as_text(view, "").count(": –") == len(sides(view.ruleset))
    assert {person.total for group in card(view).groups for person in group.people} == {None}
    assert {group.total for group in card(view).groups} == {None}
    assert (match_details(view)["totals"], match_details(view)["team_totals"]) == (None, None)


def test_running_match_without_a_deal_shows_no_totals(phone):
    assert totals(phone.get(url("match", match_of()))) == [None] * 4


@pytest.mark.parametrize("evening", ["evening-kleshchi", "evening-barbu"])
def test_only_the_best_wins_where_the_rules_know_no_other_winner(phone, evening):
    match = evening_of(evening)
    assert "✓" not in won(phone.get(url("sheet", match)))
    finish(match)
    assert "and so winners too" not in phone.get(url("match", match)).text


# On paper nobody sees the bar: the sheet says itself what it is of.
def test_printed_sheet_names_club_table_day_and_rules(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, table_name="Window")
    page = flat(phone_of(cast.badr).get(url("sheet", match)))
    head = strip_tags(re.search(r'<p class="print-only sheet-head">(.*?)</p>', page)[1])
    assert [part.strip() for part in head.split(" · ")][:2] == [cast.club.name, "Window"]
    assert head.endswith("Trex with kingdoms")


def test_ghassan_finds_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    assert phone_of(cast.ghassan).get(url("sheet", match)).status_code == 404


@pytest.mark.parametrize("deals", [1, 20])
def test_queries_do_not_grow_with_the_deals(phone, django_assert_num_queries, deals):
    match = evening_of("evening-levant", deals)
    with django_assert_num_queries(6):
        phone.get(url("sheet", match))
