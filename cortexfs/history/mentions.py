"""Find the commits whose message holds a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.history.git import failed

if TYPE_CHECKING:
    from cortexfs.history import History

MOST = 1000
"""Commits that are looked at."""


def mentions(history: History, word: str) -> list[str]:
    """Give the messages that hold a text as it stands, the newest first.

    Raises `HistoryFailed` where there is no commit yet.
    """
    words = (
        "log",
        "-z",
        f"--max-count={MOST}",
        "--fixed-strings",
        f"--grep={word}",
        "--format=tformat:%B",
        "--encoding=UTF-8",
        "--no-color",
        "--no-notes",
        "--no-show-signature",
        "--no-mailmap",
        "--no-patch",
    )
    ran = history.git.run(*words, "HEAD", "--")
    if ran.code:
        raise failed("log", ran.err)
    return [message for message in ran.out.decode("utf-8", "replace").split("\0") if message]
