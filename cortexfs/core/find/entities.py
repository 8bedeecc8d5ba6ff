"""Extract entities from a text: files, URLs, packages, symbols and the like."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cortexfs.core.atoms.atom import Ref

ENTITY_SORTS = (
    *("file", "url", "package", "symbol", "endpoint", "variable", "version", "flag", "table"),
    "error",
)
"""The sorts of entities."""
MAX_ENTITY_CHARS = 200
"""Maximum characters of a name; longer ones are ignored."""
MAX_ENTITIES = 500
"""Maximum entities of one text, so that a pasted log does not fill the catalog."""

_NUMBER = r"[0-9]{1,6}(?:\.[0-9]{1,6})"
_VERSION = rf"(?:(?<=v){_NUMBER}{{1,3}}|{_NUMBER}{{2,3}})(?:[-+][0-9A-Za-z.-]{{1,40}})?"
_PACKAGE = r"@?[A-Za-z][\w.-]{0,80}(?:/[A-Za-z][\w.-]{0,80})?"
_INSTALLERS = "pip3?|uv|poetry|pdm|cargo|npm|yarn|pnpm|bun|apt|apt-get|brew|gem|go"
_PATH = r"(?:\.{0,2}/)?(?:[\w.@+-]{1,80}/){1,20}[\w.@+-]{0,80}\.[A-Za-z]\w{0,7}"
_SUFFIXES = (
    "py|pyi|mjs|ts|tsx|jsx|rs|go|c|h|cc|cpp|hpp|java|kt|rb|php|sh|sql|md|txt|toml|yaml|yml|json"
    "|jsonl|csv|html|css|lock|cfg|ini|proto|ipynb"
)
_GO_HOSTS = r"(?:github|gitlab)\.com|bitbucket\.org|golang\.org|gopkg\.in|go\.uber\.org|k8s\.io"
_PRODUCTS = (
    "Python|Node|Node\\.js|Go|Rust|Java|Ruby|PHP|PostgreSQL|Postgres|SQLite|TypeScript|version"
)
_ERROR_NUMBERS = (
    "ENOENT|EACCES|EPERM|EEXIST|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EADDRINUSE|ENOSPC|EMFILE|EPIPE"
    "|EAGAIN|EBUSY|EINVAL|ENOTFOUND|EISDIR|ENOTDIR|EIO|EROFS|EINTR|ENOMEM|EXDEV|ELOOP"
)
_NO_TABLE = "SELECT|WHERE|SET|VALUES|ONLY|IF|NOT|EXISTS|LATERAL"
_RULES = (
    # the sort, texts of which a match contains at least one, the pattern
    ("url", ("/",), r"\bhttps?://[^\s<>\"'`|)\]]{3,}"),
    ("endpoint", ("/",), r"\b((?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+/[\w./:{}<>*-]*)"),
    (
        "package",
        (" install ", " add ", " get ", " i "),
        rf"\b(?:{_INSTALLERS}) +(?:install|add|get|i) +((?:-[\w-]+ +)*{_PACKAGE}(?: +{_PACKAGE})*)",
    ),
    ("package", ("=", "@"), rf"(?<![\w/.@-])({_PACKAGE})(?:==|~=|>=|@\^?)(?=v?{_NUMBER})"),
    ("package", ("import ",), r"^\s*from\s+([A-Za-z_]\w{1,60})(?:\.\w+)*\s+import\b"),
    ("package", ("import ",), r"^\s*import\s+([A-Za-z_]\w{1,60})(?:\.\w+)*(?:\s+as\s+\w+)?\s*$"),
    ("package", ("@",), r"(?<![\w/.@-])(@[a-z0-9][\w.-]{0,80}/[a-z0-9][\w-]{0,80})"),
    (
        "package",
        (".com/", ".org/", ".in/", ".io/"),
        rf"(?<![\w/.:@-])((?:{_GO_HOSTS})(?:/[\w~-](?:[\w.~-]{{0,80}}[\w~-])?){{1,5}})",
    ),
    ("version", (".",), rf"\b(?:{_PRODUCTS}) v?({_NUMBER})(?![\w.]*\w)"),
    ("version", (".",), rf"(?:(?<=[\s(`=@,])|^)v?({_VERSION})(?=[\s),;:`]|\.?$|\.\s)"),
    (
        "file",
        (".",),
        rf"(?<![\w/.:@-])({_PATH}|[\w+-]{{1,80}}\.(?:{_SUFFIXES}))(?=$|[\s:#`),;\]]|\.(?:\s|$))",
    ),
    (
        "variable",
        ("_", "$"),
        r"(?<![\w$])\$\{?([A-Z][A-Z0-9_]{1,60})\b|\b([A-Z][A-Z0-9]*_[A-Z0-9_]{1,60})\b",
    ),
    ("flag", ("-",), r"(?:(?<=[\s`'\"(\[|])|^)(--[A-Za-z][\w-]{1,60}|-[A-Za-z](?=[\s`,)\]|]|$))"),
    (
        "table",
        ("FROM ", "JOIN ", "INTO ", "TABLE ", "UPDATE "),
        (
            r"\b(?:FROM|JOIN|INTO|TABLE(?: IF(?: NOT)? EXISTS)?"
            r"|UPDATE(?=\s+[\w.\"`]+\s+(?:SET|set)\b))"
            rf"\s+[\"`]?(?!(?:{_NO_TABLE})\b)([A-Za-z_][\w.]{{0,80}}\w)(?![\w./:@-]*[/:@])"
        ),
    ),
    (
        "error",
        ("Error", "Exception", "E"),
        (
            r"\b([A-Z]\w{0,60}(?:Error|Exception)|E[0-9]{4}(?=\])"
            rf"|ERR_[A-Z0-9_]{{2,60}}|{_ERROR_NUMBERS})\b"
        ),
    ),
    (
        "symbol",
        ("func ", "type ", "class ", "function ", "def ", "const ", "var "),
        (
            r"\b(?:func(?: \([^()\n]{1,60}\))?|type|class|function|def|const|var) +"
            r"(?:([A-Z]\w+)|([A-Za-z_]\w+)(?= ?[({\[=<:]))()"
        ),
    ),
    ("symbol", ("`",), r"`([A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)*)(\(\))?[^`\n]{0,80}?`"),
)
_SYMBOL_NAME = re.compile(r"[a-z][A-Z]|_|\.|::|->")


ENTITY_ORDERS = ("atoms", "name", "type")
"""The orders of a list of entities."""


class EntityFilter(NamedTuple):
    """Which entities are listed: a part of their name, their sort (empty: any), and the order."""

    text: str = ""
    sort: str = ""
    order: str = ENTITY_ORDERS[0]
    descending: bool = True


class EntityCount(NamedTuple):
    """One entity, and the number of atoms that name it."""

    sort: str
    name: str
    atoms: int


class Mention(NamedTuple):
    """One atom that names an entity, and the line of the first mention."""

    sort: str
    name: str
    ref: Ref
    path: str
    line: int
    status: str
    summary: str


class _Rule(NamedTuple):
    sort: str
    required_texts: frozenset[str]
    first_letters: frozenset[str]
    """Letters of which a line has at least one if the rule matches."""
    pattern: re.Pattern[str]


@cache
def _rules() -> tuple[_Rule, ...]:
    """Return the rules, compiled on first use: at import, every command would pay for it."""
    return tuple(
        _Rule(sort, frozenset(needs), frozenset(need[0] for need in needs), re.compile(rule))
        for sort, needs, rule in _RULES
    )


class Entity(NamedTuple):
    """One entity in a text, and the line of its first mention, from 1."""

    sort: str
    name: str
    line: int


def find_entities(text: str) -> list[Entity]:
    """Return the entities of a text in line order, each once per sort."""
    first: dict[tuple[str, str], int] = {}
    rules = _choose_rules(text)
    if not rules:
        return []
    has_first_letter = _compile_letters(frozenset().union(*(rule.first_letters for rule in rules)))
    for number, line in enumerate(text.split("\n"), start=1):
        if not has_first_letter(line):
            continue
        for sort, name in _match_rules(line[: 10 * MAX_ENTITY_CHARS], rules):
            if 1 < len(name) <= MAX_ENTITY_CHARS and len(first) < MAX_ENTITIES:
                first.setdefault((sort, name), number)
    return [Entity(sort, name, line) for (sort, name), line in first.items()]


def _choose_rules(text: str) -> list[_Rule]:
    """Return the rules that may match in a text. A single letter is searched fastest."""
    found = {need for need in _list_required_texts() if need[0] in text and need in text}
    if not found:
        return []
    return [rule for rule in _rules() if not rule.required_texts.isdisjoint(found)]


@cache
def _list_required_texts() -> tuple[str, ...]:
    return tuple(dict.fromkeys(need for _, needs, _ in _RULES for need in needs))


@lru_cache(maxsize=64)
def _compile_letters(letters: frozenset[str]) -> Callable[[str], re.Match[str] | None]:
    """Return a function that finds the first of some letters in a text."""
    return re.compile(f"[{re.escape(''.join(sorted(letters)))}]").search


def _match_rules(line: str, rules: Iterable[_Rule]) -> Iterator[tuple[str, str]]:
    """Yield sort and name of the entities in one line; matches do not overlap."""
    taken = bytearray(len(line))
    letters = set(line)
    for rule in rules:
        if rule.first_letters.isdisjoint(letters):
            continue
        for found in rule.pattern.finditer(line):
            span = slice(*found.span())
            if any(taken[span]):
                continue
            names = list(_extract_names(rule.sort, found))
            if names and rule.sort in {"url", "file", "endpoint"}:
                taken[span] = b"\1" * len(found[0])
            yield from ((rule.sort, name) for name in names)


def _extract_names(sort: str, found: re.Match[str]) -> Iterator[str]:
    name = next((group for group in found.groups() if group), found[0])
    match sort:
        case "url":
            yield name.rstrip(".,;:!?*_")
        case "package":
            yield from (word for word in name.split() if not word.startswith("-"))
        case "endpoint":
            yield " ".join(name.split())
        case "symbol":
            if found[0][0] != "`" or found[2] or _SYMBOL_NAME.search(name):
                yield name
        case _:
            yield name
