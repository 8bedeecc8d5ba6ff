"""Find every name of an atom or file in a text: its offsets, its form, and its target."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.find_cited_refs import find_ref_positions
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.markdown.fences import blank_code
from cortexfs.core.markdown.wiki_links import find_wiki_links
from cortexfs.core.renaming.links import find_link_targets, resolve_link_target

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from cortexfs.core.renaming.name_meanings import NameMeanings, RenamedPaths


_PATH = re.compile(r"(?<![\w./-])(?:[\w.-]{1,100}/){1,20}[\w.-]{0,99}[\w-]")


class NameForm(StrEnum):
    """The form of a name."""

    LINK = "link"
    WIKI = "wiki"
    PATH = "path"
    REF = "ref"


class NameInText(NamedTuple):
    """A name in a text, and the ref or path that it refers to; None if it refers to nothing."""

    start: int
    end: int
    form: NameForm
    target: str | None
    is_angled: bool = False


def find_names(
    text: str, path: str, meanings: NameMeanings, renamed: RenamedPaths
) -> list[NameInText]:
    """Return the names in the text of the file at a path, in order, without those in code.

    `renamed` are the paths that are recognized in prose.
    """
    project = project_from_path(path)
    remaining = blank_code(text)
    names: list[NameInText] = []
    finders: list[Callable[[str], Iterator[NameInText]]] = [
        lambda shown: _find_links(shown, path),
        lambda shown: _find_wiki_names(shown, project, meanings),
        lambda shown: _find_paths(shown, project, renamed),
        lambda shown: _find_refs(shown, project, meanings),
    ]
    for find in finders:  # what one has found, the next does not see
        found = list(find(remaining))
        remaining = _blank_names(remaining, found)
        names += found
    return sorted(names)


def _find_links(text: str, path: str) -> Iterator[NameInText]:
    for link in find_link_targets(text):
        target = _format_target(*resolve_link_target(link, path))
        yield NameInText(link.start, link.end, NameForm.LINK, target, link.angled)


def _find_wiki_names(text: str, project: str, meanings: NameMeanings) -> Iterator[NameInText]:
    for found in find_wiki_links(text):
        target = meanings.resolve_wiki_name(found["wiki"], project)
        yield NameInText(*found.span("wiki"), NameForm.WIKI, target)


def _find_paths(text: str, project: str, renamed: RenamedPaths) -> Iterator[NameInText]:
    for found in _PATH.finditer(text):
        if target := _find_renamed_path(found[0], project, renamed):
            yield NameInText(found.start(), found.end(), NameForm.PATH, target)


def _find_refs(text: str, project: str, meanings: NameMeanings) -> Iterator[NameInText]:
    for cited, start in find_ref_positions(text):
        project_part, _, ident = cited.rpartition("/")
        begin = start - len(project_part) - 1 if project_part else start
        target = meanings.resolve_ref(cited, project)
        yield NameInText(begin, start + len(ident), NameForm.REF, target)


def _format_target(ups: int, path: str) -> str:
    """Return the target of a link; a target outside of the tree begins with `../`."""
    return f"{'../' * ups}{path}"


def _find_renamed_path(token: str, project: str, renamed: RenamedPaths) -> str | None:
    """Return the renamed file of a path in prose, relative to the root or to its project."""
    if renamed.contains(token):
        return token
    below_project = f"projects/{project}/{token}"
    return below_project if project and below_project in renamed.files else None


def _blank_names(text: str, names: Iterable[NameInText]) -> str:
    """Return the text with names replaced by spaces, so that no part is found again as another."""
    parts, at = [], 0
    for name in sorted(names):
        parts += [text[at : name.start], " " * (name.end - name.start)]
        at = name.end
    return "".join([*parts, text[at:]])
