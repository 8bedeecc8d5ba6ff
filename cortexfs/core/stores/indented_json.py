"""Write a JSON document line by line: a large export does not fit into memory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


_encode = json.JSONEncoder().encode


def iter_indented_lines(document: Mapping[str, object]) -> Iterator[str]:
    """Yield the lines of a document with an indent of one; an iterator becomes a list."""
    yield "{"
    last = len(document) - 1
    for number, (key, value) in enumerate(document.items()):
        end = "," if number < last else ""
        if isinstance(value, Iterator):
            yield from _iter_list_lines(f" {_encode(key)}: [", value, end)
        else:
            yield from f" {_encode(key)}: {_format_value(value, 1)}{end}".split("\n")
    yield "}"


def _iter_list_lines(head: str, items: Iterable[object], end: str) -> Iterator[str]:
    """Yield the lines of a list; a comma follows an item once the next one is known."""
    before = ""
    for item in items:
        yield before + "," if before else head
        *lines, before = f"  {_format_value(item, 2)}".split("\n")
        yield from lines
    if before:
        yield from (before, f" ]{end}")
    else:
        yield f"{head}]{end}"


def _format_value(value: object, level: int) -> str:
    """Return a value as JSON; the encoder of the library leaves garbage where it indents."""
    start, end = f"\n{' ' * (level + 1)}", f"\n{' ' * level}"
    if isinstance(value, dict) and value:
        pairs = (f"{_encode(key)}: {_format_value(each, level + 1)}" for key, each in value.items())
        return f"{{{start}{f',{start}'.join(pairs)}{end}}}"
    if isinstance(value, list) and value:
        items = (_format_value(each, level + 1) for each in value)
        return f"[{start}{f',{start}'.join(items)}{end}]"
    return _encode(value)
