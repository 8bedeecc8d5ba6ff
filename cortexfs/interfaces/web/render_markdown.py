"""Markdown as HTML that cannot do anything: rendered without raw HTML, then cleaned."""

from __future__ import annotations

import re
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token
from markupsafe import Markup

from cortexfs.core.find.extract_links import normalize_wiki_name
from cortexfs.core.markdown.resolve_relative_path import resolve_relative_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_INLINE_TAGS = ("a", "br", "code", "del", "em", "s", "strong")
_BLOCK_TAGS = ("blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul")
_TABLE_TAGS = ("table", "tbody", "td", "th", "thead", "tr")
TAGS = frozenset((*_INLINE_TAGS, *_BLOCK_TAGS, *_TABLE_TAGS))
"""The tags that are left: no image, which would tell a stranger that the note was read."""
ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
SCHEMES = {"http", "https", "mailto"}
MAX_CACHED = 256
_BOXES = {"[ ] ": "☐", "[x] ": "☑", "[X] ": "☑"}
_REF = re.compile(r"(?<![\w/.-])(?:[a-z0-9][a-z0-9._-]*/)?[A-Z][A-Z0-9]*-\d{3,}[a-z]?(?![\w-])")


_WIKI = re.compile(r"\[\[([^\[\]|#\n]+)(?:#[^\[\]|\n]*)?(?:\|([^\[\]\n]+))?\]\]")
_NO_NAMES: Mapping[str, str] = MappingProxyType({})


def render_markdown(
    text: str, path: str, refs: frozenset[str], names: Mapping[str, str] = _NO_NAMES
) -> Markup:
    """Return the HTML of a text at a path; `refs` are the atoms that become links.

    A short ref means an atom of the project of the path. `names` are those that a wiki link may
    use, normalized, each with its ref.
    """
    known = frozenset(names.items())
    return Markup(_render(text, path, refs, known))  # noqa: S704 - cleaned by nh3


@lru_cache(MAX_CACHED)
def _render(text: str, path: str, refs: frozenset[str], names: frozenset[tuple[str, str]]) -> str:
    known = dict(names)
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False})
    parser.enable(["table", "strikethrough"])
    tokens = parser.parse(text)
    for number, token in enumerate(tokens):
        if token.type in {"heading_open", "heading_close"}:  # the page has the first two levels
            token.tag = f"h{min(6, int(token.tag[1]) + 1)}"
        if token.type == "inline" and _is_item_text(tokens, number):
            _draw_task_box(token)
        if token.children:
            token.children = list(_link_refs(token.children, path, refs, known))
    html = parser.renderer.render(tokens, parser.options, {})
    return nh3.clean(
        html,
        tags=set(TAGS),
        attributes=ATTRIBUTES,
        url_schemes=SCHEMES,
        link_rel="noopener noreferrer",
    )


def _is_item_text(tokens: list[Token], number: int) -> bool:
    return number > 1 and tokens[number - 2].type == "list_item_open"


def _draw_task_box(token: Token) -> None:
    """Replace the brackets of a task, `[x]`, by a box."""
    first = token.children[0] if token.children else None
    if first and (box := _BOXES.get(first.content[:4])):
        first.content = f"{box} {first.content[4:]}"


def _link_refs(
    tokens: list[Token], path: str, refs: frozenset[str], names: Mapping[str, str]
) -> Iterator[Token]:
    """Yield inline tokens in which refs are links, and links to files lead to their pages."""
    depth = 0
    for token in tokens:
        depth += token.nesting if token.type.startswith("link_") else 0
        if token.type == "link_open":
            href = _resolve_href(str(token.attrs.get("href", "")), path)
            token.attrs = {"href": href} if href else {}
        if token.type == "text" and not depth:
            yield from _split_text(token.content, path, refs, names)
        else:
            yield token


def _resolve_href(href: str, path: str) -> str:
    """Return where a link leads, if anywhere: a file of the tree is shown by the panel."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return ""
    if parts.scheme or (not parts.netloc and not parts.path):
        return href
    if parts.netloc:
        return ""
    target = resolve_relative_path(path.rpartition("/")[0], unquote(parts.path))
    return f"/files/{quote(target)}" if target else ""


def _split_text(
    text: str, path: str, refs: frozenset[str], names: Mapping[str, str]
) -> Iterator[Token]:
    """Yield a text with its wiki links and its refs as links."""
    start = 0
    for found in _WIKI.finditer(text):
        if ref := names.get(normalize_wiki_name(found[1])):
            yield from _split_refs(text[start : found.start()], path, refs)
            yield from _make_link(ref, found[2] or found[1])
            start = found.end()
    yield from _split_refs(text[start:], path, refs)


def _split_refs(text: str, path: str, refs: frozenset[str]) -> Iterator[Token]:
    steps = path.split("/")
    project = steps[1] if steps[0] == "projects" and len(steps) > 1 else ""
    start = 0
    for found in _REF.finditer(text):
        candidates = (f"{project}/{found[0]}" if project else "", found[0])
        ref = next((each for each in candidates if each in refs), None)
        if ref:
            yield _make_text(text[start : found.start()])
            yield from _make_link(ref, found[0])
            start = found.end()
    yield _make_text(text[start:])


def _make_link(ref: str, shown: str) -> Iterator[Token]:
    yield Token("link_open", "a", 1, attrs={"href": f"/atom/{quote(ref)}"})
    yield _make_text(shown)
    yield Token("link_close", "a", -1)


def _make_text(content: str) -> Token:
    return Token("text", "", 0, content=content)
