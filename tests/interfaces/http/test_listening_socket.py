"""Answers leave at once."""

from __future__ import annotations

import socket

from cortexfs.interfaces.http.listening_socket import open_listener


def test_the_body_of_an_answer_does_not_wait_for_the_client() -> None:
    listener = open_listener("127.0.0.1", 0)
    with listener, socket.create_connection(listener.getsockname()):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
