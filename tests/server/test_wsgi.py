"""What stands between the server and the site."""

import io

from trexscore.wsgi import MOST_BYTES, FewAtOnce


def asked(length: int):
    """The statuses of the answer to a body of this length, and how much of it was read."""
    body, statuses = io.BytesIO(b"x" * 100), []

    def site(environ, start_response):
        start_response("200 OK", [])
        return [environ["wsgi.input"].read()]

    environ = {"CONTENT_LENGTH": str(length), "wsgi.input": body}
    answer = FewAtOnce(site)(environ, lambda status, headers: statuses.append(status))
    return statuses, b"".join(answer), body.tell()


def test_a_body_comes_in_whole():
    assert asked(100) == (["200 OK"], b"x" * 100, 100)


def test_a_body_that_would_fill_the_disk_is_not_read():
    statuses, answer, read = asked(MOST_BYTES + 1)
    assert statuses == ["413 Content Too Large"]
    assert b"Nothing was changed" in answer
    assert read == 0
