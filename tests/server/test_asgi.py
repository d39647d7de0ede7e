"""What stands between the server and the site."""

import asyncio
import io
import tracemalloc
from collections.abc import Callable
from wsgiref.util import FileWrapper

import pytest

from scoring.models import Photo
from trexscore import asgi, receiving
from trexscore.asgi import IN_LINE, PIECE, RUNNING_AT_ONCE, Site, application, environ_of
from trexscore.receiving import (
    KEPT_IN_MEMORY,
    LEAST_RATE,
    MOST_BYTES,
    MOST_THROWN_AWAY,
    OF_ONE_ADDRESS,
    QUIET,
    address_of,
    last_moment,
)


def scope(*headers: tuple[str, str], method="POST", path=b"/", client="192.0.2.1"):
    return {
        "type": "http",
        "method": method,
        "http_version": "1.1",
        "scheme": "http",
        "server": ("192.0.2.9", 8000),
        "client": (client, 50_000),
        "raw_path": path,
        "query_string": b"",
        "headers": [(name.encode(), text.encode("latin-1")) for name, text in headers],
    }


def echo(environ, start_response):
    start_response("200 OK", [("X-Length", environ["CONTENT_LENGTH"])])
    return [environ["wsgi.input"].read()]


class Sender:
    """Sends these pieces, then nothing more and stays, or hangs up."""

    def __init__(self, *pieces: bytes, hangs_up: bool = False) -> None:
        self.pieces = list(pieces)
        self.hangs_up = hangs_up
        self.taken = 0

    async def __call__(self):
        if self.pieces:
            self.taken += 1
            return {"type": "http.request", "body": self.pieces.pop(0), "more_body": True}
        if self.hangs_up:
            return {"type": "http.disconnect"}
        return await asyncio.Event().wait()


async def answer(site, asked, sender):
    """Status, headers and body of what comes back, or None."""
    came = []

    async def send(message):
        came.append(message)

    await site(asked, sender, send)
    if not came:
        return None
    start, *pieces = came
    assert [piece["more_body"] for piece in pieces] == [True] * (len(pieces) - 1) + [False]
    return start["status"], dict(start["headers"]), b"".join(piece["body"] for piece in pieces)


def ask(length: int, sender: Callable, site=None):
    asked = scope(("content-length", str(length)), ("accept", "text/plain"))
    return asyncio.run(answer(site or Site(echo), asked, sender))


# -- bodies


def test_a_body_comes_in_whole():
    status, headers, body = ask(10, Sender(b"01234", b"56789"))
    assert (status, headers[b"x-length"], body) == (200, b"10", b"0123456789")


def test_nothing_is_waited_for_where_nothing_is_to_come():
    sender = Sender()
    assert ask(0, sender)[0] == 200
    assert sender.taken == 0


def test_a_body_that_would_fill_the_disk_is_read_and_thrown_away():
    piece = bytes(1_000_000)
    sender = Sender(*[piece] * 21)
    status, headers, body = ask(MOST_BYTES + 1, sender)
    assert (status, headers[b"x-length"], body) == (200, b"0", b"")
    assert sender.taken == 21


def test_a_body_without_end_is_not_read():
    sender = Sender(b"x")
    status, headers, body = ask(MOST_THROWN_AWAY + 1, sender)
    assert (status, headers[b"connection"], sender.taken) == (413, b"close", 0)
    assert b"Nothing was changed" in body


def test_who_hangs_up_in_the_middle_is_not_answered():
    assert ask(10, Sender(b"01234", hangs_up=True)) is None


def test_half_a_body_is_not_waited_for_for_ever(monkeypatch):
    monkeypatch.setattr(receiving, "QUIET", 0.0)
    monkeypatch.setattr(receiving, "LEAST_RATE", 1e9)
    site = Site(echo)
    status, headers, body = ask(10, Sender(b"01234"), site)
    assert (status, headers[b"connection"]) == (408, b"close")
    assert b"Nothing was changed" in body
    assert not site.bodies.coming


