"""What a reader of Arabic or French sees: no English left, names and dates in their language."""

import re
import uuid
from html.parser import HTMLParser

import pytest
from django.conf import settings
from django.utils import timezone

from scoring.clubs.services import invitations
from scoring.models import Deal, Role
from tests.factories import finish
from tests.support.tables import evening_of, form_data, match_of, phone_client, url

pytestmark = pytest.mark.django_db

WORD = re.compile(r"[A-Za-zç]{2,}")
ISOLATED = re.compile("\u2068.*?\u2069")
NAMES = {"trexscore", "English", "Français", "Amal", "Badr", "Carmen", "Dima"}
READ_ATTRIBUTES = {"alt", "aria-label", "data-comma"}
OWN_DIRECTION = ("bdi", "script", "style", "title", "optgroup")


def is_read(attribute):
    return attribute in READ_ATTRIBUTES or attribute.startswith("data-text")


class LatinWords(HTMLParser):
    """Latin words of a page that no name explains: names stand in <bdi>, in plain text between
    isolates, or say their direction or language."""

    def __init__(self):
        super().__init__()
        self.found = []
        self.passed = []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        own = tag in OWN_DIRECTION or given.get("dir") or given.get("lang")
        if tag in self.passed or (own and not self.passed and tag != "html" and tag != "input"):
            self.passed.append(tag)
        if not self.passed:
            read = [text for name, text in attrs if is_read(name) and text]
            self.found += [text for text in read if WORD.search(text)]

    def handle_endtag(self, tag):
        if tag in self.passed:
            self.passed.pop()

    def handle_data(self, text):
        text = ISOLATED.sub("", text)
        if not self.passed and WORD.search(text):
            self.found.append(text.strip())


def latin(response):
    reader = LatinWords()
    reader.feed(response.text)
    return [text for text in reader.found if not NAMES.issuperset(WORD.findall(text))]


def speaking(client, code="ar"):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = code
    return client


@pytest.mark.parametrize(
    "path", ["/start/", "/accounts/login/", "/nothing/", "/join/nothing/", "/clubs/cafe-younes/"]
)
def test_pages_for_everybody_are_arabic(client, cast, path):
    cast.club.is_public = True
    cast.club.save()
    response = speaking(client).get(path)
    assert 'lang="ar" dir="rtl"' in response.text
    assert latin(response) == []


def test_wrong_names_are_refused_in_arabic(client):
    form = {"name0": "Amal", "name1": "amal", "name2": "x" * 60, "name3": "", "preset": "?"}
    response = speaking(client).post("/start/", {**form, "entry_key": uuid.uuid4()})
    assert response.status_code == 422
    assert latin(response) == []
    assert "<bdi>amal</bdi> على الطاولة من قبل." in response.text


def test_wrong_sign_in_is_refused_in_arabic(client, db):
    response = speaking(client).post("/accounts/login/", {"login": "a", "password": "b"})
    assert latin(response) == []


@pytest.mark.parametrize("part", ["", "settings/", "players/", "invite/", "matches/new/"])
def test_pages_of_the_club_are_arabic(phone_of, cast, part):
    path = f"/clubs/cafe-younes/{part}"
    client = speaking(phone_of(cast.owner))
    assert latin(client.get(path)) == []
    if part:
        refused = client.post(path, {"name": "", "role": "king", "entry_key": "?"})
        assert refused.status_code in (303, 422)
        assert latin(refused) == []


def test_an_invitation_is_arabic(client, cast):
    secret = invitations.invite(club=cast.club, role=Role.SCORER, by=cast.owner, now=timezone.now())
    client = speaking(client)
    assert latin(client.get(f"/join/{secret}/")) == []
    refused = client.post(f"/join/{secret}/", {"username": "a b", "password": "x"})
    assert refused.status_code == 422
    assert latin(refused) == []


def test_the_first_owner_reads_arabic(client, db):
    secret = invitations.invite_first_owner(now=timezone.now())
    assert latin(speaking(client).get(f"/join/{secret}/")) == []


@pytest.mark.parametrize("evening", ["evening-levant", "evening-kleshchi", "evening-barbu"])
def test_pages_of_a_match_are_arabic(evening):
    match = evening_of(evening)
    phone = speaking(phone_client())
    for page in (url("match", match), url("sheet", match), url("match", match, contract="king")):
        assert latin(phone.get(page)) == []
    numbers = {deal.contract: deal.deal_number for deal in Deal.objects.filter(match=match)}
    for number in numbers.values():
        assert latin(phone.get(url("deal", match, number))) == []
    for query in ({"void": 1}, {"correct": 1}):
        assert latin(phone.get(url("deal", match, 2, **query))) == []
    finish(match)
    assert latin(phone.get(url("match", match))) == []


@pytest.mark.parametrize(
    ("system", "contracts"),
    [
        ("levant", ["king", "queens", "diamonds", "tricks", "trex", "king+queens", "hearts"]),
        ("barbu", ["last_trick", "hearts", "general", "trex", "fifty_one"]),
    ],
)
def test_entering_and_its_refusals_are_arabic(system, contracts):
    match = match_of(system=system)
    phone = speaking(phone_client())
    assert latin(phone.get(url("match", match))) == []
    for contract in contracts:
        page = url("match", match, contract=contract)
        assert latin(phone.get(page)) == []
        wrong = {"king_taken_by": 9, "finish_order": [1, 1], "loser": "", "diamonds": [1, 1, 1, 1]}
        wrong |= {"queens_taken_by": {"QS": "nobody"}, "tricks": [0, 0, 0, 8], "hearts": [9, 0]}
        refused = phone.post(page, form_data(match, contract, wrong))
        assert refused.status_code in (409, 422), contract
        assert latin(refused) == []


# Dates follow the reader. C121
def test_dates_are_written_in_the_reader_s_language():
    match = evening_of("evening-levant", 1)
    phone = phone_client()
    page = url("deal", match, 1)
    told = {
        code: re.search(r"<time[^>]*>([^<]+)</time>", speaking(phone, code).get(page).text)[1]
        for code in ("en", "ar", "fr")
    }
    assert told == {
        "en": "12 Nov 2026, 18:16",
        "ar": "12 نوفمبر 2026، 18:16",
        "fr": "12/11/2026 18:16",
    }


def test_city_names_are_those_of_the_reader(phone_of, cast):
    phone = phone_of(cast.owner)
    page = "/clubs/cafe-younes/settings/"
    assert ">بيروت<" in speaking(phone, "ar").get(page).text
    assert ">Beyrouth<" in speaking(phone, "fr").get(page).text
