"""Split an atom's text into frontmatter and body, parse it, and edit single entries."""
# ruff: noqa: PLC0415 - most atoms are only read, without the YAML modules, which cost 10 ms

from __future__ import annotations

import re
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.frontmatter import fast_frontmatter
from cortexfs.errors import Refused, Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.frontmatter.yaml_reader import FrontmatterEntry

    FieldEdit = str | Sequence[str] | None

MAX_BYTES = 64 * 1024
"""The maximum size of a frontmatter block, in bytes of UTF-8."""

_OPENING = re.compile(r"\ufeff?---[ \t]*+\r?(?:\n|\Z)")
_CLOSING = re.compile(r"\n---[ \t]*+\r?(?:\n|\Z)")
_FLOW_MAPPING = re.compile(r"(?:[ \t\r\n]|#.*\n)*\{")


class FrontmatterParts(NamedTuple):
    """The three parts of a text: `head + block + tail` is the text.

    `head` is the line of the opening fence with an optional BOM, `block` the YAML, `tail` the
    closing fence and the body.
    """

    head: str
    block: str
    tail: str


class ParsedText(NamedTuple):
    """A parsed text; `lines` has the line of each key, counted from 1 in the file."""

    fields: Mapping[str, FrontmatterValue] = MappingProxyType({})
    lines: Mapping[str, int] = MappingProxyType({})
    body: str = ""
    flaws: tuple[Flaw, ...] = ()


def split_frontmatter(text: str) -> FrontmatterParts | Flaw:
    """Return the parts of a text, or a flaw if it has no frontmatter. Does not parse YAML."""
    opening = _OPENING.match(text)
    if opening is None:
        return Flaw("no-frontmatter", "the first line is not `---`")
    start = opening.end()
    closing = _CLOSING.search(text, start - 1)
    if closing is None:
        return Flaw("unclosed-frontmatter", "no line `---` closes the frontmatter")
    end = closing.start() + 1
    if end - start > MAX_BYTES or len(text[start:end].encode("utf-8", "replace")) > MAX_BYTES:
        return Flaw("frontmatter-too-large", f"more than {MAX_BYTES} bytes of frontmatter")
    return FrontmatterParts(text[:start], text[start:end], text[end:])


def split_front_and_body(text: str) -> tuple[str, str]:
    """Return the frontmatter with its fences, and the body: together they are the text.

    A closing fence without a line end gets one. Without frontmatter the whole text is the body.
    """
    parts = split_frontmatter(text)
    if isinstance(parts, Flaw):
        return "", text
    fence, line_end, body = parts.tail.partition("\n")
    line_end = line_end or ("\r\n" if parts.head.endswith("\r\n") else "\n")
    return f"{parts.head}{parts.block}{fence}{line_end}", body


def parse_frontmatter(text: str) -> ParsedText:
    """Return a parsed text. Never raises: unreadable frontmatter gives one flaw and no fields."""
    parts = split_frontmatter(text)
    if isinstance(parts, Flaw):
        return ParsedText(body=text, flaws=(parts,))
    body = parts.tail.partition("\n")[2]
    if quick := fast_frontmatter.parse_fast_frontmatter(parts.block):
        return ParsedText(quick.fields, quick.lines, body, _list_encoding_flaws(text))
    from cortexfs.core.frontmatter import safe_yaml

    entries = safe_yaml.parse_safe_yaml(parts.block)
    if isinstance(entries, Flaw):
        return ParsedText(body=body, flaws=(entries,))
    return ParsedText(
        fields={entry.key: entry.value for entry in entries},
        lines={entry.key: parts.block.count("\n", 0, entry.key_start) + 2 for entry in entries},
        body=body,
        flaws=_list_encoding_flaws(text),
    )


def edit_frontmatter(text: str, changes: Mapping[str, FieldEdit]) -> str:
    """Return a text with entries set, or removed if set to None; other bytes are unchanged.

    Raises `Unreadable` if the frontmatter cannot be parsed, and `Refused` if the result would not
    parse to exactly the requested changes.
    """
    if not changes:
        return text
    parts = split_frontmatter(text)
    if isinstance(parts, Flaw):
        raise _make_unreadable_error(parts)
    head, block, tail = parts
    line_end = "\r\n" if (head + block).endswith("\r\n") else "\n"
    block = _replace_values(block, changes) or _set_entries(block, changes, line_end)
    edited = head + block + tail
    _verify_edit(parse_frontmatter(text), changes, parse_frontmatter(edited))
    return edited


def format_frontmatter(fields: Mapping[str, str | Sequence[str]]) -> str:
    """Return the frontmatter block of a new atom: one line per field, in the given order."""
    from cortexfs.core.frontmatter import yaml_scalar

    return "".join(f"{yaml_scalar.format_entry(key, value)}\n" for key, value in fields.items())


