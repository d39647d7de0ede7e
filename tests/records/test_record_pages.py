"""The page of the card record of a deal: submit, preview, attach, withdraw, audit."""

import json
import uuid
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.html import strip_tags

from scoring.common import limits
from scoring.models import CardRecord
from scoring.replay.notation import json_records, trex_text
from tests.factories import (
    attach,
    correct,
    evening_record,
    evenings,
    finish,
    king,
    make_evening,
    record,
)
from tests.support.markup import flat
from tests.support.tables import PHONE, codes, evening_of, match_of, phone_client, url

pytestmark = pytest.mark.django_db
LEVANT = "evening-levant"


@pytest.fixture
def phone():
    return phone_client()


def plain(response) -> str:
    text = response.text.replace("<bdi>", "").replace("</bdi>", "")
    return " ".join(text.split())


def cards(name=LEVANT, number=1):
    return trex_text.write(evening_record(name, number))


def wish(match, text="", **changes):
    match.refresh_from_db()
    return {
        "action": "attach",
        "record": text,
        "entry_key": uuid.uuid4(),
        "version": match.version,
        **changes,
    }


def send(phone, match, number, text="", **changes):
    return phone.post(url("record", match, number), wish(match, text, **changes))


def verdict(page) -> str:
    found = page.text.split('data-verdict="')
    return found[1].split('"')[0] if len(found) > 1 else ""


# ── attaching ───────────────────────────────────────────────────────────


def test_the_tags_of_the_deal_stand_in_the_form_already(phone):
    match = evening_of(LEVANT, 1)
    page = phone.get(url("record", match, 1))
    assert "[System &quot;levant&quot;]" in page.text
    assert "[Contract &quot;tricks&quot;]" in page.text
    assert "[Leader &quot;W&quot;]" in page.text


def test_it_is_looked_at_before_it_is_attached(phone):
    match = evening_of(LEVANT, 1)
    page = send(phone, match, 1, cards(), action="look")
    assert (page.status_code, verdict(page)) == (200, "agrees")
    assert "Not attached yet" in page.text
    assert "og:title" not in page.text
    assert not CardRecord.objects.exists()
    answer = send(phone, match, 1, cards())
    assert (answer.status_code, answer.url) == (303, url("record", match, 1))
    assert verdict(phone.get(answer.url)) == "agrees"


@pytest.mark.parametrize("write", [trex_text.write, json_records.write_json])
def test_either_notation_is_pasted_or_sent_as_a_file(phone, write):
    match = evening_of(LEVANT, 1)
    text = write(evening_record(LEVANT, 1))
    file = SimpleUploadedFile("deal.trex", text.encode())
    page = send(phone, match, 1, "left over", file=file)
    assert (page.status_code, verdict(page)) == (200, "agrees")  # a file is always looked at first
    assert "left over" not in page.text
    assert send(phone, match, 1, text).status_code == 303
    assert CardRecord.objects.get().content["plays"] == evening_plays(1)


def evening_plays(number):
    return evenings()[LEVANT]["deals"][number - 1]["record"]["plays"]


def test_of_a_whole_archive_the_one_of_this_deal_is_taken(phone):
    match = evening_of(LEVANT, 3)
    text = "\n".join(cards(LEVANT, number) for number in (1, 2, 3))
    assert send(phone, match, 2, text).status_code == 303
    assert CardRecord.objects.get().content["plays"] == evening_plays(2)


def test_the_tags_that_stood_there_may_stay_above_what_is_pasted(phone):
    match = evening_of(LEVANT, 1)
    begun = trex_text.write(replace(evening_record(LEVANT, 1), plays=(), hands=(None,) * 4))
    assert send(phone, match, 1, f"{begun}\n{cards()}").status_code == 303


def test_a_deal_that_is_not_entered_yet_may_have_its_record(phone):
    match = evening_of(LEVANT, 1)
    assert send(phone, match, 2, cards(LEVANT, 2)).status_code == 303
    page = phone.get(url("record", match, 2))
    assert verdict(page) == "no_entry"
    record(match, evenings()[LEVANT]["deals"][1], actor=PHONE)
    assert verdict(phone.get(url("record", match, 2))) == "agrees"
    assert phone.get(url("record", match, 4)).status_code == 404