@pytest.mark.parametrize(
    ("seconds", "received", "expected"),
    [
        (0, 0, QUIET),
        (20, 1, QUIET + 1 / LEAST_RATE),  # a byte now and then buys no time
        (20, 100_000, 20 + QUIET),
        (100, 100_000, QUIET + 100),
        (100, 1_000_000, 100 + QUIET),
    ],
)
def test_something_comes_always_and_all_of_it_at_the_least_rate(seconds, received, expected):
    begun = 5_000.0
    assert last_moment(begun, begun + seconds, received) == pytest.approx(begun + expected)


def test_an_address_has_a_share_of_what_is_on_its_way():
    async def statuses():
        site = Site(echo)
        half = ("content-length", "10")
        waiting = [
            asyncio.create_task(answer(site, scope(half, client=client), Sender(b"01234")))
            for client in ["192.0.2.1"] * OF_ONE_ADDRESS + ["192.0.2.2"]
        ]
        await asyncio.sleep(0)
        more = [
            await answer(site, scope(half, client=client), Sender(b"0123456789"))
            for client in ("192.0.2.1", "192.0.2.2", "192.0.2.3")
        ]
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert not site.bodies.coming
        return [(status, headers.get(b"retry-after")) for status, headers, _ in more]

    assert asyncio.run(statuses()) == [(429, b"10"), (200, None), (200, None)]


