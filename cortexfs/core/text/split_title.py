"""A text without ceremony: its first sentence is the title, the rest is what it says."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import to_one_line

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def split_title(text: str, max_length: int) -> tuple[str, str]:
    """Give a title of at most `width` characters, and what the text says beyond it.

    A first sentence that is longer is cut after a word; the text is then given whole.
    """
    whole = to_one_line(text)
    first, *rest = _SENTENCE.split(whole, maxsplit=1)
    title = first if first.endswith("..") else first.removesuffix(".")
    if len(title) <= max_length:
        return title, " ".join(rest)
    cut = title[: max_length - 1]
    return f"{cut.rpartition(' ')[0] or cut}…", whole