# Disputes come later. C59
def test_a_finished_match_takes_a_record(phone):
    match = evening_of(LEVANT)
    finish(match, actor=PHONE)
    assert send(phone, match, 5, cards(LEVANT, 5)).status_code == 303


# ── what is refused keeps what was typed ────────────────────────────────


# Line and reason, nothing kept on error, unknown tags accepted. C112
def test_what_cannot_be_read_is_named_by_line_and_column_and_nothing_typed_is_lost(phone):
    match = evening_of(LEVANT, 1)
    text = cards().replace("3D 9D", "1H 9D").replace('[Dealer "N"]', '[Dealer "N"]\n[Weather "x"]')
    page = send(phone, match, 1, text + "% {brace\n")
    assert page.status_code == 422
    assert codes(page) == ["unreadable", "bad_card"]
    line = text[: text.index("1H")].count("\n") + 1
    assert f"Line {line}, column 9" in page.text
    assert "<mark>1H</mark>" in page.text
    assert "% {brace" in page.text
    assert "[Weather &quot;x&quot;]" in page.text
    assert not CardRecord.objects.exists()


def test_json_that_cannot_be_read_is_named_by_its_place(phone):
    match = evening_of(LEVANT, 1)
    content = json_records.to_json(evening_record(LEVANT, 1))
    content["plays"][3]["card"] = "1H"
    page = send(phone, match, 1, json.dumps(content))
    assert codes(page) == ["unreadable", "bad_card"]
    assert "<mark>&quot;1H&quot;</mark>" in page.text


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "missing"),
        ("%only a comment", "missing"),
        (cards("evening-kleshchi", 1), "other_system"),
        (cards(LEVANT, 3) + "\n" + cards(LEVANT, 4), "several_records"),
        ("x" * 200_001, "too_long"),
    ],
)
def test_what_is_no_record_of_this_match_is_refused_and_stays(phone, text, code):
    match = evening_of(LEVANT, 1)
    page = send(phone, match, 1, text)
    assert (page.status_code, codes(page)) == (422, [code])
    assert not CardRecord.objects.exists()


def test_a_card_of_another_deck_is_refused(phone):
    match = evening_of("evening-barbu", 1)
    text = cards("evening-barbu", 1).replace("[Hands", "[Unread").replace(" 7", " 2")
    page = send(phone, match, 1, text)
    assert (page.status_code, codes(page)) == (422, ["unknown_card"])


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff\xfe\x00", "not_text"),
        (b"a\0b", "not_text"),
        (b"", "missing"),
        (b"x" * 200_001, "too_long"),
    ],
)
def test_a_file_that_is_none_leaves_the_typed_text(phone, content, code):
    match = evening_of(LEVANT, 1)
    file = SimpleUploadedFile("deal.trex", content)
    page = send(phone, match, 1, "my own text", file=file)
    assert (page.status_code, codes(page)) == (422, [code])
    assert "my own text" in page.text


def test_who_sends_many_that_take_long_waits_and_keeps_the_text(phone, monkeypatch):
    monkeypatch.setattr(limits, "CHECKS_A_SECOND", 1_000_000)
    match = evening_of(LEVANT, 1)
    assert send(phone, match, 1, cards(), action="look").status_code == 200
    again = send(phone, match, 1, cards(), action="look")
    assert (again.status_code, codes(again)) == (422, ["often"])
    assert "[Contract" in again.text


def test_a_stale_attachment_says_so_and_keeps_the_text(phone):
    match = evening_of(LEVANT, 1)
    data = wish(match, cards())
    record(match, evenings()[LEVANT]["deals"][1], actor=PHONE)
    page = phone.post(url("record", match, 1), data)
    assert (page.status_code, codes(page)) == (409, ["stale"])
    assert verdict(page) == "agrees"
    assert f'name="version" value="{match.version + 1}"' in page.text


