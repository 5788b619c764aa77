"""A door in front of a server: closed, the server cannot be reached though it runs on."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

CHUNK_BYTES = 65536


class Gate:
    """Passes connections on `port` to a server's port, while it is open."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._is_open = True
        self._lock = threading.Lock()
        self._connections: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def close(self) -> None:
        """Drop every connection, and each new one at once. Calling it twice is safe."""
        with self._lock:
            self._is_open = False
            for connection in self._connections:
                _shut(connection)

    def open(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._is_open = True

    def end(self) -> None:
        """Close for good, and wait for what still passes."""
        self.close()
        _shut(self._listener)
        for thread in self._threads:
            thread.join(10)
        self._listener.close()

    def _start(self, work, *arguments: socket.socket) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if self._is_open:
                    self._start(self._serve, client)
                else:
                    client.close()

    def _serve(self, client: socket.socket) -> None:
        """Both directions of a connection, until either side ends it."""
        with client, socket.create_connection(("127.0.0.1", self._target_port)) as server:
            with self._lock:
                self._connections |= {client, server}
                if not self._is_open:
                    _shut(client)
            back = threading.Thread(target=_pass_on, args=(server, client), daemon=True)
            back.start()
            _pass_on(client, server)
            back.join()
            with self._lock:
                self._connections -= {client, server}


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(CHUNK_BYTES):
            target.sendall(data)
    _shut(source)
    _shut(target)


def _shut(connection: socket.socket) -> None:
    """End both directions; wakes whoever reads, which closing alone does not."""
    with contextlib.suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


@contextmanager
def gate_before(target_port: int) -> Iterator[Gate]:
    """An open gate in front of a port of this machine, ended at exit."""
    gate = Gate(target_port)
    try:
        yield gate
    finally:
        gate.end()
