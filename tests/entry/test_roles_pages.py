"""Who chooses, deals and leads: proposed, and changed in a tap where the table did otherwise."""

import re

import pytest

from scoring.models import Deal
from tests.factories import evenings, record
from tests.support.markup import flat
from tests.support.tables import (
    PHONE,
    chosen,
    codes,
    evening_of,
    form_data,
    match_of,
    phone_client,
    url,
)

pytestmark = pytest.mark.django_db

ROLES = ("chooser", "dealer", "leader")


@pytest.fixture
def phone():
    return phone_client()


def roles(page) -> list[str | None]:
    """Who chooses, deals and leads on this page."""
    found = r'id="{0}-\d" name="{0}" value="(\d)" checked'
    return [(re.findall(found.format(role), flat(page)) or [None])[0] for role in ROLES]


def drawn(page) -> str:
    return re.search(r'name="drawn" value="([^"]*)"', page.text)[1]


def post(phone, match, contract, facts, **changes):
    where = url("match", match, contract=contract)
    return phone.post(where, form_data(match, contract, facts, **changes))


def stored(match, number=1):
    deal = Deal.objects.standing().get(match=match, deal_number=number)
    return deal.chooser, deal.dealer, deal.leader


@pytest.mark.parametrize(
    ("system", "contract", "expected"),
    [
        ("levant", "king", ["0", "3", "0"]),
        ("kleshchi", "king", ["0", "3", "0"]),
        ("kleshchi", "trex", ["0", "3", "3"]),  # opened by the dealer (C-K10)
        ("barbu", "king", ["0", "3", "0"]),
    ],
)
def test_they_are_proposed_by_the_schedule(phone, system, contract, expected):
    page = phone.get(url("match", match_of(system=system), contract=contract))
    assert roles(page) == expected
    assert drawn(page) == ".".join(expected)


def test_each_is_kept_as_the_table_did_it(phone):
    match = match_of()
    facts = {"king_taken_by": 2}
    answer = post(phone, match, "king", facts, chooser=1, dealer=2, leader=0, drawn="1.2.3")
    assert answer.status_code == 303
    assert stored(match) == (1, 2, 0)


def test_untouched_they_are_those_of_the_schedule(phone):
    match = match_of()
    same = {"chooser": 0, "dealer": 3, "leader": 0, "drawn": "0.3.0"}
    post(phone, match, "king", {"king_taken_by": 2}, **same)
    assert stored(match) == (0, 3, 0)


# Nobody taps twice what hangs together: who leads follows who deals or chooses. C115
@pytest.mark.parametrize(
    ("system", "change", "expected"),
    [
        ("levant", {"dealer": 1}, (0, 1, 2)),
        ("levant", {"chooser": 2}, (2, 3, 0)),
        ("barbu", {"chooser": 2}, (2, 3, 2)),
        ("barbu", {"chooser": 2, "leader": 3}, (2, 3, 3)),
    ],
)
def test_the_leader_follows_unless_he_is_named(phone, system, change, expected):
    match = match_of(system=system)
    sent = {"chooser": 0, "dealer": 3, "leader": 0, "drawn": "0.3.0"} | change
    post(phone, match, "king", {"king_taken_by": 2}, **sent)
    assert stored(match) == expected


def test_who_deals_his_own_kingdom_changes_with_it(phone):
    match = match_of(options={"dealer_rule": "owner_deals"})
    assert roles(phone.get(url("match", match, contract="king"))) == ["0", "0", "1"]
    sent = {"chooser": 2, "dealer": 0, "leader": 1, "drawn": "0.0.1"}
    post(phone, match, "king", {"king_taken_by": 2}, **sent)
    assert stored(match) == (2, 2, 3)


def test_a_change_draws_all_three_anew_and_keeps_what_was_tapped(phone):
    match = match_of(system="barbu")
    sent = {"chooser": 2, "dealer": 3, "leader": 0, "drawn": "0.3.0"}
    page = post(phone, match, "king", {"king_taken_by": 1}, **sent, action="redraw")
    assert roles(page) == ["2", "3", "2"]
    assert '<details class="roles" id="roles" open' in page.text
    assert chosen(page, "king_taken_by") == "1"
    back = sent | {"chooser": 0, "leader": 2, "drawn": drawn(page)}
    assert roles(post(phone, match, "king", {}, **back, action="redraw")) == ["0", "3", "0"]


def test_htmx_gets_the_part_with_the_three(phone):
    match = match_of()
    data = form_data(match, "king", {}, action="redraw", chooser=1)
    answer = phone.post(url("match", match), data, headers={"HX-Request": "true"})
    assert answer.text.lstrip().startswith('<div id="match"')


# The preview counts for whoever is said to have chosen. C18
def test_the_preview_follows_the_chooser(phone):
    match = match_of(system="barbu")
    sent = {"action": "preview", "drawn": "0.3.0"}
    facts = {"king_taken_by": 2}
    htmx = {"HX-Request": "true"}
    where = url("match", match, contract="king")
    page = phone.post(where, form_data(match, "king", facts, chooser=2, **sent), headers=htmx)
    assert "takes 160" in page.text
    page = phone.post(where, form_data(match, "king", facts, chooser=0, **sent), headers=htmx)
    assert "takes 80" in page.text


