"""Rename one tag in the frontmatter of an atom; other bytes are unchanged."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw, split_string_list
from cortexfs.core.frontmatter import atom_text, yaml_scalar
from cortexfs.core.text.sanitize import to_one_line
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue

TAGS_KEY = "tags"
MAX_TAG_LENGTH = 100
"""Maximum characters of a tag."""

_TAGS_ENTRY = re.compile(r"^tags[ \t]*:(?:.*\n)(?:(?:[ \t]+|-[ \t]|#).*\n|[ \t]*\n)*", re.MULTILINE)
_ITEM = re.compile(
    r"""(?<=\s)#[^\n]*|'(?:[^']|'')*'?|"(?:[^"\\]|\\.)*"?|[^\s,\[\]'"#][^,\[\]\n#]*"""
)
"""An item or a comment; a quote that is not closed goes to the end, so that each is read once."""
_COMMA = re.compile(r"[ \t]*,[ \t]*")
_ITEM_START = re.compile(r"[ \t]*-[ \t]+")


def require_valid_tag(tag: str) -> str:
    """Return a tag unchanged. Raises `Refused` for a text that cannot be a tag."""
    if not tag.strip() or tag != to_one_line(tag) or "," in tag or len(tag) > MAX_TAG_LENGTH:
        hint = f"a tag is one line without commas, up to {MAX_TAG_LENGTH} characters"
        raise Refused("this cannot be a tag", hint=hint)
    return tag


def rename_tag(text: str, old: str, new: str) -> str:
    """Return the text of an atom with one tag renamed; an atom that has both keeps the new one.

    Items are changed in place; if that is not possible the whole list is rewritten. Raises what
    `edit_frontmatter` raises.
    """
    fields = atom_text.parse_frontmatter(text).fields
    tags = split_string_list(fields.get(TAGS_KEY, ()))
    if old not in tags or old == new:
        return text
    merged = new in tags
    wanted = tuple(tag if tag != old else new for tag in tags if not (merged and tag == old))
    parts = atom_text.split_frontmatter(text)
    found = None if isinstance(parts, Flaw) else _TAGS_ENTRY.search(parts.block)
    if found and not isinstance(parts, Flaw):
        edit = _remove_from_entry(found[0], old) if merged else _rename_in_entry(found[0], old, new)
        block = f"{parts.block[: found.start()]}{edit}{parts.block[found.end() :]}"
        edited = f"{parts.head}{block}{parts.tail}"
        if _is_expected_edit(atom_text.parse_frontmatter(edited).fields, fields, wanted):
            return edited
    return atom_text.edit_frontmatter(text, {TAGS_KEY: wanted})


def _is_expected_edit(
    now: Mapping[str, FrontmatterValue],
    before: Mapping[str, FrontmatterValue],
    wanted: tuple[str, ...],
) -> bool:
    """Return whether an edit changed the tags as wanted, and no other field."""
    others = {key: value for key, value in now.items() if key != TAGS_KEY}
    kept = {key: value for key, value in before.items() if key != TAGS_KEY}
    return others == kept and split_string_list(now.get(TAGS_KEY, ())) == wanted


def _find_tag_spans(entry: str, tag: str) -> Iterator[tuple[int, int, str]]:
    """Yield begin, end and quote of each occurrence of a tag in its entry, the last first."""
    start = entry.index(":") + 1
    found = []
    for item in _ITEM.finditer(entry, start):
        typed = item[0].rstrip()
        begin = item.start()
        if dash := _ITEM_START.match(entry, entry.rfind("\n", 0, begin) + 1):
            typed, begin = typed[max(0, dash.end() - begin) :], max(begin, dash.end())
        quote = typed[:1] if typed[:1] in {"'", '"'} else ""
        if _unquote(typed, quote) == tag:
            found.append((begin, begin + len(typed), quote))
    yield from reversed(found)


def _unquote(typed: str, quote: str) -> str:
    inner = typed[1:-1] if quote else typed
    return inner.replace("''", "'") if quote == "'" else inner


def _rename_in_entry(entry: str, old: str, new: str) -> str:
    for begin, end, quote in _find_tag_spans(entry, old):
        word = (
            yaml_scalar.format_in_style(quote, new)
            if quote
            else yaml_scalar.format_text(new, in_brackets=True)
        )
        entry = f"{entry[:begin]}{word}{entry[end:]}"
    return entry


def _remove_from_entry(entry: str, old: str) -> str:
    """Return an entry without a tag and the comma beside it, or without its line."""
    for begin, end, _ in _find_tag_spans(entry, old):
        line = entry.rfind("\n", 0, begin) + 1
        before = entry[:begin].rstrip(" \t")
        if _ITEM_START.fullmatch(entry, line, begin):
            entry = entry[:line] + entry[entry.index("\n", end) + 1 :]
        elif comma := _COMMA.match(entry, end):
            entry = entry[:begin] + entry[comma.end() :]
        elif before.endswith(","):
            entry = before[:-1].rstrip(" \t") + entry[end:]
    return entry
