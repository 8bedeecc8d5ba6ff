"""Texts of one megabyte, and more, that no person writes: what a parser can stumble over."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

MEGABYTE = 1_000_000

UNITS: Mapping[str, str] = {
    # one character
    "blanks": " ",
    "tabs": "\t",
    "newlines": "\n",
    "crlf": "\r\n",
    "returns": "\r",
    "no-break blanks": "\u00a0",
    "line separators": "\u2028",
    "letters": "a",
    "capitals": "A",
    "mixed letters": "aB",
    "digits": "0",
    "dates": "2026-01-01",
    "decimals": "1.",
    "thousands": "1,000,",
    "underscores": "_",
    "stars": "*",
    "hashes": "#",
    "dashes": "-",
    "pluses": "+",
    "bars": "|",
    "escaped bars": "\\|",
    "colons": ":",
    "semicolons": ";",
    "commas": ",",
    "dots": ".",
    "slashes": "/",
    "dots and slashes": "../",
    "backslashes": "\\",
    "backticks": "`",
    "tildes": "~",
    "quotes": '"',
    "apostrophes": "'",
    "equals": "=",
    "dollars": "$",
    "ampersands": "&",
    "percents": "%",
    "question marks": "?",
    "exclamations": "!",
    "at signs": "@",
    "opening brackets": "[",
    "closing brackets": "]",
    "opening parentheses": "(",
    "closing parentheses": ")",
    "opening braces": "{",
    "closing braces": "}",
    "opening angles": "<",
    "closing angles": ">",
    "combining marks": "\u0301",
    "Han": "\u4e2d",
    "Hangul": "\ud55c",
    "Thai": "\u0e01\u0e34",
    "emoji": "\U0001f600",
    "joined emoji": "\U0001f468\u200d",
    "right-to-left marks": "\u202e",
    "invisible": "\u200b",
    "byte order marks": "\ufeff",
    "NULs": "\0",
    "escapes": "\x1b[31m",
    "ligatures": "\ufdfa",
    # pieces of Markdown and YAML
    "wiki links open": "[[",
    "wiki links": "[[a]]",
    "links open": "](",
    "links": "[a](b)",
    "nested links": "[a](",
    "references": "[a]: b\n",
    "comments open": "<!--",
    "comments close": "-->",
    "comments": "<!-- a -->",
    "comment lines": "<!--\n",
    "tags": "<a>",
    "fences in a line": "``` ",
    "fences": "```\n",
    "tilde fences": "~~~\n",
    "alternate fences": "```\n~~~~\n",
    "growing marks": "~~~ a\n``` b\n",
    "code": "`a`",
    "open code": "`a ",
    "boxes": "- [ ] ",
    "box lines": "- [ ] a\n",
    "done lines": "- [x] a [id: 0000]\n",
    "bullets": "- a\n",
    "bare bullets": "- ",
    "deep bullets": "- - - a\n",
    "numbers": "1. a\n",
    "bold": "**",
    "bold words": "**a** ",
    "bold lines": "- **a** (2026-01-01)\n",
    "headings": "# a\n",
    "second headings": "## a\n",
    "dated headings": "## a (2026-01-01)\n",
    "deep headings": "###### a\n",
    "rules": "---\n",
    "rows": "| a | b |\n",
    "rule rows": "|---|---|\n",
    "quotes within quotes": "> ",
    "quoted lines": "> a\n",
    "placeholders": "{{a}} ",
    "placeholders open": "{{",
    "key lines": "a: b\n",
    "same key": "updated: ",
    "yaml lists": "- - ",
    "yaml brackets": "[a, ",
    "yaml braces": "{a: ",
    "yaml anchors": "&a ",
    "yaml aliases": "*a ",
    "markers": "<<<<<<< \n",
    "time lines": "> Last updated: \n",
    "last scans": "last scan ",
    "process defects": "process defects\n",
    # what cortexfs looks for
    "refs": "EXP-001 ",
    "other refs": "a/EXP-001-",
    "half refs": "EXP-",
    "letters and digits": "A0",
    "citations": "src/a.py:1 ",
    "sums": "src/a.py:1#abcdef ",
    "half citations": "a.b:1",
    "paths": "a/b.c ",
    "long paths": "a/",
    "long names": "a.b.",
    "hyphens": "a-",
    "urls": "http://a.b/c ",
    "half urls": "http://",
    "passwords": "://a:bcd@",
    "base64": "QUJDREVGR0hJSktMTU5PUA",
    "hexadecimal": "0a1b2c3d4e5f6789",
    "keys of AWS": "AKIAABCDEFGHI ",
    "words of AWS": "aws ",
    "private keys": "-----BEGIN PRIVATE KEY-----\n",
    "web tokens": "eyJ",
    "npm tokens": "//a",
    "amounts": "1 ms ",
    "amounts of a whole": "1 of 2 ",
    "sums of money": "1.5 = 2 * 3 ",
    "names before numbers": "A 1.5 ",
    "word-number": "v1.2.3-",
    "versions": "1.2.3 ",
    "packages": "pip install a ",
    "package names": "a a ",
    "imports": "import a.",
    "endpoints": "GET /a ",
    "variables": "$A_",
    "symbols": "`a.b` ",
    "calls": "a::b->",
    "was superseded": "is a superseded ",
    "supersedes": "supersedes ",
    "not": "not ",
    "sentences": "A b. ",
    "lines": "a b\n",
    "words": "a ",
    "long words": "abcdefghijklmnopqrstuvwxyz" * 8 + " ",
    "conflicting": "challenged:EXP-001",
    "JSON objects": '{"a":',
    "JSON lists": "[1,",
    "log lines": '{"file":"EXP-001.md","tool":"Read","ts":"2026-01-01T00:00:00Z"}\n',
    "broken log lines": '{"file":"\n',
    "phrases": '-"a" ',
    "filters": "tag:a ",
}
"""One piece each, that is repeated."""


def repeated(unit: str, size: int = MEGABYTE) -> str:
    """Give a piece as often as it fits into so many bytes, but once at least."""
    return unit * max(1, size // len(unit.encode()))


def wrapped(unit: str, size: int = MEGABYTE) -> str:
    """Give the same in lines of a hundred characters: what ends at a line must begin again."""
    line = (unit.replace("\n", " ") * 100)[:100]
    return repeated(f"{line}\n", size)


def numbered(unit: str, size: int = MEGABYTE) -> str:
    """Give a piece with a number after it, each another one: what is remembered grows."""
    count = max(1, size // (len(unit.encode()) + 7))
    return "".join(f"{unit}{number:06} " for number in range(count))


def headed(unit: str, size: int = MEGABYTE) -> str:
    """Give a line of letters in front of a piece that never ends."""
    return f"a {repeated(unit, size)}"


def ended(unit: str, size: int = MEGABYTE) -> str:
    """Give a piece that is followed by what it cannot be followed by."""
    return f"{repeated(unit, size)}\u00a7x"


FORMS = {
    "repeated": repeated,
    "wrapped": wrapped,
    "numbered": numbered,
    "headed": headed,
    "ended": ended,
}
"""How a piece fills a text."""