def test_a_contract_that_the_named_chooser_has_played_is_refused_where_he_was_named(phone):
    match = evening_of("evening-kleshchi", 2)
    used = evenings()["evening-kleshchi"]["deals"][0]
    facts = used["input"]
    sent = {"chooser": used["chooser"], "drawn": "2.1.2"}
    for action, status in (("save", 422), ("redraw", 200), ("preview", 200)):
        page = post(phone, match, used["contract"], facts, **sent, action=action)
        assert (page.status_code, codes(page)) == (status, ["contract_used"])
        fold = page.text[page.text.index('<details class="roles"') :]
        assert "contract_used" in fold[: fold.index("</details>")]
        assert '<details class="roles" id="roles" open' in page.text


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("sent", ["4", "-1", "x", "<b>"])
def test_no_seat_is_refused_where_it_was_named(phone, role, sent):
    match = match_of()
    page = post(phone, match, "king", {"king_taken_by": 2}, **{role: sent})
    assert (page.status_code, codes(page)) == (422, ["bad_seat"])
    assert "<b> is" not in page.text
    assert not Deal.objects.exists()


@pytest.mark.parametrize("drawn", ["", "x", "9.9.9", "0.3", "0.3.0.1", "..", "0" * 5000])
def test_what_the_form_was_drawn_with_can_do_no_harm(phone, drawn):
    match = match_of()
    page = post(phone, match, "king", {"king_taken_by": 2}, drawn=drawn, chooser=0, dealer=3)
    assert page.status_code == 303
    assert stored(match)[:2] == (0, 3)


# ── at the table ────────────────────────────────────────────────────────


def test_another_chooser_has_other_contracts_open(phone):
    match = evening_of("evening-kleshchi", 2)
    first = evenings()["evening-kleshchi"]["deals"][0]
    page = phone.get(url("match", match, contract="", chooser=first["chooser"])).text
    assert page.count('class="contract done"') == 1
    link = url("match", match, contract="trex", chooser=first["chooser"]).replace("&", "&amp;")
    assert f'href="{link}"' in page
    page = phone.get(url("match", match, contract="trex", chooser=first["chooser"]))
    assert roles(page)[0] == str(first["chooser"])


def test_who_holds_the_seven_is_remembered_on_the_way(phone):
    match = match_of(options={"kingdom_pass": "seven_each_kingdom"})
    for deal in evenings()["evening-levant"]["deals"][:5]:
        record(match, deal | {"chooser": 0}, actor=PHONE)
    table = phone.get(url("match", match, chooser=2)).text
    king = url("match", match, contract="king", chooser=2).replace("&", "&amp;")
    assert f'href="{king}"' in table
    page = phone.get(url("match", match, contract="king", chooser=2))
    assert roles(page)[0] == "2"
    back = url("match", match, contract="", chooser=2).replace("&", "&amp;")
    assert f'<a class="back" href="{back}"' in page.text
    sent = {"drawn": drawn(page), "chooser": 2}
    wrong = post(phone, match, "king", {}, **sent)
    assert wrong.status_code == 422
    assert roles(wrong)[0] == "2"
    assert post(phone, match, "king", {"king_taken_by": 1}, **sent).status_code == 303
    assert stored(match, 6)[0] == 2
    assert "<bdi>Carmen</bdi>: " in phone.get(url("match", match)).text


# What was said beside the facts is not lost between two phones either. C34
def test_after_a_conflict_mine_keeps_who_dealt(phone):
    match = match_of()
    late = form_data(match, "king", {"king_taken_by": 2}, dealer=1, drawn="0.3.0", deal_number=1)
    record(match, evenings()["evening-levant"]["deals"][2] | {"deal_number": 1, "chooser": 0})
    page = phone.post(url("match", match, contract="king"), late)
    assert page.status_code == 409
    mine = page.text.split('data-side="mine"')[1]
    assert '<input type="hidden" name="dealer" value="1">' in mine
    assert 'name="leader" value="2"' in mine  # at the right of who dealt
    assert 'name="chooser"' not in mine


# ── in a correction ─────────────────────────────────────────────────────


def correct(phone, match, contract, facts, **changes):
    data = form_data(match, contract, facts, reason="Who led", **changes)
    return phone.post(url("deal", match, 1, correct=1, contract=contract), data)


def test_a_correction_begins_with_what_stands(phone):
    match = match_of()
    sent = {"chooser": 1, "dealer": 2, "leader": 0, "drawn": "1.2.3"}
    post(phone, match, "king", {"king_taken_by": 2}, **sent)
    page = phone.get(url("deal", match, 1, correct=1))
    assert roles(page) == ["1", "2", "0"]
    assert correct(phone, match, "king", {"king_taken_by": 3}).status_code == 303
    assert stored(match) == (1, 2, 0)


def test_a_correction_may_change_only_who_dealt(phone):
    match = match_of()
    post(phone, match, "king", {"king_taken_by": 2})
    page = phone.get(url("deal", match, 1, correct=1, dealer=1))
    assert roles(page) == ["0", "1", "2"]
    assert chosen(page, "king_taken_by") == "2"
    correct(phone, match, "king", {"king_taken_by": 2}, dealer=1, leader=0, drawn="0.3.0")
    assert stored(match) == (0, 1, 2)


def test_another_contract_has_its_own_leader(phone):
    match = match_of(system="kleshchi")
    post(phone, match, "king", {"king_taken_by": 2})
    page = phone.get(url("deal", match, 1, correct=1, contract="trex"))
    assert roles(page) == ["0", "3", "3"]


# ── who may ─────────────────────────────────────────────────────────────


def test_ghassan_changes_nobody(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players)
    ghassan = phone_of(cast.ghassan)
    assert ghassan.get(url("match", match, chooser=2)).status_code == 404
    assert post(ghassan, match, "king", {}, chooser=2, action="redraw").status_code == 404


def test_who_may_only_look_on_is_not_asked(cast, phone_of):
    cast.club.is_public = True
    cast.club.save()
    match = match_of(club=cast.club, players=cast.players)
    page = phone_of(cast.farah).get(url("match", match, chooser=2))
    assert "Somebody else chooses" not in page.text
    answer = post(phone_of(cast.farah), match, "king", {}, action="redraw")
    assert answer.status_code == 403
