"""Ugly but legal files, and illegal ones: what people, editors and merges leave in a tree."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BEFORE = {"@R": "1", "@L": "2026-03-01T00:00:00.000Z"}
AFTER = {"@R": "5", "@L": "2026-04-02T03:12:25.000Z"}

HEAD = "---\nid: @ID\ndate: 2026-03-01\nproject: ugly\n"
TAIL = "summary: plain\ntags: [a]\n"
COUNTED = "refs: @R\nlast-ref: @L\n"
BODY = """
## Background
## Execution
## Results
## Conclusion
## Reflection
"""
END = f"---\n{BODY}"

LEGAL = {
    "plain": HEAD + TAIL + COUNTED + END,
    "block list": HEAD + "summary: plain\ntags:\n  - a\n  - b # why\n\n" + COUNTED + END,
    "list at the margin": HEAD + "summary: plain\n" + COUNTED + "tags:\n- a\n- b\n" + END,
    "list over several lines": HEAD + "summary: s\ntags: [a,\n  b,\n  c]\n" + COUNTED + END,
    "comments": HEAD
    + "# by hand\n"
    + TAIL
    + "refs: @R   # counted by hand\n  # deeper\nlast-ref: @L # then\n# last\n"
    + END,
    "folded": HEAD + "summary: >-\n  folded over\n  two lines\ntags: [a]\n" + COUNTED + END,
    "literal with a trap": HEAD + TAIL + "note: |\n  refs: 7\n  last-ref: 8\n\n" + COUNTED + END,
    "nested trap": HEAD
    + TAIL
    + "source: {refs: 7, last-ref: 8}\nmore:\n  refs: 7\n"
    + COUNTED
    + END,
    "body trap": HEAD + TAIL + COUNTED + END + "\nrefs: 9\nlast-ref: 9\n\n---\n\nrefs: 9\n---\n",
    "single quotes": HEAD + "summary: 'it''s'\ntags: ['a']\nrefs: '@R'\nlast-ref: '@L'\n" + END,
    "double quotes": HEAD + 'summary: "a \\" b"\ntags: ["a"]\nrefs: "@R"\nlast-ref: "@L"\n' + END,
    "backslashes, and commas in quotes": HEAD
    + 'summary: "a \\\\ b \\t c"\ntags: ["x, y", z]\n'
    + COUNTED
    + END,
    "quoted keys": HEAD + TAIL + "\"refs\": @R\n'last-ref': @L\n" + END,
    "words that are no words": HEAD
    + "summary: no\ntags: [yes, 08, 12:30, 1.10, ~]\n"
    + COUNTED
    + END,
    "summary of figures": HEAD + "summary: 12:30\ntags: [0o7, null, on]\n" + COUNTED + END,
    "blanks": HEAD + "summary:    plain   \ntags: [ a ]\nrefs:   @R   \nlast-ref: @L\t\n" + END,
    "blank lines": HEAD + "\n\n" + TAIL + "\n" + COUNTED + "\n\n" + END,
    "wide fences": f"---  \n{(HEAD + TAIL + COUNTED)[4:]}---\t\n{BODY}",
    "nothing after the fence": (HEAD + TAIL + COUNTED + "---"),
    "no final newline": (HEAD + TAIL + COUNTED + END).rstrip("\n"),
    "tabs in values": HEAD + "summary: a\tb\ntags: [a]\nrefs:\t@R\nlast-ref: @L\n" + END,
    "emoji": HEAD + "summary: 🎛 ünïcode 漢字 👩‍🔬\ntags: [ключ, 鍵]\n" + COUNTED + END,
    "300 characters": HEAD + f"summary: '{'a|`[b]' * 50}'\ntags: [a]\n" + COUNTED + END,
    "refs first": f"---\nrefs: @R\nlast-ref: @L\n{(HEAD + TAIL)[4:]}{END}",
    "keys unknown": HEAD
    + TAIL
    + "colour: [red, {deep: [er]}]\nключ: 1\nyes sir: 2\n"
    + COUNTED
    + END,
    "crlf": (HEAD + TAIL + COUNTED + END).replace("\n", "\r\n"),
    "bom": "\ufeff" + HEAD + TAIL + COUNTED + END,
    "bom and crlf": ("\ufeff" + HEAD + TAIL + COUNTED + END).replace("\n", "\r\n"),
    "mixed line ends": HEAD + TAIL + "refs: @R\r\nlast-ref: @L\n" + END + "one\r\ntwo\rthree\n",
    "no count": HEAD + TAIL + END,
    "no count, crlf": (HEAD + "summary:   kept  \ntags: [a]\n" + END).replace("\n", "\r\n"),
}


def legal(name: str, ident: str, values: dict[str, str]) -> bytes:
    """Give a legal file with one or the other values in its two entries."""
    text = LEGAL[name].replace("@ID", ident)
    for mark, value in values.items():
        text = text.replace(mark, value)
    return text.encode()


class Illegal(NamedTuple):
    """A file that cannot be read, by what puts it there; the finding that must tell of it."""

    plant: Callable[[Path], object]
    code: str
    line: int = 1


def _text(text: str | bytes) -> Callable[[Path], object]:
    content = text.encode() if isinstance(text, str) else text
    return lambda path: path.write_bytes(content)


def _folder(path: Path) -> None:
    path.mkdir()
    (path / "kept").write_text("so that git keeps it")


def _link_out(path: Path) -> None:
    outside = path.parents[4] / "secret.md"
    outside.write_text("---\nid: EXP-900\nsummary: SECRET\n---\n")
    path.symlink_to(outside)


def _closed(path: Path) -> None:
    path.write_text(BAD + END)
    path.chmod(0)


BAD = HEAD.replace("@ID", "EXP-000")
LINES = "x: &x0 [a, a]\n" + "".join(f"x{n}: &x{n} [*x{n - 1}, *x{n - 1}]\n" for n in range(1, 30))

ILLEGAL = {
    "no fence": Illegal(_text("# EXP\n\nid: EXP-001\n"), "no-frontmatter"),
    "empty": Illegal(_text(""), "no-frontmatter"),
    "unclosed fence": Illegal(_text(BAD + TAIL), "unclosed-frontmatter"),
    "broken YAML": Illegal(_text(BAD + "tags: [a\nsummary: x\n" + END), "bad-yaml", 6),
    "a tab as indent": Illegal(_text(BAD + "tags:\n\t- a\n" + END), "bad-yaml", 6),
    "duplicate keys": Illegal(_text(BAD + TAIL + "id: EXP-002\n" + END), "duplicate-key", 7),
    "a list": Illegal(_text("---\n- id\n- EXP-001\n" + END), "not-a-mapping", 2),
    "deep nesting": Illegal(
        _text(BAD + f"x: {'[' * 30_000}{']' * 30_000}\n" + END), "frontmatter-too-deep", 5
    ),
    "50,000 brackets": Illegal(
        _text(BAD + f"x: {'[' * 50_000}\n" + END), "frontmatter-too-deep", 5
    ),
    "alias bomb": Illegal(_text(BAD + LINES + END), "yaml-feature", 5),
    "a tag": Illegal(_text(BAD + "x: !!python/name:os.system\n" + END), "yaml-feature", 5),
    "10 MB": Illegal(_text(BAD + f"x: {'y' * 10_000_000}\n" + END), "frontmatter-too-large"),
    "17 MB": Illegal(_text(BAD + END + "y" * 17_000_000), "file-too-large"),
    "binary": Illegal(_text(b"---\nid: \xff\xfe\x00\n---\n"), "not-utf8", 2),
    "a folder": Illegal(_folder, "not-a-file"),
    "a dangling link": Illegal(lambda path: path.symlink_to("nowhere.md"), "symlink"),
    "a link to itself": Illegal(lambda path: path.symlink_to(path.name), "symlink"),
    "a link out of the tree": Illegal(_link_out, "symlink"),
    "a link within the tree": Illegal(lambda path: path.symlink_to("EXP-001.md"), "symlink"),
    "a pipe": Illegal(os.mkfifo, "not-a-file"),
    "no permission": Illegal(_closed, "no-permission"),
}
