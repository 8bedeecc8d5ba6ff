"""`--body-file` takes regular files and stdin, of a limited size."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

WORDS = ("new", "experiment", "-p", "flywheel", "-s", "Spin", "-t", "speed", "--body-file")


@pytest.mark.parametrize("kind", ["pipe", "device", "folder"])
def test_a_body_that_is_not_a_regular_file_is_refused_at_once(
    tree: Place, tmp_path: Path, kind: str
) -> None:
    path = "/dev/null" if kind == "device" else str(tmp_path / "body")
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        os.mkdir(path)
    ran = tree.run(*WORDS, path)
    assert (ran.code, ran.out) == (3, "")
    assert f"{path} is not a regular file" in ran.err
    assert "hint: `-` in its place reads stdin" in ran.err


def test_a_body_above_the_limit_is_not_read_whole(tree: Place, tmp_path: Path) -> None:
    with (tmp_path / "body").open("wb") as file:
        file.truncate(1 << 40)
    ran = tree.run(*WORDS, str(tmp_path / "body"))
    assert (ran.code, ran.out) == (3, "")
    assert "body is larger than 16777216 bytes" in ran.err


def test_a_text_from_stdin_above_the_limit_is_refused(tree: Place) -> None:
    ran = tree.run(*WORDS, "-", feed="x" * (16 * 1024 * 1024 + 1))
    assert (ran.code, ran.out) == (3, "")
    assert "stdin is larger than 16777216 bytes" in ran.err


def test_a_body_keeps_its_line_ends(tree: Place, tmp_path: Path) -> None:
    (tmp_path / "body").write_bytes(b"# One\r\n\r\ntwo\r\n")
    path = tree.ok(*WORDS, str(tmp_path / "body")).split()[1]
    assert b"two\r\n" in (tree.root / path).read_bytes()
