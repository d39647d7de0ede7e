"""The network between a phone and the server, on loopback, which can be cut as a real one is.

`pass` lets everything through; `cut` refuses and breaks connections; `hang` takes them and never
answers; `lose` lets the next POST through to the server and breaks before its answer comes back.
"""

import socket
import threading
from contextlib import contextmanager, suppress

CHUNK = 65_536


class Proxy:
    def __init__(self, port: int) -> None:
        """In front of the server on this port of loopback; it may be another one later on."""
        self.target = port
        self.mode = "pass"
        self.lost = 0
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("0.0.0.0", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def set(self, mode: str) -> None:
        """From now on. What goes through goes on; everything else that is open is broken."""
        before, self.mode = self.mode, mode
        if before == "hang" or mode in ("cut", "hang"):
            self._break()

    def close(self) -> None:
        self._listener.close()
        self._break()

    def _break(self) -> None:
        with self._lock:
            for one in self._open:
                with suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                phone, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(phone,), daemon=True).start()

    def _serve(self, phone: socket.socket) -> None:
        with self._kept(phone), suppress(OSError):
            if self.mode == "cut":
                return
            if self.mode == "hang":
                while phone.recv(CHUNK):
                    pass
                return
            with self._kept(socket.create_connection(("127.0.0.1", self.target))) as server:
                back = threading.Thread(target=self._answer, args=(server, phone), daemon=True)
                back.start()
                self._ask(phone, server)
                back.join()

    def _ask(self, phone: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):
            while chunk := phone.recv(CHUNK):
                if self.mode == "lose" and chunk.startswith(b"POST "):
                    self.mode = "losing"
                server.sendall(chunk)
            server.shutdown(socket.SHUT_WR)

    def _answer(self, server: socket.socket, phone: socket.socket) -> None:
        with suppress(OSError):
            while chunk := server.recv(CHUNK):
                if self.mode == "losing":
                    self.lost, self.mode = self.lost + 1, "cut"
                    self._break()
                    return
                phone.sendall(chunk)
            phone.shutdown(socket.SHUT_RDWR)

    @contextmanager
    def _kept(self, one: socket.socket):
        with self._lock:
            self._open.add(one)
        try:
            yield one
        finally:
            with self._lock:
                self._open.discard(one)
            one.close()


@contextmanager
def network(port: int):
    proxy = Proxy(port)
    try:
        yield proxy
    finally:
        proxy.close()
