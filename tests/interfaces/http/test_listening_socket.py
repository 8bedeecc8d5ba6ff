"""The socket that a server listens at."""

from __future__ import annotations

import socket

import pytest

from cortexfs.errors import Refused
from cortexfs.interfaces.http.listening_socket import open_listener


def test_a_connection_sends_the_body_without_waiting_for_the_head_to_be_confirmed() -> None:
    with open_listener("127.0.0.1", 0) as listener:
        client = socket.create_connection(listener.getsockname())
        connection, _ = listener.accept()
        with client, connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "0"])  # noqa: S104 - it is refused
def test_every_address_is_refused(host: str) -> None:
    with pytest.raises(Refused, match="every address"):
        open_listener(host, 0)
