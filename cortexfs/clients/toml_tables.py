"""Add, change and remove one table of a TOML document as text, and keep every other byte.

Tables are found line by line, which a string of several lines can mislead: each result is parsed,
and refused if anything but the table differs.
"""

from __future__ import annotations

import copy
import json
import re
import tomllib
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from cortexfs.errors import Refused, Unreadable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MAX_CHARACTERS = 1 << 20
"""Maximum characters of an edited document."""

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_HEADER = re.compile(r"[ \t]*\[")
_BLANK_OR_COMMENT = re.compile(r"[ \t]*(#.*)?\r?\n?\Z")

TomlValue = str | list[str]
TomlDocument = dict[str, Any]


def read_table(text: str, path: Sequence[str]) -> TomlDocument | None:
    """Return the values of a table; None if there is none."""
    return _get_table(_parse(text), path)


def set_table(text: str, path: Sequence[str], values: Mapping[str, TomlValue]) -> str:
    """Return the text with a table that has these values; it may have more values and tables."""
    document = _parse(text)
    present = _get_table(document, path)
    if present is not None and all(present.get(key) == value for key, value in values.items()):
        return text
    wanted = copy.deepcopy(document)
    table = wanted
    for key in path:
        table = table.setdefault(key, {})
        _require(isinstance(table, dict), path)
    table.update(values)
    new = _append(text, path, values) if present is None else _replace(text, path, values)
    _require(_parse_or_none(new) == wanted, path)
    return new


def remove_table(text: str, path: Sequence[str]) -> str:
    """Return the text without a table, the tables below it, and the blank line before each."""
    document = _parse(text)
    if _get_table(document, path) is None:
        return text
    lines = _LINE.findall(text)
    for start, end in reversed(_find_blocks(lines, path, below=True)):
        gap = start > 0 and not lines[start - 1].strip()
        del lines[start - gap : end]
    new = "".join(lines)
    _require(_parse_or_none(new) in _list_without(document, path), path)
    return new


def _append(text: str, path: Sequence[str], values: Mapping[str, TomlValue]) -> str:
    """Add the table at the end, after a blank line."""
    newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    lines = [f"[{'.'.join(path)}]", *(_format_line(*each) for each in values.items())]
    end = newline if text and not text.endswith("\n") else ""
    gap = newline if text else ""
    return text + end + gap + "".join(line + newline for line in lines)


def _replace(text: str, path: Sequence[str], values: Mapping[str, TomlValue]) -> str:
    """Replace the lines of these values in the table, and add those that are missing."""
    lines = _LINE.findall(text)
    blocks = _find_blocks(lines, path, below=False)
    _require(len(blocks) == 1, path)
    (start, end), missing = blocks[0], dict(values)
    for at in range(start + 1, end):
        key = lines[at].partition("=")[0].strip()
        if key in missing:
            rest = lines[at][len(lines[at].rstrip("\r\n")) :]
            lines[at] = _format_line(key, missing.pop(key)) + rest
    newline = "\r\n" if lines[start].endswith("\r\n") else "\n"
    lines[start + 1 : start + 1] = [
        _format_line(key, value) + newline for key, value in missing.items()
    ]
    return "".join(lines)


def _find_blocks(
    lines: Sequence[str], path: Sequence[str], *, below: bool
) -> list[tuple[int, int]]:
    """Return the first and the last line (exclusive) of a table, and of the tables below it.

    Comments and blank lines at the end belong to what follows.
    """
    names = r"[ \t]*\.[ \t]*".join(f"""(?:{k}|"{k}"|'{k}')""" for k in map(re.escape, path))
    more = r"(?:[ \t]*\.[^\]\n]*)?" if below else ""
    own = re.compile(rf"[ \t]*\[[ \t]*{names}[ \t]*{more}\][ \t]*(?:#.*)?\r?\n?\Z")
    heads = [at for at, line in enumerate(lines) if _HEADER.match(line)] + [len(lines)]
    blocks = []
    for start, end in pairwise(heads):
        if own.match(lines[start]):
            while _BLANK_OR_COMMENT.match(lines[end - 1]):
                end -= 1  # noqa: PLW2901 - the end moves up
            blocks.append((start, end))
    return blocks


def _list_without(document: TomlDocument, path: Sequence[str]) -> list[TomlDocument]:
    """Return the document without a table; without its parents, too, where these become empty."""
    found = []
    for depth in range(len(path), 0, -1):
        document = copy.deepcopy(document)
        table = document
        for key in path[: depth - 1]:
            table = table[key]
        del table[path[depth - 1]]
        found.append(document)
        if table:
            break
    return found


def _format_line(key: str, value: TomlValue) -> str:
    """Return `key = value`; the strings of JSON are strings of TOML."""
    return f"{key} = {json.dumps(value, ensure_ascii=False)}"


def _get_table(document: TomlDocument, path: Sequence[str]) -> TomlDocument | None:
    table: Any = document
    for key in path:
        table = table.get(key) if isinstance(table, dict) else None
    return table if isinstance(table, dict) else None


def _parse(text: str) -> TomlDocument:
    if len(text) > MAX_CHARACTERS:
        raise Unreadable(
            f"the file is too large: over {MAX_CHARACTERS} characters", hint="edit it by hand"
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Unreadable(f"not TOML: {error}", hint="fix it by hand; nothing was changed") from None
    except RecursionError:
        raise Unreadable("not TOML: nested too deeply", hint="edit it by hand") from None


def _parse_or_none(text: str) -> TomlDocument | None:
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return None


def _require(condition: bool, path: Sequence[str]) -> None:
    if not condition:
        raise Refused(
            f"the table `{'.'.join(path)}` is written in a way that cannot be edited safely",
            hint=f"write it as `[{'.'.join(path)}]` on a line of its own, or edit it by hand",
        )
