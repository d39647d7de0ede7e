"""A save that a script sends is answered with the page it leads to, drawn from what is known."""

import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from scoring.common.actor import Actor, device_id
from scoring.common.errors import ServiceError, Stale
from scoring.integrity.queries.integrity import findings
from scoring.ledger.queries.snapshots import current_deals_of, snapshot_of
from scoring.ledger.services.lease import take
from scoring.models import Deal, Match
from tests.factories import evenings, make_match, newest, record, void
from tests.support.tables import evening_of, form_data, match_of, phone_client, totals, url

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

SCRIPT = {"HX-Request": "true"}
LEVANT = evenings()["evening-levant"]["deals"]


@pytest.fixture
def phone():
    return phone_client()


def save(phone, match, deal, data=None, **headers):
    data = data or form_data(match, deal["contract"], deal["input"])
    return phone.post(url("match", match, contract=deal["contract"]), data, headers=headers)


def drawn(response):
    """Without what is another one with every look."""
    return re.sub(r'value="[0-9A-Za-z-]{32,64}"', "", response.text)


def test_what_comes_at_once_is_what_a_look_shows(phone):
    match = match_of()
    for number, deal in enumerate(LEVANT, 1):
        answer = save(phone, match, deal, **SCRIPT)
        assert answer.status_code == 200
        assert answer["HX-Replace-Url"] == url("match", match, saved=number)
        look = phone.get(answer["HX-Replace-Url"], headers=SCRIPT)
        assert drawn(answer) == drawn(look)
        assert f'data-saved="{number}"' in answer.text
        assert "<html" not in answer.text
    match.refresh_from_db()
    assert [deal.pk for deal in current_deals_of(match)] == list(
        Deal.objects.filter(match=match).order_by("deal_number").values_list("pk", flat=True)
    )


def test_without_a_script_it_leads_there(phone):
    match = match_of()
    answer = save(phone, match, LEVANT[0])
    assert (answer.status_code, answer["Location"]) == (303, url("match", match, saved=1))


# A finger that insists, or an answer that got lost. C04
def test_sent_again_it_leads_to_the_first_answer(phone):
    match = match_of()
    data = form_data(match, LEVANT[0]["contract"], LEVANT[0]["input"])
    assert save(phone, match, LEVANT[0], data, **SCRIPT).status_code == 200
    again = save(phone, match, LEVANT[0], data, **SCRIPT)
    assert (again.status_code, again["Location"]) == (303, url("match", match, saved=1))
    assert Deal.objects.filter(match=match).count() == 1


def test_another_phone_is_told_of_the_conflict(phone):
    match = match_of()
    data = form_data(match, LEVANT[0]["contract"], LEVANT[0]["input"])
    assert save(phone, match, LEVANT[0], **SCRIPT).status_code == 200
    answer = save(phone_client(), match, LEVANT[0], data, **SCRIPT)
    assert answer.status_code == 409
    assert "HX-Replace-Url" not in answer


def test_mine_in_place_of_theirs_comes_at_once_too(phone):
    match = match_of()
    facts = {"king_taken_by": 2}
    data = form_data(
        match, "king", facts, deal_number=1, chooser=0, action="replace", reason="Ours"
    )
    theirs = record(match, LEVANT[0] | {"chooser": 0}).deal
    data |= {"version": newest(match), "deal": theirs.id}
    answer = save(phone, match, LEVANT[0], data, **SCRIPT)
    assert (answer.status_code, answer["HX-Replace-Url"]) == (200, url("match", match, saved=1))
    assert totals(answer) == [0, 0, -75, 0]
    assert drawn(answer) == drawn(phone.get(answer["HX-Replace-Url"], headers=SCRIPT))
    again = save(phone, match, LEVANT[0], data, **SCRIPT)
    assert (again.status_code, again["Location"]) == (303, url("match", match, saved=1))


# What was read before others wrote is not believed, whatever version the form names.
def test_what_was_seen_counts_only_while_it_holds():
    match = evening_of("evening-levant", 3)
    seen = snapshot_of(match)
    void(match, seen.deals[-1])
    record(match, LEVANT[2])
    saved = record(match, LEVANT[3], seen=seen)
    assert (saved.deal.deal_number, saved.after) == (4, None)
    with pytest.raises(ServiceError):
        record(make_match(), LEVANT[3], seen=snapshot_of(match), version=newest(match))


# Between the look and the save: nothing half-written, nothing written over. C39
def test_what_was_seen_is_written_on_only_if_nobody_was_quicker():
    match = evening_of("evening-levant", 3)
    version, key = match.version, uuid4()
    seen, too_late, same = (snapshot_of(Match.objects.get(pk=match.pk)) for _ in range(3))
    first = record(match, LEVANT[3], seen=seen, version=version, entry_key=key)
    assert [deal.deal_number for deal in first.after.deals] == [1, 2, 3, 4]
    for table in (too_late, seen):
        with pytest.raises(Stale) as refused:
            record(match, LEVANT[3], seen=table, version=version)
        assert list(refused.value.deals) == [first.deal]
    assert record(match, LEVANT[3], seen=same, version=version, entry_key=key).repeated
    now = snapshot_of(Match.objects.get(pk=match.pk))
    again = record(match, LEVANT[4], seen=now, version=now.read_at, entry_key=key)
    assert (again.repeated, again.deal, again.after) == (True, first.deal, None)
    assert snapshot_of(Match.objects.get(pk=match.pk)).deals == first.after.deals
    assert not list(findings())


# The match was read before a save and its deals after it.
def test_what_was_read_in_two_halves_is_judged_under_the_lock():
    match = evening_of("evening-levant", 3)
    before, version, key = Match.objects.get(pk=match.pk), match.version, uuid4()
    first = record(match, LEVANT[3], version=version, entry_key=key)
    torn = snapshot_of(before)
    assert torn.may_go_on(match.id, version)
    assert first.deal in torn.deals
    again = record(match, LEVANT[3], seen=torn, version=version, entry_key=key)
    assert (again.repeated, again.deal) == (True, first.deal)
    for deal in LEVANT[3:5]:
        with pytest.raises(Stale):
            record(match, deal, seen=torn, version=version)


def test_who_takes_over_meanwhile_keeps_score():
    match = evening_of("evening-levant", 1)
    Match.objects.filter(pk=match.pk).update(lease_device=None)
    match.refresh_from_db()
    seen, other = snapshot_of(match), Actor(device=device_id("other"))
    take(match_id=match.id, actor=other, now=timezone.now())
    record(match, LEVANT[1], seen=seen)
    assert seen.match.lease_device == other.device
    match.refresh_from_db()
    assert match.lease_device == other.device


def test_somebody_else_is_told_nothing():
    match = match_of()
    assert save(Client(), match, LEVANT[0], **SCRIPT).status_code == 404