@pytest.mark.parametrize(
    ("client", "passed", "proxies", "expected"),
    [
        ("192.0.2.1", "", 0, "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", 0, "192.0.2.1"),  # anybody can write that
        ("192.0.2.1", "203.0.113.5, 198.51.100.7", 1, "198.51.100.7"),
        ("192.0.2.1", "203.0.113.5, 198.51.100.7", 2, "203.0.113.5"),
        ("192.0.2.1", "", 1, "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "", 0, "2001:db8:1:2::/64"),
        ("", "", 0, ""),
    ],
)
def test_who_counts_as_one_sender(client, passed, proxies, expected):
    headers = [("x-forwarded-for", passed)] if passed else []
    assert address_of(scope(*headers, client=client), proxies) == expected


# -- turns


def test_an_address_that_asks_for_much_stands_in_line_with_a_few_of_it(monkeypatch):
    """The site is never run here: what it would be asked to do is counted."""

    async def run_for():
        site, began, ends = Site(echo), [], asyncio.Event()

        async def run(environ):
            began.append(environ["REMOTE_ADDR"])
            await ends.wait()
            return asgi.Answer(200, [], io.BytesIO())

        monkeypatch.setattr(site, "run", run)
        clients = ["192.0.2.1"] * 50 + ["192.0.2.2"]
        asked = [answer(site, scope(client=client), Sender()) for client in clients]
        tasks = [asyncio.create_task(one) for one in asked]
        await asyncio.sleep(0)
        before = [*began]
        ends.set()
        assert [status for status, *_ in await asyncio.gather(*tasks)] == [200] * 51
        return before, began

    before, began = asyncio.run(run_for())
    assert before == ["192.0.2.1"] * IN_LINE + ["192.0.2.2"]
    assert len(began) == 51
    assert IN_LINE >= RUNNING_AT_ONCE


# -- what the site gets


def test_a_request_as_the_site_gets_it():
    asked = scope(
        ("content-type", "text/plain"),
        ("content-length", "3"),
        ("cookie", "a=1"),
        ("cookie", "b=2"),
        ("x-forwarded-for", "192.0.2.7"),
        ("x_forwarded_for", "203.0.113.5"),
        ("accept", "text/html"),
        ("accept", "*/*"),
        path=b"/caf%C3%A9%ff/",
    )
    environ = environ_of(asked, None)
    found = {name: text for name, text in environ.items() if name.isupper() and "_" in name}
    assert found == {
        "REQUEST_METHOD": "POST",
        "SCRIPT_NAME": "",
        "PATH_INFO": "/caf\xc3\xa9\xff/",
        "QUERY_STRING": "",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "SERVER_NAME": "192.0.2.9",
        "SERVER_PORT": "8000",
        "REMOTE_ADDR": "192.0.2.1",
        "CONTENT_TYPE": "text/plain",
        "CONTENT_LENGTH": "0",  # there was too much of it
        "HTTP_COOKIE": "a=1; b=2",
        "HTTP_X_FORWARDED_FOR": "192.0.2.7",
        "HTTP_ACCEPT": "text/html,*/*",
    }


def test_the_thread_that_ran_the_site_closes_it():
    closed = []

    class Response(list):
        def close(self):
            closed.append(self)

    def site(environ, start_response):
        start_response("200 OK", [("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")])
        return Response([b"one ", b"two"])

    status, _, body = asyncio.run(answer(Site(site), scope(method="GET"), Sender()))
    assert (status, body, len(closed)) == (200, b"one two", 1)


# -- what goes out


@pytest.mark.parametrize("length", [0, 1, PIECE - 1, PIECE, PIECE + 1, KEPT_IN_MEMORY + 1])
@pytest.mark.parametrize("is_file", [True, False])
def test_an_answer_comes_whole(length, is_file):
    expected = bytes(place % 251 for place in range(length))

    def site(environ, start_response):
        start_response("200 OK", [])
        return FileWrapper(io.BytesIO(expected)) if is_file else [expected[:7], expected[7:]]

    assert asyncio.run(answer(Site(site), scope(method="GET"), Sender()))[2] == expected


def test_a_large_answer_is_never_in_memory_as_a_whole():
    size = 100_000

    def site(environ, start_response):
        start_response("200 OK", [])
        return (bytes(size) for _ in range(200))

    sent = []

    async def send(message):
        sent.append(len(message.get("body", b"")))

    tracemalloc.start()
    asyncio.run(Site(site)(scope(method="GET"), Sender(), send))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (sum(sent), max(sent)) == (200 * size, PIECE)
    # All that is kept in memory is there twice while it is put on disk.
    assert most < 2 * (KEPT_IN_MEMORY + 2 * size)


@pytest.mark.parametrize("is_file", [True, False])
def test_an_answer_that_nobody_reads_holds_no_thread_and_is_given_up(monkeypatch, is_file):
    opened = []

    def site(environ, start_response):
        start_response("200 OK", [])
        if environ["REQUEST_METHOD"] == "HEAD":
            return [b"here"]
        opened.append(io.BytesIO(bytes(10 * PIECE)))
        return FileWrapper(opened[-1]) if is_file else opened[-1]

    async def unread(message):
        if message["type"] == "http.response.body":
            await asyncio.Event().wait()

    async def run():
        running, get = Site(site), scope(method="GET")
        waiting = [asyncio.create_task(running(get, Sender(), unread)) for _ in range(10)]
        while len(opened) < 10:
            await asyncio.sleep(0)
        status, _, body = await answer(running, scope(method="HEAD"), Sender())
        assert (status, body) == (200, b"here")
        assert not any(task.done() for task in waiting)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        monkeypatch.setattr(receiving, "QUIET", 0.0)
        monkeypatch.setattr(receiving, "LEAST_RATE", 1e9)
        await running(get, Sender(), unread)

    asyncio.run(run())
    assert len(opened) == 11
    assert all(file.closed for file in opened)


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
    asked = scope(
        ("host", "localhost"),
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-length", "30000000"),
        ("accept", accept),
        ("accept-language", language),
        path=b"/matches/7d444840-9dc0-11d1-b245-5ffdce74fad2/deals/1/photos/",
    )
    sender = Sender(*[bytes(1_000_000)] * 30)
    status, _, body = asyncio.run(answer(application, asked, sender))
    assert status == 413
    assert expected in body.decode()
    assert not Photo.objects.exists()