def test_the_same_form_twice_is_one_record(phone):
    match = evening_of(LEVANT, 1)
    data = wish(match, cards())
    assert [phone.post(url("record", match, 1), data).status_code for _ in "ab"] == [303, 303]
    assert CardRecord.objects.count() == 1


def test_an_expired_token_gives_the_text_back():
    phone = phone_client(enforce_csrf_checks=True)
    match = evening_of(LEVANT, 1)
    page = send(phone, match, 1, cards())
    assert (page.status_code, codes(page)[0]) == (422, "form_expired")
    assert "[System &quot;levant&quot;]" in page.text
    assert not CardRecord.objects.exists()


# ── what it contradicts ─────────────────────────────────────────────────


def test_what_the_record_says_of_itself_is_told_beside_the_form_and_may_be_attached(phone):
    match = evening_of(LEVANT, 2)
    other = replace(
        evening_record(LEVANT, 1),
        options={"revoke": "total"},
        deal_number=None,
        chooser=3,
        dealer=3,
    )
    page = send(phone, match, 2, trex_text.write(other), action="look")
    assert page.status_code == 200
    assert codes(page).count("other_dealer") == 1
    assert 'data-field="dealer"' not in page.text
    assert 'data-field="revoke"' in page.text
    assert "other_contract" in codes(page)
    assert "By the record it was Tricks; entered is King of hearts." in plain(page)
    assert send(phone, match, 2, trex_text.write(other)).status_code == 303


# ── the audit ───────────────────────────────────────────────────────────


def test_a_tag_that_is_not_read_is_named_before_the_record_is_attached(phone):
    match = evening_of(LEVANT, 1)
    page = send(phone, match, 1, '[Doubles "KH:N"]\n' + cards(), action="look")
    assert (page.status_code, verdict(page)) == (200, "agrees")
    assert "Line 1: Doubles is not read. Did you mean Doubled?" in strip_tags(page.text)
    assert send(phone, match, 1, cards(), action="look").text.count("unknown_tag") == 0


@pytest.mark.parametrize(("plays", "is_wide"), [(16, True), (44, False)])
def test_bounds_that_may_be_wider_than_exact_say_so(phone, plays, is_wide):
    match = evening_of(LEVANT, 1)
    given = evening_record(LEVANT, 1)
    attach(match, 1, replace(given, plays=given.plays[:plays]))
    page = phone.get(url("record", match, 1))
    assert verdict(page) == "possible"
    assert ('data-bounds="wide"' in page.text) == is_wide


def test_another_dealer_alone_agrees_and_offers_no_correction_that_changes_nothing(phone):
    match = evening_of(LEVANT, 1)
    given = evening_record(LEVANT, 1)
    other = replace(given, dealer=(given.dealer + 1) % 4, leader=given.plays[0].seat)
    attach(match, 1, other)
    page = phone.get(url("record", match, 1))
    assert (verdict(page), codes(page)) == ("agrees", ["other_dealer"])
    assert "Correct the entry like this" not in page.text


def spoilt(match, number, entry):
    """An evening's deal entered otherwise than it was played, with its record attached."""
    attach(match, number, evening_record(LEVANT, number), actor=PHONE)
    deal = match.current_deals.get(deal_number=number).deal
    correct(match, deal, entry, dealer=deal.dealer, actor=PHONE)


def test_a_difference_is_named_marked_and_leads_to_the_play(phone):
    match = evening_of(LEVANT, 2)
    facts = evenings()[LEVANT]["deals"][1]
    taker = facts["input"]["king_taken_by"]
    spoilt(match, 2, king((taker + 1) % 4, chooser=facts["chooser"]))
    page = phone.get(url("record", match, 2))
    assert verdict(page) == "differs"
    assert codes(page)[:1] == ["taker_differs"]
    assert "First:" in page.text
    play = page.text.split('data-code="taker_differs" data-play="')[1].split('"')[0]
    assert f"{url('replay', match, 2)}?play={play}" in page.text
    assert 'class="differs"' in page.text


