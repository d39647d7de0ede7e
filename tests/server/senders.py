"""Those who begin to send something and leave it at that."""

import socket
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager

from trexscore.serving import allow_connections

HALF_FORM = (
    b"POST /start/ HTTP/1.1\r\nHost: localhost\r\nCookie: csrftoken=%b\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 1000\r\n\r\nname0="
) % (b"a" * 32)
HALF_HEAD = HALF_FORM[:60]
SILENCE = b""


def one(many: int) -> list[str]:
    """As many senders behind one address, which is not that of whoever asks in a test."""
    return ["127.0.0.2"] * many


def all_others(many: int) -> list[str]:
    """As many senders, each with an address of its own."""
    return [f"127.0.{1 + place // 250}.{1 + place % 250}" for place in range(many)]


@contextmanager
def sending(port: int, addresses: Iterable[str], said: bytes) -> Iterator[list[socket.socket]]:
    """A connection from each of these addresses on which so much was said."""
    allow_connections()
    with ExitStack() as held:
        senders = []
        for address in addresses:
            sender = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
            senders.append(held.enter_context(sender))
            sender.sendall(said)
        yield senders


def has_answer(sender: socket.socket) -> bool:
    """Whether something came back, or the server has hung up."""
    sender.setblocking(False)
    try:
        sender.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True
    return True
