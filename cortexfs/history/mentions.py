"""Find the commits whose message holds a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.history.past import log

if TYPE_CHECKING:
    from cortexfs.history import History

MOST = 1000
"""Commits whose messages are given."""


def mentions(history: History, word: str) -> list[str]:
    """Give the messages that hold a text as it stands, the newest first."""
    words = ("--fixed-strings", f"--grep={word}", f"--max-count={MOST}", "--no-patch")
    return [step.body for step in log(history, words)]
