"""Part an atom's text into frontmatter and body, read it, and change single entries of it."""
# ruff: noqa: PLC0415 - most atoms are plain and are only read: gate and scalar cost 10 ms

from __future__ import annotations

import re
from dataclasses import dataclass, field
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
"""The longest block that is read, in UTF-8."""

_OPENING = re.compile(r"\ufeff?---[ \t]*+\r?(?:\n|\Z)")
_CLOSING = re.compile(r"\n---[ \t]*+\r?(?:\n|\Z)")
_FLOW_MAPPING = re.compile(r"(?:[ \t\r\n]|#.*\n)*\{")


class FrontmatterParts(NamedTuple):
    """A text in three: `head + block + tail` is the text.

    `head` is the opening fence's line with a BOM that may precede it, `block` the YAML,
    `tail` the closing fence and the body.
    """

    head: str
    block: str
    tail: str


@dataclass(frozen=True, slots=True)
class ParsedText:
    """What a text says. `lines` gives the line of each key, the file's first being 1."""

    fields: Mapping[str, FrontmatterValue] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)
    body: str = ""
    flaws: tuple[Flaw, ...] = ()


def split_frontmatter(text: str) -> FrontmatterParts | Flaw:
    """Part frontmatter from body, or say why there is none to read. Looks at no YAML."""
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
    """Give the frontmatter with its fences, and the body: together they are the text.

    A last fence without a line end gets one. Without frontmatter all of it is body.
    """
    parts = split_frontmatter(text)
    if isinstance(parts, Flaw):
        return "", text
    fence, line_end, body = parts.tail.partition("\n")
    line_end = line_end or ("\r\n" if parts.head.endswith("\r\n") else "\n")
    return f"{parts.head}{parts.block}{fence}{line_end}", body


def parse_text(text: str) -> ParsedText:
    """Read a text. Never raises: what cannot be read is one flaw, and then there are no fields."""
    parts = split_frontmatter(text)
    if isinstance(parts, Flaw):
        return ParsedText(body=text, flaws=(parts,))
    body = parts.tail.partition("\n")[2]
    if quick := fast_frontmatter.parse_fast_frontmatter(parts.block):
        return ParsedText(quick.fields, quick.lines, body, _warnings(text))
    from cortexfs.core.frontmatter import safe_yaml

    entries = safe_yaml.parse_safe_yaml(parts.block)
    if isinstance(entries, Flaw):
        return ParsedText(body=body, flaws=(entries,))
    return ParsedText(
        fields={entry.key: entry.value for entry in entries},
        lines={entry.key: parts.block.count("\n", 0, entry.key_start) + 2 for entry in entries},
        body=body,
        flaws=_warnings(text),
    )


def edit_frontmatter(text: str, changes: Mapping[str, FieldEdit]) -> str:
    """Set entries, or remove those set to None; leave every other byte as its author wrote it.

    Raises `Unreadable` where the frontmatter cannot be read, and `Refused` where the result
    could not be, or would say anything else than what was asked for.
    """
    if not changes:
        return text
    parts = split_frontmatter(text)
    if isinstance(parts, Flaw):
        raise _unreadable(parts)
    head, block, tail = parts
    line_end = "\r\n" if (head + block).endswith("\r\n") else "\n"
    for key, value in changes.items():
        block = _set(block, key, value, line_end)
    edited = head + block + tail
    _prove(parse_text(text), changes, parse_text(edited))
    return edited


def format_frontmatter(fields: Mapping[str, str | Sequence[str]]) -> str:
    """Write the block of a new atom: one line for each field, in the order given."""
    from cortexfs.core.frontmatter import yaml_scalar

    return "".join(f"{yaml_scalar.format_entry(key, value)}\n" for key, value in fields.items())


def _set(block: str, key: str, value: FieldEdit, line_end: str) -> str:
    from cortexfs.core.frontmatter import safe_yaml, yaml_scalar

    entries = safe_yaml.parse_safe_yaml(block)
    if isinstance(entries, Flaw):
        raise _unreadable(entries)
    if _FLOW_MAPPING.match(block):
        raise Refused("the frontmatter is one `{…}`", hint="write it as `key: value` lines first")
    old = next((entry for entry in entries if entry.key == key), None)
    if old is not None and value is None:
        return _without(block, old)
    if value is None or (old is not None and old.value == _as_read(value)):
        return block
    if old is not None:
        return _with(block, old, value)
    indent = _indent(block, entries[0]) if entries else ""
    return f"{block}{indent}{yaml_scalar.format_entry(key, value)}{line_end}"


def _with(block: str, old: FrontmatterEntry, value: str | Sequence[str]) -> str:
    """Put a value in the place of an old one, and leave the comment on its line."""
    from cortexfs.core.frontmatter import yaml_scalar

    start, end = old.start, old.end
    empty = start == end
    if isinstance(value, str) and old.style in ("", "'", '"') and not empty:
        new = yaml_scalar.format_in_style(old.style, value)
    else:
        new = yaml_scalar.format_value(old.key, value)
    if old.style == "-" or empty:
        return block[: old.colon_end] + f" {new}" + _cut(block, old.colon_end, end)
    if old.style in ("|", ">"):
        header = block[start:].split(maxsplit=1)[0]
        return block[:start] + new + _cut(block, start + len(header), end)
    return block[:start] + new + block[end:]


def _without(block: str, old: FrontmatterEntry) -> str:
    """Take out an entry's lines, and the blank ones and deeper comments below.

    Left behind, they would become text of a block scalar above.
    """
    indent = _indent(block, old)
    loose = re.compile(rf"(?:[ \t]*\r?\n|{indent}[ \t]+#.*\n)*")
    below = block[_next_line(block, old.end) :]
    return block[: old.key_start - len(indent)] + loose.sub("", below, count=1)


def _cut(block: str, index: int, end: int) -> str:
    """Give what follows `index` without the lines below its own, up to the one of `end`."""
    return block[index : _next_line(block, index)] + block[_next_line(block, end) :]


def _next_line(block: str, index: int) -> int:
    return block.index("\n", index) + 1


def _indent(block: str, entry: FrontmatterEntry) -> str:
    return block[block.rfind("\n", 0, entry.key_start) + 1 : entry.key_start]


def _as_read(value: str | Sequence[str]) -> FrontmatterValue:
    return value if isinstance(value, str) else tuple(value)


def _prove(before: ParsedText, changes: Mapping[str, FieldEdit], after: ParsedText) -> None:
    """Refuse an edit that does not say what was asked for, or says more.

    A line of tabs that YAML takes below a plain scalar, say, it does not take below a quoted one.
    """
    kept = {key: value for key, value in before.fields.items() if key not in changes}
    asked = {key: _as_read(value) for key, value in changes.items() if value is not None}
    if after.fields != kept | asked:
        reason = after.flaws[0].message if after.flaws else "other entries would change too"
        raise Refused(f"the frontmatter cannot take this edit: {reason}")


def _unreadable(flaw: Flaw) -> Unreadable:
    return Unreadable(f"line {flaw.line}: {flaw.message}", hint="fix the frontmatter by hand")


def _warnings(text: str) -> tuple[Flaw, ...]:
    """Report what is kept and understood, and yet no atom should have."""
    flaws = []
    if text.startswith("\ufeff"):
        flaws.append(Flaw("bom", "the file begins with a byte order mark"))
    if (index := text.find("\r\n")) >= 0:
        flaws.append(Flaw("crlf", "lines end in CR LF", text.count("\n", 0, index) + 1))
    return tuple(flaws)
