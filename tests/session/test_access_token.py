"""The files with the tokens of servers: private, of our own making, and nothing else is read."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import Refused
from cortexfs.session.access_token import (
    SERVER_TOKEN_FILE,
    read_or_create_token,
    read_token_file,
)
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TOKEN = "t" * 40


def write_token(path: Path, content: str = TOKEN, mode: int = 0o600) -> None:
    path.write_text(content)
    path.chmod(mode)


def link_token(path: Path) -> None:
    """Make a link to a good token of another place."""
    write_token(path.with_name("elsewhere"))
    path.symlink_to("elsewhere")


BAD_FILES: tuple[tuple[str, Callable[[Path], object]], ...] = (
    ("not a regular file", os.mkfifo),
    ("not a regular file", lambda path: path.mkdir(0o700)),
    ("others can read", lambda path: write_token(path, mode=0o640)),
    ("others can read", lambda path: write_token(path, mode=0o604)),
    ("holds no token", lambda path: write_token(path, "")),
    ("holds no token", lambda path: write_token(path, "\n")),
    ("holds no token", lambda path: write_token(path, "t" * 31)),
    ("holds no token", lambda path: write_token(path, f"{TOKEN}\n{TOKEN}\n")),
    ("holds no token", lambda path: write_token(path, "t" * 4_000_000)),
    ("holds no token", lambda path: write_token(path, "ü" * 40)),
)


@pytest.mark.parametrize("number", range(len(BAD_FILES)))
def test_what_is_no_private_token_is_refused_with_a_hint(tmp_path: Path, number: int) -> None:
    what, make = BAD_FILES[number]
    path = tmp_path / ".cortexfs" / SERVER_TOKEN_FILE
    path.parent.mkdir(0o700)
    make(path)
    before = path.lstat()
    with pytest.raises(Refused, match=what) as own:
        read_or_create_token(Tree(str(tmp_path)), SERVER_TOKEN_FILE)
    with pytest.raises(Refused, match=what) as named:
        read_token_file(str(path))
    assert own.value.hint
    assert named.value.hint
    assert str(path) in str(own.value)
    assert os.path.samestat(before, path.lstat())


def test_a_link_is_followed_only_where_the_user_names_it(tmp_path: Path) -> None:
    path = tmp_path / ".cortexfs" / SERVER_TOKEN_FILE
    path.parent.mkdir(0o700)
    link_token(path)
    with pytest.raises(Refused, match="a symlink, which is not followed") as error:
        read_or_create_token(Tree(str(tmp_path)), SERVER_TOKEN_FILE)
    assert "remove it" in str(error.value.hint)
    assert read_token_file(str(path)) == TOKEN
    path.with_name("elsewhere").unlink()
    with pytest.raises(Refused, match="symlink"):
        read_or_create_token(Tree(str(tmp_path)), SERVER_TOKEN_FILE)
    assert not path.with_name("elsewhere").exists(), "nothing is made where a link points"
    with pytest.raises(Refused, match="no such file"):
        read_token_file(str(path))


def test_line_ends_are_no_part_of_a_token(tmp_path: Path) -> None:
    for content in (TOKEN, f"{TOKEN}\n", f"{TOKEN}\r\n"):
        write_token(tmp_path / "token", content)
        assert read_token_file(str(tmp_path / "token")) == TOKEN


def test_servers_that_start_together_have_one_token(tmp_path: Path) -> None:
    tree = Tree(str(tmp_path))
    with ThreadPoolExecutor(8) as threads:
        read = [threads.submit(read_or_create_token, tree, SERVER_TOKEN_FILE) for _ in range(32)]
        (token, path) = {each.result() for each in read}.pop()
    assert {each.result() for each in read} == {(token, path)}
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert sorted(os.listdir(tmp_path / ".cortexfs")) == [".gitignore", SERVER_TOKEN_FILE]
