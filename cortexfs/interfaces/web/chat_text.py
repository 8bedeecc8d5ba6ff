"""The text of an answer in lines, with what each line of a plan does."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.chat.chat_message import ChatMessage

_CLASSES = {"+": "added", "-": "removed", "@": "hunk"}


def mark_changes(message: ChatMessage) -> list[tuple[str, str]]:
    """Return the text in parts, each with its class: empty for text, else that of a diff's line.

    Only a message that waits for a confirmation has a plan; in another one `-` begins a list.
    """
    if message.pending is None:
        return [("", message.content)]
    head, _, rest = message.content.partition("\n--- ")
    if not rest:
        return [("", message.content)]
    diff, _, end = rest.rpartition("\n\n")
    lines = f"--- {diff}".split("\n")
    marked = [("", head), *_join((_classify(line), line) for line in lines)]
    return [*marked, ("", end)]


def _classify(line: str) -> str:
    is_name_of_file = line.startswith(("--- ", "+++ "))
    return "hunk" if is_name_of_file else _CLASSES.get(line[:1], "same")


def _join(lines: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return neighbours of one class as one part."""
    return [
        (name, "\n".join(text for _, text in group))
        for name, group in groupby(lines, lambda each: each[0])
    ]
