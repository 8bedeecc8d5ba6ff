"""A text without ceremony: its first sentence is the title, the rest is what it says."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import one_line

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\S)")


def split_title(text: str, width: int) -> tuple[str, str]:
    """Give a title of at most `width` characters, and what the text says beyond it.

    A first sentence that is longer is cut after a word; the text is then given whole.
    """
    whole = one_line(text)
    first, *rest = _SENTENCE.split(whole, maxsplit=1)
    title = first if first.endswith("..") else first.removesuffix(".")
    if len(title) <= width:
        return title, " ".join(rest)
    cut = title[: width - 1]
    return f"{cut.rpartition(' ')[0] or cut}…", whole
