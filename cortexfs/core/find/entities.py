"""What a text names of the world outside: files, URLs, packages, symbols and the like."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

SORTS = ("file", "url", "package", "symbol", "endpoint", "variable", "version")
"""What sorts of entity there are."""
LONGEST = 200
"""Characters of a name; what is longer names nothing that anybody would look for."""
MOST = 500
"""Entities of one text: a log that somebody pasted is not to fill the catalog."""

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,6})"
_VERSION = rf"(?:v{_NUMBER}{{1,3}}|{_NUMBER}{{2,3}})(?:[-+][0-9A-Za-z.-]{{1,40}})?"
_PACKAGE = r"@?[A-Za-z][\w.-]{0,80}(?:/[A-Za-z][\w.-]{0,80})?"
_INSTALLERS = "pip3?|uv|poetry|pdm|cargo|npm|yarn|pnpm|bun|apt|apt-get|brew|gem|go"
_PATH = r"(?:\.{0,2}/)?(?:[\w.@+-]{1,80}/){1,20}[\w.@+-]{0,80}\.[A-Za-z]\w{0,7}"
_SUFFIXES = (
    "py|pyi|mjs|ts|tsx|jsx|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|sh|sql|md|txt|toml|yaml|yml|json"
    "|jsonl|csv|html|css|lock|cfg|ini|proto|ipynb"
)
_RULES = (
    # the sort, letters of which a line has one where the rule can fit ("": any line), the rule
    ("url", "/", r"\bhttps?://[^\s<>\"'`|)\]]{3,}"),
    ("endpoint", "/", r"\b((?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+/[\w./:{}<>*-]*)"),
    (
        "package",
        "",
        rf"\b(?:{_INSTALLERS})\s+(?:install|add|get|i)\s+((?:-[\w-]+\s+)*{_PACKAGE}(?:\s+{_PACKAGE})*)",
    ),
    ("package", "=@", rf"(?<![\w/.@-])({_PACKAGE})(?:==|~=|>=|@\^?)(?=v?{_NUMBER})"),
    ("package", "m", r"^\s*from\s+([A-Za-z_]\w{1,60})(?:\.\w+)*\s+import\b"),
    ("package", "m", r"^\s*import\s+([A-Za-z_]\w{1,60})(?:\.\w+)*(?:\s+as\s+\w+)?\s*$"),
    ("version", ".", rf"(?:(?<=[\s(`=@,])|^)({_VERSION})(?=[\s),;:`]|\.?$|\.\s)"),
    (
        "file",
        ".",
        rf"(?<![\w/.:@-])({_PATH}|[\w+-]{{1,80}}\.(?:{_SUFFIXES}))(?=$|[\s:#`),;\]]|\.(?:\s|$))",
    ),
    (
        "variable",
        "_$",
        r"(?<![\w$])\$\{?([A-Z][A-Z0-9_]{1,60})\b|\b([A-Z][A-Z0-9]*_[A-Z0-9_]{1,60})\b",
    ),
    ("symbol", "`", r"`([A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*)(\(\))?[^`\n]{0,80}?`"),
)
_NAMED = re.compile(r"[a-z][A-Z]|_|\.|::|->")


@cache
def _rules() -> tuple[tuple[str, frozenset[str], re.Pattern[str]], ...]:
    """Compile when a text is read: at import every command would pay for it."""
    return tuple((sort, frozenset(some), re.compile(rule)) for sort, some, rule in _RULES)


class Entity(NamedTuple):
    """One thing that is named, and the first line on which it is; lines count from 1."""

    sort: str
    name: str
    line: int


def entities(text: str) -> list[Entity]:
    """Find what a text names, each once for its sort, in the order of the lines."""
    first: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        for sort, name in _of(line[: 10 * LONGEST]):
            if 1 < len(name) <= LONGEST and len(first) < MOST:
                first.setdefault((sort, name), number)
    return [Entity(sort, name, line) for (sort, name), line in first.items()]


def _of(line: str) -> Iterator[tuple[str, str]]:
    """Find what one line names; a part that is one thing is not another as well."""
    taken: list[tuple[int, int]] = []
    letters = set(line)
    for sort, some, rule in _rules():
        if some and some.isdisjoint(letters):
            continue
        for found in rule.finditer(line):
            if any(found.start() < end and begin < found.end() for begin, end in taken):
                continue
            names = list(_names(sort, found))
            if names and sort in {"url", "file", "endpoint"}:
                taken.append(found.span())
            yield from ((sort, name) for name in names)


def _names(sort: str, found: re.Match[str]) -> Iterator[str]:
    said = next((group for group in found.groups() if group), found[0])
    match sort:
        case "url":
            yield said.rstrip(".,;:!?*_")
        case "package":
            yield from (word for word in said.split() if not word.startswith("-"))
        case "endpoint":
            yield " ".join(said.split())
        case "symbol":
            if found[2] or _NAMED.search(said):
                yield said
        case _:
            yield said
