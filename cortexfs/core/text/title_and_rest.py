"""Split a text into a title, which is its first sentence, and the rest."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import to_one_line

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=\S)")


def split_title_and_rest(text: str, max_length: int) -> tuple[str, str]:
    """Return a title of at most `max_length` characters, and the rest of the text.

    A longer first sentence is cut after a word and ended with `…`; the rest is then the whole text.
    """
    whole = to_one_line(text)
    first, *rest = _SENTENCE_END.split(whole, maxsplit=1)
    title = first if first.endswith("..") else first.removesuffix(".")
    if len(title) <= max_length:
        return title, " ".join(rest)
    cut = title[: max_length - 1]
    return f"{cut.rpartition(' ')[0] or cut}…", whole
