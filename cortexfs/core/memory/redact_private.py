"""Redact what a user marked as private with `<private>…</private>`, before anything is written."""

from __future__ import annotations

import re

from cortexfs.core.text.sanitize import INVISIBLE_PATTERN

REDACTED = "[REDACTED]"
"""The text in place of a private part."""

_NAME = rf"{INVISIBLE_PATTERN}*+".join("private")
_GAP = rf"[\s{INVISIBLE_PATTERN[1:]}*+"
_TAG = re.compile(
    rf"<{_GAP}(/?){_GAP}{_NAME}{INVISIBLE_PATTERN}*+(?![\w-])([^<>]*>?)", re.IGNORECASE
)
"""An opening tag may lack its `>`: a truncated tag still hides the text after it."""


def redact_private(text: str) -> str:
    """Return the text with each private part redacted, without white space around it.

    Tags may be nested, in any case, on several lines, and with invisible characters. A tag without
    its end hides the rest of the text. A closing tag that closes nothing is kept.
    """
    kept: list[str] = []
    depth = start = 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            if not depth:
                kept += [text[start : tag.start()], REDACTED]
            depth += 1
        elif depth and tag[2].endswith(">"):
            depth -= 1
            start = tag.end()
    return "".join([*kept, "" if depth else text[start:]]).strip()