def _replace_values(block: str, changes: Mapping[str, FieldEdit]) -> str:
    """Return the block with the values of entries that it has; empty if it has not all of them."""
    from cortexfs.core.frontmatter import safe_yaml

    entries = safe_yaml.parse_safe_yaml(block)
    if isinstance(entries, Flaw) or _FLOW_MAPPING.match(block):
        return ""
    known = {entry.key: entry for entry in reversed(entries)}
    if any(value is None or key not in known for key, value in changes.items()):
        return ""
    for key, value in sorted(changes.items(), key=lambda each: -known[each[0]].key_start):
        if value is not None and known[key].value != to_field_value(value):
            block = _replace_value(block, known[key], value)
    return block


def _set_entries(block: str, changes: Mapping[str, FieldEdit], line_end: str) -> str:
    for key, value in changes.items():
        block = _set_entry(block, key, value, line_end)
    return block


def _set_entry(block: str, key: str, value: FieldEdit, line_end: str) -> str:
    from cortexfs.core.frontmatter import safe_yaml, yaml_scalar

    entries = safe_yaml.parse_safe_yaml(block)
    if isinstance(entries, Flaw):
        raise _make_unreadable_error(entries)
    if _FLOW_MAPPING.match(block):
        raise Refused("the frontmatter is one `{…}`", hint="write it as `key: value` lines first")
    old = next((entry for entry in entries if entry.key == key), None)
    if old is not None and value is None:
        return _remove_entry(block, old)
    if value is None or (old is not None and old.value == to_field_value(value)):
        return block
    if old is not None:
        return _replace_value(block, old, value)
    indent = _find_indent(block, entries[0]) if entries else ""
    return f"{block}{indent}{yaml_scalar.format_entry(key, value)}{line_end}"


def _replace_value(block: str, old: FrontmatterEntry, value: str | Sequence[str]) -> str:
    """Return the block with a value replaced; a comment on its line is kept."""
    from cortexfs.core.frontmatter import yaml_scalar

    start, end = old.start, old.end
    empty = start == end
    if isinstance(value, str) and old.style in ("", "'", '"') and not empty:
        new = yaml_scalar.format_in_style(old.style, value)
    else:
        new = yaml_scalar.format_value(old.key, value)
    if old.style == "-" or empty:
        return block[: old.colon_end] + f" {new}" + _skip_lines(block, old.colon_end, end)
    if old.style in ("|", ">"):
        header = block[start:].split(maxsplit=1)[0]
        return block[:start] + new + _skip_lines(block, start + len(header), end)
    return block[:start] + new + block[end:]


def _remove_entry(block: str, old: FrontmatterEntry) -> str:
    """Return the block without an entry and the blank lines and deeper comments below it.

    If they were kept, they would become part of a block scalar above.
    """
    indent = _find_indent(block, old)
    loose = re.compile(rf"(?:[ \t]*\r?\n|{indent}[ \t]+#.*\n)*")
    below = block[_find_next_line(block, old.end) :]
    return block[: old.key_start - len(indent)] + loose.sub("", below, count=1)


def _skip_lines(block: str, index: int, end: int) -> str:
    """Return the block from `index` on, without the lines after its own up to the line of `end`."""
    return block[index : _find_next_line(block, index)] + block[_find_next_line(block, end) :]


def _find_next_line(block: str, index: int) -> int:
    return block.index("\n", index) + 1


def _find_indent(block: str, entry: FrontmatterEntry) -> str:
    return block[block.rfind("\n", 0, entry.key_start) + 1 : entry.key_start]


def to_field_value(value: str | Sequence[str]) -> FrontmatterValue:
    """Return a value as it is parsed: a list becomes a tuple."""
    return value if isinstance(value, str) else tuple(value)


def _verify_edit(before: ParsedText, changes: Mapping[str, FieldEdit], after: ParsedText) -> None:
    """Raise `Refused` if an edit does not parse to exactly the requested changes.

    For example, YAML allows a line of tabs below a plain scalar, but not below a quoted one.
    """
    kept = {key: value for key, value in before.fields.items() if key not in changes}
    wanted = {key: to_field_value(value) for key, value in changes.items() if value is not None}
    if after.fields != kept | wanted:
        reason = after.flaws[0].message if after.flaws else "other entries would change too"
        raise Refused(f"the frontmatter cannot be edited in this way: {reason}")


def _make_unreadable_error(flaw: Flaw) -> Unreadable:
    return Unreadable(f"line {flaw.line}: {flaw.message}", hint="fix the frontmatter by hand")


def _list_encoding_flaws(text: str) -> tuple[Flaw, ...]:
    """Return flaws for a byte order mark and for CRLF, which are accepted and kept."""
    flaws = []
    if text.startswith("\ufeff"):
        flaws.append(Flaw("bom", "the file begins with a byte order mark"))
    if (index := text.find("\r\n")) >= 0:
        flaws.append(Flaw("crlf", "lines end in CR LF", text.count("\n", 0, index) + 1))
    return tuple(flaws)
