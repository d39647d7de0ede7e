"""What stands between the server and the site."""

import io
from wsgiref.util import setup_testing_defaults

import pytest

from scoring.models import Photo
from trexscore.wsgi import MOST_BYTES, MOST_THROWN_AWAY, FewAtOnce, application


def asked(length: int, sent: int = 100):
    """The statuses of the answer to a body of this length, and how much of it was read."""
    body, statuses = io.BytesIO(b"x" * sent), []

    def site(environ, start_response):
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]

    environ = {"CONTENT_LENGTH": str(length), "wsgi.input": body}
    answer = FewAtOnce(site)(environ, lambda status, headers: statuses.append(status))
    return statuses, b"".join(answer), body.tell()


def test_a_body_comes_in_whole():
    assert asked(100) == (["200 OK"], b"x" * 100, 100)


def test_a_body_that_would_fill_the_disk_is_read_and_thrown_away():
    assert asked(MOST_BYTES + 1, MOST_BYTES + 1) == (["200 OK"], b"", MOST_BYTES + 1)


def test_a_body_without_end_is_not_read():
    statuses, answer, read = asked(MOST_THROWN_AWAY + 1)
    assert statuses == ["413 Content Too Large"]
    assert b"Nothing was changed" in answer
    assert read == 0


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accept", "language", "expected"),
    [
        ("text/html", "en", 'data-code="too_big"'),
        ("text/html", "ar", 'dir="rtl"'),
        ("application/json", "en", "Nothing was changed"),
    ],
)
def test_people_and_programs_are_told_that_it_was_too_much(accept, language, expected):
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": "/matches/7d444840-9dc0-11d1-b245-5ffdce74fad2/deals/1/photos/",
        "CONTENT_TYPE": "multipart/form-data; boundary=x",
        "CONTENT_LENGTH": str(30_000_000),
        "HTTP_ACCEPT": accept,
        "HTTP_ACCEPT_LANGUAGE": language,
        "wsgi.input": io.BytesIO(bytes(30_000_000)),
    }
    setup_testing_defaults(environ)
    statuses = []
    answer = application(environ, lambda status, headers, *_: statuses.append(status))
    assert [status[:3] for status in statuses] == ["413"]
    assert expected in b"".join(answer).decode()
    assert not Photo.objects.exists()
