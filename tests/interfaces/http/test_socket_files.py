"""The socket file of a server: nothing of another is replaced, followed or waited for."""

from __future__ import annotations

import os
import socket
import stat
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import Refused
from cortexfs.interfaces.http.listening_socket import MAX_PATH_BYTES, open_file_listener

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A private folder, the current one: its paths are short enough for sockets."""
    inner = tmp_path / "sockets"
    inner.mkdir(0o700)
    monkeypatch.chdir(inner)
    return inner


@pytest.fixture
def living(folder: Path) -> Iterator[socket.socket]:
    """A program that listens at `living` and takes no connection, for which no other may wait."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind("living")
        listener.listen(0)
        with socket.socket(socket.AF_UNIX) as first, socket.socket(socket.AF_UNIX) as second:
            for each in (first, second):
                each.settimeout(0)
                each.connect_ex("living")
            assert folder.joinpath("living").is_socket()
            yield listener


def leave_stale_socket(name: str) -> None:
    """Leave the socket file of a server that was killed."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(name)
        listener.listen()


def list_files(folder: Path) -> dict[str, tuple[int, str]]:
    """Return the inode and the content, or the target, of each file."""
    return {
        each.name: (
            each.lstat().st_ino,
            each.read_text() if each.is_file() else os.readlink(each) if each.is_symlink() else "",
        )
        for each in folder.iterdir()
    }


@pytest.mark.usefixtures("living")
def test_a_path_that_is_taken_stays_as_it_is(folder: Path) -> None:
    folder.joinpath("file").write_text("a note")
    folder.joinpath("folder").mkdir()
    leave_stale_socket("stale")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as other:
        other.bind("datagrams")
        for target in ("file", "nowhere", "living", "stale", "folder"):
            folder.joinpath(f"link-to-{target}").symlink_to(target)
        before = list_files(folder)
        for name in sorted({*before} - {"stale"}):
            with pytest.raises(Refused, match=f"{name} is not a socket|listens at {name}") as error:
                open_file_listener(name)
            assert error.value.hint
        assert list_files(folder) == before


def test_a_socket_of_a_killed_server_is_replaced_by_a_private_one(folder: Path) -> None:
    leave_stale_socket("server")
    folder.joinpath("server").chmod(0o777)
    with open_file_listener("server") as listener:
        assert stat.S_IMODE(folder.joinpath("server").stat().st_mode) == 0o600
        with socket.socket(socket.AF_UNIX) as client:
            client.connect("server")
            listener.accept()[0].close()
        with pytest.raises(Refused, match="a program listens"):
            open_file_listener("server")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_stale_socket_of_another_user_stays(folder: Path) -> None:
    leave_stale_socket("server")
    os.lchown("server", 65_534, 65_534)
    with pytest.raises(Refused, match="belongs to another user"):
        open_file_listener("server")
    assert folder.joinpath("server").is_socket()


def test_a_folder_in_which_others_replace_files_holds_no_socket(folder: Path) -> None:
    folder.chmod(0o777)
    with pytest.raises(Refused, match="other users can replace files"):
        open_file_listener("server")
    folder.chmod(0o1777)
    open_file_listener("server").close()


def test_a_path_that_is_too_long_is_refused_with_a_hint(folder: Path) -> None:
    with pytest.raises(Refused, match=f"at most {MAX_PATH_BYTES} bytes") as error:
        open_file_listener("ä" * 52)
    assert "shorter" in str(error.value.hint)
    open_file_listener("s" * MAX_PATH_BYTES).close()
    with pytest.raises(FileNotFoundError):
        open_file_listener("missing/server")
    assert len(list_files(folder)) == 1
