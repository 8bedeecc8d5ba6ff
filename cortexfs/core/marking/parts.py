"""Part an atom's text where its body begins, so that one half can be changed without the other."""

from __future__ import annotations

from cortexfs.core import codec
from cortexfs.core.atom import Flaw
from cortexfs.core.governance.sections import newline


def parted(text: str) -> tuple[str, str]:
    """Give the frontmatter with its fences, and the body: together they are the text.

    A last fence without a line end gets one. Without frontmatter all of it is body.
    """
    parts = codec.split(text)
    if isinstance(parts, Flaw):
        return "", text
    fence, line_end, body = parts.tail.partition("\n")
    return f"{parts.head}{parts.block}{fence}{line_end or newline(text)}", body