def test_the_entry_is_one_tap_from_what_the_cards_say(phone):
    match = evening_of(LEVANT, 2)
    facts = evenings()[LEVANT]["deals"][1]
    taker = facts["input"]["king_taken_by"]
    spoilt(match, 2, king((taker + 1) % 4, chooser=facts["chooser"]))
    page = phone.get(url("record", match, 2))
    where = page.text.split("Correct the entry like this")[0].split('href="')[-1].split('"')[0]
    form = phone.get(where.replace("&amp;", "&"))
    assert f'name="king_taken_by" value="{taker}" checked' in flat(form)


def test_a_revoke_is_said_with_what_was_legal_and_what_the_rule_makes_of_it(phone):
    match = match_of(entries=[king(2)])
    text = """
[System "levant"]
[Contract "king"]
[Dealer "N"]
[Chooser "N"]
[Leader "N"]
N 2D 3D 4D 5D
E 5C 6C 9D TC
S JC 2C 3C 4C
"""
    page = send(phone, match, 1, text, action="look")
    assert {"revoke", "unfinished", "revoke_not_entered"} <= set(codes(page))
    assert "Badr could follow suit and played" in plain(page)
    assert "Legal:" in plain(page)
    assert "What was taken before trick 2 stays, Badr takes all the rest:" in plain(page)
    assert "Badr −75" in plain(page).replace('<bdi class="num" dir="ltr">', "").replace(
        "</bdi>", ""
    )


def test_what_the_rule_makes_of_a_revoke_is_one_tap_from_being_entered(phone):
    match = match_of(entries=[king(2)])
    text = """
[System "levant"]
[Contract "king"]
[Leader "N"]
[Dealer "N"]
[Chooser "N"]
N 2D 3D 4D 5D
E 5C 6C 9D TC
S JC 2C 3C 4C
"""
    assert send(phone, match, 1, text).status_code == 303
    page = phone.get(url("record", match, 1))
    where = page.text.split("Enter the revoke like this")[0].split('href="')[-1].split('"')[0]
    assert "Correct the entry like this" not in page.text  # the record shows no taker of K♥
    form = phone.get(where.replace("&amp;", "&"))
    assert 'name="revoke_by" value="1" checked' in flat(form)


def test_a_record_of_captures_says_what_it_proves_and_what_it_leaves_open(phone):
    match = match_of(system="kleshchi", entries=[])
    text = """
[System "kleshchi"]
[Contract "diamonds"]
[Dealer "N"]
[Chooser "N"]
[Captured "2D:S 3D:S 4D:S 5D:N"]
"""
    page = send(phone, match, 1, text, action="look")
    assert verdict(page) == "no_entry"
    assert "1–10" in page.text
    assert "least and the most" in page.text


def test_the_record_comes_back_as_text_with_its_tags(phone):
    match = evening_of(LEVANT, 1)
    given = replace(evening_record(LEVANT, 1), id="mine", tags={"North": "Farah"})
    attach(match, 1, given, actor=PHONE)
    answer = phone.get(url("record", match, 1, text=1))
    assert answer["Content-Disposition"] == 'attachment; filename="deal-1.trex"'
    assert answer.text == trex_text.write(given)


# ── taking back ─────────────────────────────────────────────────────────


def test_taking_back_asks_why_and_the_history_keeps_it(phone):
    match = evening_of(LEVANT, 1)
    row = attach(match, 1, evening_record(LEVANT, 1), actor=PHONE)
    assert 'value="void"' not in phone.get(url("record", match, 1)).text
    assert 'value="void"' in phone.get(url("record", match, 1, void=1)).text
    where = url("record", match, 1, void=1)
    page = phone.post(where, wish(match, action="void", row=row.id, reason=" "))
    assert (page.status_code, codes(page)[:1]) == (422, ["missing"])
    answer = phone.post(where, wish(match, action="void", row=row.id, reason="Wrong evening"))
    assert answer.status_code == 303
    page = phone.get(answer.url)
    assert verdict(page) == ""
    assert "Wrong evening" in page.text
    page = phone.post(where, wish(match, action="void", row=row.id, reason="Again"))
    assert (page.status_code, codes(page)) == (422, ["not_standing"])


