"""Find broken links in a text: to a file that does not exist, or to an unknown title."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.find.extract_links import normalize_wiki_name
from cortexfs.core.find.tokenize import is_folded_ref
from cortexfs.core.markdown.fences import blank_code_and_comments
from cortexfs.core.markdown.wiki_links import WIKI_LINK_PATTERN
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

MAX_LINKS = 1000
"""Maximum links checked in one text."""
_CODE = re.compile(r"(`{1,3})[^`\n]+\1")
_LINK = re.compile(
    r"\]\((?:<(?P<quoted>[^<>\n]{1,500})>|(?P<plain>[^()\s<>]{1,500}))(?:[ \t]+[\"'][^()\n]*)?\)"
    rf"|{WIKI_LINK_PATTERN}"
)
_EXTERNAL_TARGET = re.compile(r"[a-z][a-z0-9+.-]*:|/|#|\?|\{", re.IGNORECASE)
"""The beginning of a target that is not a path relative to its file."""
_NON_MARKDOWN_FILE = re.compile(r"\.(?!md$)[a-z][a-z0-9]{1,4}$")
"""The end of a wiki link to an image or another file outside the tree."""


class LinkTarget(NamedTuple):
    """The target of a link, as written, and its line; `is_wiki` for `[[Title]]`."""

    target: str
    is_wiki: bool
    line: int


def parse_link_targets(text: str) -> tuple[LinkTarget, ...]:
    """Return the relative Markdown links and the wiki links of a text, outside of code."""
    if "](" not in text and "[[" not in text:
        return ()
    return tuple(islice(_find_targets(text), MAX_LINKS))


def find_broken_links(
    path: str,
    targets: Iterable[LinkTarget],
    exists: Callable[[str], bool],
    is_title: Callable[[str], bool],
) -> Iterator[Flaw]:
    """Yield a flaw for each broken link; links out of the tree are not checked."""
    folder = path.rpartition("/")[0]
    for target, is_wiki, line in targets:
        if is_wiki:
            name = normalize_wiki_name(target)
            if not (is_title(name) or is_title(name.rpartition("/")[2])):
                yield Flaw("broken-link", f"no file has the title `{to_one_line(target)}`", line)
        elif (file := _resolve_path(folder, target)) and not exists(file):
            yield Flaw("broken-link", f"`{to_one_line(target)}` does not exist", line)


def _find_targets(text: str) -> Iterator[LinkTarget]:
    visible = _CODE.sub(lambda code: " " * len(code[0]), blank_code_and_comments(text))
    line, counted = 1, 0
    for found in _LINK.finditer(visible):
        line, counted = line + visible.count("\n", counted, found.start()), found.start()
        if wiki := found["wiki"]:
            name = normalize_wiki_name(wiki)
            if not is_folded_ref(name) and not _NON_MARKDOWN_FILE.search(name):
                yield LinkTarget(wiki, is_wiki=True, line=line)
        else:
            target = found["quoted"] or found["plain"]
            if not _EXTERNAL_TARGET.match(target):
                path = _unquote(target.partition("#")[0].partition("?")[0])
                yield LinkTarget(path, is_wiki=False, line=line)


def _unquote(path: str) -> str:
    if "%" not in path:
        return path
    from urllib.parse import unquote  # noqa: PLC0415 - few links need it, and the guard waits

    return unquote(path)


def _resolve_path(folder: str, target: str) -> str:
    """Return a folder joined with a relative path; empty for the root or outside the tree."""
    steps = folder.split("/") if folder else []
    for step in target.split("/"):
        if step == "..":
            if not steps:
                return ""
            steps.pop()
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)
