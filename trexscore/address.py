"""The address at which phones reach this box, and its QR code on the terminal."""

import os
import socket
import sys

import segno


def lan_address() -> str:
    """The address of the network card that leads out of here; without any, this machine's own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the kernel only says from which address it would be. The target is
            # one of the addresses for examples, which belong to nobody.
            probe.connect(("203.0.113.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            pass
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return "127.0.0.1"


def site_url(port: str) -> str:
    """TREXSCORE_URL if people use another address than the one that can be found out here."""
    return os.environ.get("TREXSCORE_URL", "").rstrip("/") or f"http://{lan_address()}:{port}"


def is_free(port: str) -> bool:
    """Whether a server could listen here now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("0.0.0.0", int(port)))
        except (OSError, OverflowError):
            return False
    return True


if __name__ == "__main__":
    if not is_free(sys.argv[1]):
        # The server itself would say it in forty lines of its own innards.
        sys.exit(f"Port {sys.argv[1]} cannot be used here; try another one: PORT=8001 bin/serve")
    url = site_url(sys.argv[1])
    print(f"\ntrexscore is at {url}\n")
    segno.make(url).terminal(compact=True)
