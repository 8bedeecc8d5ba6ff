"""USER.md: what the user prefers, a line each; a new preference replaces the old one."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from cortexfs.core.markdown.fences import fenced
from cortexfs.core.markdown.lines import newline, trimmed
from cortexfs.core.markdown.lists import bullets
from cortexfs.core.markdown.sections import named, plain, sections
from cortexfs.core.markdown.splices import append, insert, paragraph
from cortexfs.core.text.sanitize import one_line
from cortexfs.errors import Refused

TYPES = {
    "Identity": ("Identity", "Who"),
    "Communication": ("Communication", "Language"),
    "Output style": ("Output style", "Style"),
    "Technical context": ("Technical context",),
    "Working style": ("Working style", "Working habits"),
}
"""What preferences are about, each with the headings that it may stand under."""
LONGEST_KEY = 60
_KEY = re.compile(
    rf"[ \t]*[-*+][ \t]++(?:\*\*|__)?([^:*\n]{{1,{LONGEST_KEY}}}?)"
    r"(?:\*\*|__)?:(?:\*\*|__)?(?=\s|\Z)[ \t]*"
)


class Preference(NamedTuple):
    """What is preferred, under which key and heading; its value stands between two places."""

    about: str
    key: str
    value: str
    start: int
    end: int


def preferences(text: str) -> list[Preference]:
    """Find every entry of the form `- key: value`."""
    found = []
    heads = [section for section in sections(text) if section.level > 1]
    starts = [section.body for section in heads]
    for bullet in bullets(text):
        lead = _KEY.match(text, bullet.start, bullet.end)
        if lead:
            start, end = trimmed(text, lead.end(), bullet.end)
            start, end = (start, end) if start < end else (lead.end(), lead.end())
            above = bisect_right(starts, bullet.start)
            about = heads[above - 1].title if above else ""
            found.append(Preference(about, lead[1].strip(), text[start:end], start, end))
    return found


def learn(text: str, key: str, value: str, about: str) -> str:
    """Say a preference: in place of what stood under the same key, else below its kind.

    Raises `Refused` for a key or value that is empty, and for a kind that is none of `TYPES`.
    """
    key, value = one_line(key).strip("*_:- "), one_line(value)
    if not plain(key) or not value or len(key) > LONGEST_KEY or set(key) & set(":*"):
        raise Refused("a preference is a short key and a value", hint="a key has no `:` and no `*`")
    kind = next((name for name in TYPES if plain(name) == plain(about)), None)
    if kind is None:
        known = ", ".join(TYPES)
        raise Refused(f"`{one_line(about)}` is no kind of preference", hint=f"there are {known}")
    for old in preferences(text):
        if plain(old.key) == plain(key):
            gap = "" if text[: old.start].endswith((" ", "\t")) else " "
            return f"{text[: old.start]}{gap}{value}{text[old.end :]}"
    return _below(text, kind, f"- {paragraph(key)}: {value}")


def _below(text: str, kind: str, entry: str) -> str:
    """Put an entry at the end of the list under the heading of its kind."""
    if any(span.is_open for span in fenced(text)):
        raise Refused("a block of code or a comment is never closed", hint="close it by hand")
    section = named(sections(text), TYPES[kind])
    if section is None:
        return append(text, f"## {kind}\n\n{entry}")
    end = newline(text)
    present = bullets(text, section.body, section.end)
    if not present:
        return insert(text, section.end, entry)
    head = text[: present[-1].end]
    gap = "" if head.endswith("\n") else end
    return f"{head}{gap}{entry}{end}{text[present[-1].end :]}"
