"""Decisions in the legacy format: a title and `Key: value` lines instead of frontmatter."""

from __future__ import annotations

import re

from cortexfs.core.markdown.lines import detect_line_ending
from cortexfs.core.markdown.sections import find_lead_end
from cortexfs.errors import Refused

_TITLE = re.compile(r"\ufeff?# ([A-Z]+-\d+):[ \t]*(.*)")
_FIELD = re.compile(
    r"^(Date|Status|Supersedes|Evidence):[ \t]*+"
    r"((?>(?:[^ \t\r\n]++|\r(?!$)|[ \t]++(?!\r?$))*))",
    re.MULTILINE,
)
"""A value ends before trailing blanks; the pattern does not backtrack."""


def parse_legacy_decision(text: str) -> dict[str, str] | None:
    """Return title and fields, of each the first one; None if a text is not in this format.

    Fields end where the first section begins.
    """
    title = _TITLE.match(text)
    if not title:
        return None
    found = {key.lower(): value for key, value in reversed(_FIELD.findall(get_legacy_head(text)))}
    return {"id": title[1], "summary": title[2].strip(), **found}


def get_legacy_head(text: str) -> str:
    """Return the text above the first section."""
    return text[: find_lead_end(text)]


def set_legacy_field(text: str, key: str, value: str) -> str:
    """Return the text with one field set, or added below the last one; other bytes are unchanged.

    Raises `Refused` if the result would not parse to exactly that change.
    """
    before = parse_legacy_decision(text) or {}
    edited = _splice_field(text, key, value)
    if parse_legacy_decision(edited) != {**before, key.lower(): value}:
        raise Refused(f"the line `{key}:` cannot be set", hint="write it by hand")
    return edited


def _splice_field(text: str, key: str, value: str) -> str:
    present = list(_FIELD.finditer(get_legacy_head(text)))
    for field in present:
        if field[1] == key:
            return (
                f"{text[: field.start(2)]}{_get_missing_space(field)}{value}{text[field.end(2) :]}"
            )
    end = detect_line_ending(text)
    if present:
        at = present[-1].end(2)
        return f"{text[:at]}{end}{key}: {value}{text[at:]}"
    title, _, rest = text.partition("\n")
    return f"{title.removesuffix(chr(13))}{end}{end}{key}: {value}{end}{rest}"


def _get_missing_space(field: re.Match[str]) -> str:
    """Return a space if none follows the colon, else an empty string."""
    return "" if field[0][len(field[1]) + 1 :].startswith((" ", "\t")) else " "
