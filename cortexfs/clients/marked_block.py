"""Add and remove one block of ours in a Markdown file, between two comments."""

from __future__ import annotations

from cortexfs.errors import Refused

BEGIN = "<!-- cortexfs: begin of instructions, replaced by `cortexfs setup` -->"
END = "<!-- cortexfs: end of instructions -->"


def set_block(text: str, block: str) -> str:
    """Return the text with our block: at its place, else at the end after a blank line."""
    new = f"{BEGIN}\n{block.strip()}\n{END}\n"
    if span := _find_block(text):
        return text[: span[0]] + new + text[span[1] :]
    end = "\n" if text and not text.endswith("\n") else ""
    gap = "\n" if text else ""
    return text + end + gap + new


def has_block(text: str) -> bool:
    """Return whether a text has our block."""
    return _find_block(text) is not None


def remove_block(text: str) -> str:
    """Return the text without our block and the blank line before it."""
    if not (span := _find_block(text)):
        return text
    head = text[: span[0]]
    return (head[:-1] if head.endswith("\n\n") else head) + text[span[1] :]


def _find_block(text: str) -> tuple[int, int] | None:
    """Return where the block begins and ends; raise `Refused` if the comments do not match."""
    if BEGIN not in text and END not in text:
        return None
    start, end = text.find(BEGIN), text.find(END)
    if text.count(BEGIN) != 1 or text.count(END) != 1 or end < start:
        raise Refused(
            "the comments around the instructions of cortexfs do not match",
            hint="remove both comments and the text between them by hand",
        )
    end += len(END)
    return start, end + text.startswith("\n", end)
