"""Merge what is generated anew with what a person made of what was generated last.

What a person wrote stays, in its place. What a person struck or changed is never generated again.
Everything else is as it is generated now. Merging twice is merging once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.generated_lines import (
    STRUCK,
    GeneratedLine,
    Lines,
    digest_text,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_START = ""
"""The place before the first line."""


class MergedLines(NamedTuple):
    """The lines after a merge, and what was generated of them."""

    lines: tuple[str, ...]
    generated: Lines


class _OwnLines(NamedTuple):
    """What a person wrote, by the key of the generated line before it, and the keys found."""

    by_anchor: Mapping[str, Sequence[str]]
    untouched: Mapping[str, int]


def merge_lines(
    before: Lines, present: Sequence[str], wanted: Sequence[GeneratedLine]
) -> MergedLines:
    """Return the lines of a text: those that are wanted, and those that a person wrote.

    `before` is what the last build generated, `present` the text as it is. A wanted line that a
    person has written too is left out.
    """
    struck = find_struck(before, present)
    struck |= {line.key for line in wanted if not struck.isdisjoint(line.former)}
    kept = [line for line in wanted if line.key not in struck]
    own = _find_own_lines(before, present, {line.key for line in kept if line.key})
    written = {text.strip() for lines in own.by_anchor.values() for text in lines if text.strip()}
    merged = list(own.by_anchor.get(_START, ()))
    generated = dict.fromkeys(struck, STRUCK)
    for line in kept:
        if line.is_optional and line.key not in own.by_anchor:
            continue
        if line.key and line.key not in own.untouched and line.text.strip() in written:
            generated[line.key] = STRUCK
        elif line.key:
            merged.append(line.text)
            generated[line.key] = digest_text(line.text)
        elif merged and merged[-1].strip():
            merged.append("")
        merged += own.by_anchor.get(line.key, ()) if line.key else ()
    while merged and not merged[-1].strip():
        merged.pop()
    return MergedLines(tuple(merged), generated)


def merge_items(
    before: Lines, present: Sequence[str], wanted: Sequence[GeneratedLine]
) -> MergedLines:
    """Return the items of a list: those that are wanted, then those that a person added."""
    struck = find_struck(before, present)
    kept = [item for item in wanted if item.key not in struck]
    digests = {digest for digest in before.values() if digest != STRUCK}
    own = [text for text in present if digest_text(text) not in digests]
    merged = [item.text for item in kept if item.text not in own]
    generated = dict.fromkeys(struck, STRUCK)
    generated |= {item.key: digest_text(item.text) for item in kept if item.text not in own}
    generated |= {item.key: STRUCK for item in kept if item.text in own}
    return MergedLines((*merged, *own), generated)


def find_struck(before: Lines, present: Sequence[str]) -> frozenset[str]:
    """Return the keys of the generated lines that a person has struck or changed, now or before."""
    digests = {digest_text(text) for text in present}
    return frozenset(
        key for key, digest in before.items() if digest == STRUCK or digest not in digests
    )


def _find_own_lines(
    before: Lines, present: Sequence[str], kept: frozenset[str] | set[str]
) -> _OwnLines:
    """Divide a text into what was generated and what a person wrote after which generated line."""
    keys: dict[str, list[str]] = {}
    for key in sorted(before):
        keys.setdefault(before[key], []).append(key)
    groups: dict[str, list[str]] = {}
    untouched: dict[str, int] = {}
    anchor = _START
    for number, text in enumerate(present):
        candidates = keys.get(digest_text(text)) if text.strip() else None
        if candidates:
            key = candidates.pop(0)
            untouched[key] = number
            anchor = key if key in kept else anchor
        else:
            groups.setdefault(anchor, []).append(text)
    trimmed = {key: _trim(lines) for key, lines in groups.items()}
    return _OwnLines({key: lines for key, lines in trimmed.items() if lines}, untouched)


def _trim(lines: Sequence[str]) -> list[str]:
    """Return lines without the empty ones at their ends, except one before them."""
    texts = [number for number, text in enumerate(lines) if text.strip()]
    if not texts:
        return []
    inner = list(lines[texts[0] : texts[-1] + 1])
    return ["", *inner] if texts[0] else inner