# ── who may ─────────────────────────────────────────────────────────────


def test_who_may_only_look_on_sees_the_audit_and_no_form(cast, phone_of):
    cast.club.is_public = True
    cast.club.save()
    match = match_of(club=cast.club, players=cast.players, entries=[king()])
    attach(match, 1, evening_record(LEVANT, 2))
    farah = phone_of(cast.farah)
    page = farah.get(url("record", match, 1))
    assert verdict(page) == "differs"
    assert "<textarea" not in page.text
    assert "correct=1" not in page.text
    assert farah.post(url("record", match, 1), wish(match, cards())).status_code == 403
    assert CardRecord.objects.count() == 1


def test_ghassan_and_strangers_find_nothing(cast, phone_of):
    match = match_of(club=cast.club, players=cast.players, entries=[king()])
    attach(match, 1, evening_record(LEVANT, 2))
    for stranger in (phone_of(cast.ghassan), Client()):
        assert stranger.get(url("record", match, 1)).status_code == 404
        assert stranger.get(url("record", match, 1, text=1)).status_code == 404
        assert stranger.post(url("record", match, 1), wish(match, cards())).status_code == 404


# ── what it costs ───────────────────────────────────────────────────────


@pytest.mark.parametrize("deals", [1, 20])
def test_queries_do_not_grow_with_the_deals(phone, django_assert_num_queries, deals):
    match = evening_of(LEVANT, deals)
    for number in range(1, deals + 1):
        attach(match, number, evening_record(LEVANT, number), actor=PHONE)
    with django_assert_num_queries(6):
        phone.get(url("record", match, 1))


# ── the same record again ───────────────────────────────────────────────


def test_same_record_again_names_the_day_and_leads_to_it(phone):
    match = evening_of(LEVANT, 1)
    row = attach(match, 1, evening_record(LEVANT, 1))
    for text in (cards(), cards().replace("\n", "\r\n"), f"; one more comment\n{cards()}"):
        page = send(phone, match, 1, text, action="look")
        assert "Already attached on 12 November 2026." in plain(page)
        assert 'value="attach"' not in page.text
        answer = send(phone, match, 1, text)
        assert (answer.status_code, codes(answer)) == (422, ["already_attached"])
        assert "Already attached on 12 November 2026. Nothing was saved." in plain(answer)
        assert f'href="#r-{row.id}"' in answer.text
        assert f'id="r-{row.id}"' in answer.text
    assert CardRecord.objects.get() == row


def test_same_record_of_another_match_is_offered_to_be_moved(cast, phone_of):
    one, other = (make_evening(LEVANT, 2, club=cast.club) for _ in range(2))
    row, owner = attach(one, 2, evening_record(LEVANT, 1)), phone_of(cast.owner)
    page = send(owner, other, 1, cards(), action="look")
    assert "has this record at deal 2." in plain(page)
    assert f'href="{url("record", one, 2)}#r-{row.id}"' in page.text
    asked = send(owner, other, 1, cards(), action="move", row=row.id)
    assert (asked.status_code, codes(asked)) == (422, ["missing"])
    answer = send(owner, other, 1, cards(), action="move", row=row.id, reason="mixed up")
    assert (answer.status_code, answer.url) == (303, url("record", other, 1))
    assert list(CardRecord.objects.standing().values_list("match", flat=True)) == [other.id]
    assert "mixed up" in owner.get(url("record", one, 2)).text


def test_record_of_a_match_of_others_is_not_moved(cast, phone_of):
    one = make_evening(LEVANT, 1, club=cast.club)
    row = attach(one, 1, evening_record(LEVANT, 1))
    elsewhere = match_of(club=cast.other_club, players=("Ghassan", *"ABC"), entries=[king()])
    page = send(phone_of(cast.ghassan), elsewhere, 1, cards(), action="look")
    assert "has this record" not in plain(page)
    answer = send(
        phone_of(cast.ghassan), elsewhere, 1, cards(), action="move", row=row.id, reason="r"
    )
    assert answer.status_code == 404
    assert CardRecord.objects.get() == row
