"""user/patterns.md: which patterns and proposals the user accepted or rejected, a line for each."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import NamedTuple

from cortexfs.core.markdown.edit_text import append_block
from cortexfs.core.text.sanitize import format_cell

ANSWERS_PATH = "user/patterns.md"
_TITLE = """# Patterns

What you accepted or rejected of what `cortexfs patterns` found. It is not proposed again; to have
it proposed again, remove its line.
"""
_LINE = re.compile(r"^- ([0-9a-f]{8}) (accepted|rejected)\b", re.MULTILINE)


class Answer(StrEnum):
    """What the user decided."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"


class AnswerLine(NamedTuple):
    """One answer: the id of a pattern or proposal, the day, and the words that were judged."""

    id: str
    answer: Answer
    day: str
    wording: str


def parse_answers(text: str) -> dict[str, Answer]:
    """Return the answers by id; of several to the same id the last."""
    return {found[1]: Answer(found[2]) for found in _LINE.finditer(text)}


def add_answer(text: str, line: AnswerLine) -> str:
    """Return the text with one more answer; an empty text begins with a title."""
    entry = f"- {line.id} {line.answer} {line.day}: {format_cell(line.wording)}"
    if not text.strip():
        return append_block(_TITLE, entry)
    if _LINE.match(text.rstrip().rpartition("\n")[2]):
        return f"{text.rstrip()}\n{entry}\n"
    return append_block(text, entry)
