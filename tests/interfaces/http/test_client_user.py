"""A link that logs a browser in is only good for the user whose server it is."""

from __future__ import annotations

import os
import socket
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from running_server import run_server_of
from unprivileged import NOBODY, ask_as

from cortexfs.interfaces.http.client_user import UNKNOWN_USER, find_client_user
from cortexfs.interfaces.http.server_access import make_login_path

if TYPE_CHECKING:
    from place import Place


@pytest.mark.parametrize(
    ("family", "host"), [(socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1")]
)
def test_the_user_of_a_connection_is_known(family: socket.AddressFamily, host: str) -> None:
    with socket.create_server((host, 0), family=family) as listening:
        port = listening.getsockname()[1]
        with closing(socket.create_connection((host, port))) as client:
            own = client.getsockname()[:2]
            assert find_client_user(own, port) == os.getuid()
            assert find_client_user((host, 1), port) == UNKNOWN_USER
            assert find_client_user(("192.0.2.77", own[1]), port) == UNKNOWN_USER
        assert find_client_user(own, port) == UNKNOWN_USER


@pytest.mark.parametrize("shown", ["127.0.0.2", "::ffff:127.0.0.2"])
def test_the_user_is_known_from_any_address_of_the_machine(shown: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        from_there = socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0))
        with closing(from_there) as client:
            assert find_client_user((shown, client.getsockname()[1]), port) == os.getuid()


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes another user")
def test_another_user_who_sees_the_link_cannot_use_it(tree: Place) -> None:
    with run_server_of(tree) as server:
        port, link = server.access.port, make_login_path(server.access)
        assert ask_as(NOBODY, port, link) == 403
        assert ask_as(os.getuid(), port, link) == 303
