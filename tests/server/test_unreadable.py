"""What cannot be read is answered with 400 and never with 500, whatever is wrong with it."""

from itertools import product
from wsgiref.util import setup_testing_defaults

import pytest
from django.test import Client
from django.urls import path as route

from trexscore.unreadable import server_error
from trexscore.urls import urlpatterns as site
from trexscore.wsgi import application

pytestmark = pytest.mark.django_db

PAGES = ("/", "/start/", "/health/", "/accounts/login/", "/api/score", "/nothing/")
FORMS = ("/start/", "/api/score", "/nothing/")
TOKEN = "a" * 32
FORM = "application/x-www-form-urlencoded"
PARTS = "multipart/form-data"

NO_HOST = (
    "",
    "a b",
    "a/b",
    "a,b",
    "a:b:c",
    "user@host",
    "host/path",
    "host:x",
    "host:-1",
    "127.0.0.1:",
)
NO_HOST += ("[", "]", "[::1", "[::1]x", "::", "[v1.x]", "_", ".", "@", "%00", "\0", "é", "ü:80")
NOT_OURS = ("evil.example", "192.168.1.5.evil.example:80", "x" * 300 + ".example")

NO_CHARSET = ("nope", "utf-16", "base64", "rot13", "idna", "punycode", "undefined", "é", "x" * 300)
ENCODINGS = [
    f"{kind}; charset={charset}"
    for kind in (FORM, f"{PARTS}; boundary=x")
    for charset in NO_CHARSET
]
NO_BOUNDARY = (PARTS, f"{PARTS}; boundary=", f'{PARTS}; boundary=""', f"{PARTS}; boundary=é")
NO_BOUNDARY += (f"{PARTS}; boundary={'x' * 300}", f"{PARTS};;;=")
ODD_TYPES = (
    "",
    "text",
    "; charset",
    "a=b;c",
    "multipart/mixed; boundary=x",
    "text/plain; charset*=x",
)

FIELD = b'--x\r\nContent-Disposition: form-data; name="name0"\r\n\r\nAmal\r\n--x--\r\n'
BODIES = (
    b"name0=Amal",
    b"name0=%ff&=%zz&%00",
    b"\xff\xfe\x00",
    FIELD,
    FIELD[:40],
    FIELD.replace(b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n!"),
    FIELD.replace(b'name="name0"', b"name=name0; filename*=nope''x"),
)


@pytest.fixture
def sender():
    """Sends forms with a token that is right, so that they are read."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.cookies["csrftoken"] = TOKEN
    return client


def status(sender, page, kind, body, **headers):
    given = {"x-csrftoken": TOKEN, **headers}
    return sender.generic("POST", page, body, content_type=kind, headers=given).status_code


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("host", [*NO_HOST, *NOT_OURS])
def test_no_page_has_a_host_that_is_none(sender, host, method):
    found = {getattr(sender, method)(page, headers={"host": host}).status_code for page in PAGES}
    assert found == {400}


def test_the_page_of_a_bad_host_is_one_to_read(sender):
    answer = sender.get("/", headers={"host": "a b"})
    assert "The server could not read this request" in answer.text


@pytest.mark.parametrize("kind", ENCODINGS)
def test_a_body_in_another_encoding_is_refused(sender, kind):
    assert {status(sender, page, kind, body) for page, body in product(FORMS, BODIES)} == {400}


@pytest.mark.parametrize("kind", NO_BOUNDARY)
def test_parts_without_a_boundary_are_refused(sender, kind):
    assert {status(sender, "/start/", kind, body) for body in BODIES} == {400}


def test_a_header_that_django_does_not_get_past_is_refused():
    environ, statuses = {"CONTENT_TYPE": f"{PARTS}; boundary*=nope''x"}, []
    setup_testing_defaults(environ)
    answer = application(environ, lambda status, headers: statuses.append(status))
    assert (statuses, b"".join(answer)) == (["400 Bad Request"], b"Invalid Content-Type header.\n")


@pytest.mark.parametrize("kind", [*NO_BOUNDARY, *ODD_TYPES, FORM, f"{PARTS}; boundary=x"])
def test_nothing_that_is_sent_breaks_a_page(sender, kind):
    found = {status(sender, page, kind, body) for page, body in product(FORMS, BODIES)}
    assert max(found) < 500


ODD_HEADERS = {
    "cookie": ("é", "=;;=", "sessionid=\0", f"csrftoken={'x' * 5_000}", "messages=x"),
    "accept": ("é", ";;", "*/*;q=z"),
    "accept-language": ("é", ";q=x", "en;q=nope", "x" * 5_000),
    "content-length": ("x", "-1", "", "9" * 50),
    "if-none-match": ("é", '"', "W/"),
    "if-modified-since": ("x", "Tue, 99 Foo 99999 00:00:00 GMT"),
    "referer": ("é", "http://[", "x:"),
    "origin": ("é", "http://[", "null"),
    "authorization": ("é", "Bearer", "Bearer é"),
    "hx-current-url": ("é", "http://["),
    "x-forwarded-for": ("é", ",,"),
    "range": ("bytes=x",),
}


@pytest.mark.parametrize("name", ODD_HEADERS)
def test_no_header_breaks_a_page(sender, name):
    found = {
        status(sender, page, FORM, b"name0=Amal", **{name: text})
        for page, text in product(FORMS, ODD_HEADERS[name])
    } | {
        sender.get(page, headers={name: text}).status_code
        for page, text in product(FORMS, ODD_HEADERS[name])
    }
    assert max(found) < 500


@pytest.mark.parametrize("address", ["/clubs/%00/", "/?q=%00", "/accounts/login/?next=%00"])
def test_a_null_character_in_an_address_is_refused(sender, address):
    assert sender.get(address).status_code == 400


def test_signing_in_leads_to_no_address_that_is_none(sender):
    assert sender.get("/accounts/login/?next=http://[").status_code == 200


def broken(request):
    raise LookupError("on purpose")


class BrokenSite:
    urlpatterns = [route("broken/", broken), *site]
    handler500 = staticmethod(server_error)


def test_an_error_page_reads_nothing_of_the_request(sender, settings):
    settings.ROOT_URLCONF = BrokenSite
    kind = "multipart/form-data"
    assert sender.generic("GET", "/broken/", b"x", content_type=kind).status_code == 500
