"""A kingdom is complete: one signs on an own phone, the others at the one that keeps score."""

from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from scoring.common.actor import Actor, device_id
from scoring.common.device import COOKIE, signer
from scoring.ledger.services.lease import take
from scoring.models import LinkKind, SeatPhone, Signature
from tests.browser.table import Phone, seen
from tests.factories import evenings, make_evening, record
from tests.support.links import came
from tests.support.tables import PHONE, url

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "the phone of Carmen"
LEVANT = evenings()["evening-levant"]["deals"]


@pytest.fixture
def match(db):
    match = make_evening(
        "evening-levant", 4, actor=PHONE, now=timezone.now() - timedelta(minutes=30)
    )
    carmen = Actor(device=device_id(SECRET))
    came(match, LinkKind.TABLE, carmen, timezone.now())
    SeatPhone.objects.create(match=match, seat=2, device=carmen.device, bound_at=timezone.now())
    take(match_id=match.id, actor=PHONE, now=timezone.now())
    return match


@pytest.fixture
def phone(page, live_server):
    return Phone(page, live_server.url)


@pytest.fixture
def carmen(new_context, live_server):
    context = new_context()
    phone = Phone(context.new_page(), live_server.url)
    context.add_cookies([{"name": COOKIE, "value": signer().sign(SECRET), "url": live_server.url}])
    return phone


def signed(phone, seat, how):
    place = phone.page.locator(f'[data-signer="{seat}"][data-signed="{how}"]')
    expect(place).to_be_visible()


# Each sees what is signed, signs once it is complete, and is shown as it was given. C58
def test_kingdom_is_signed_on_two_phones_and_the_evening_goes_on(phone, carmen, match):
    for each in (phone, carmen):
        each.open(url("match", match, contract=""))
        expect(each.page.locator(".agree")).to_have_count(0)
    record(match, LEVANT[4], actor=PHONE, now=timezone.now())
    # Carmen's own phone shows it by itself, opened: what each got, and one tap.
    mine = carmen.page.locator('[data-signer="2"] button')
    expect(mine).to_be_visible()
    seen(carmen.page.locator(".agree tfoot td")).to_have_count(4)
    expect(carmen.page.locator('.agree [name="action"]')).to_have_count(1)
    mine.tap()
    signed(carmen, 2, "own")
    # The phone that keeps score goes on at once, and is not in a hurry.
    expect(phone.page.locator("a.contract").first).to_be_visible()
    # What Carmen's phone sent draws the page anew: a fold tapped at that moment would close again.
    expect(phone.page.locator('[data-signer="2"][data-signed="own"]')).to_have_count(1)
    phone.tap(".agree summary")
    signed(phone, 2, "own")
    for seat in (0, 1):
        phone.tap(f'[data-signer="{seat}"] button')
        signed(phone, seat, "for")
        signed(carmen, seat, "for")
    phone.tap('[data-signer="3"] button')
    for each in (phone, carmen):
        expect(each.page.locator(".agree")).to_have_count(0)
    phone.open(url("sheet", match))
    seen(phone.page.locator(".sign-state.signed")).to_have_count(1)
    assert sorted(Signature.objects.values_list("seat", "by_scorer")) == [
        (0, True),
        (1, True),
        (2, False),
        (3, True),
    ]
