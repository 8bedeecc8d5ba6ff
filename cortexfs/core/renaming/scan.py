"""Find every name of an atom or file in a text: its offsets, its form, and its target."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.parse_atom import find_ref_positions
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.markdown.fences import blank_code
from cortexfs.core.renaming.links import leads_to, targets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.renaming.name_meanings import NameMeanings
    from cortexfs.core.renaming.renamed_paths import Renamed


_WIKI = re.compile(r"\[\[([^\[\]|#\n]{1,200})(?=[#|][^\[\]\n]*\]\]|\]\])")
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
    how: NameForm
    means: str | None
    is_angled: bool = False


def names_in(text: str, path: str, world: NameMeanings, renamed: Renamed) -> list[NameInText]:
    """Return the names in the text of the file at a path, in order, without those in code.

    `renamed` are the paths that are recognized in prose.
    """
    shown, project = blank_code(text), project_from_path(path)
    links = [
        NameInText(each.start, each.end, NameForm.LINK, _place(*leads_to(each, path)), each.angled)
        for each in targets(shown)
    ]
    shown = _without(shown, links)
    wiki = [
        NameInText(found.start(1), found.end(1), NameForm.WIKI, world.wiki_means(found[1], project))
        for found in _WIKI.finditer(shown)
    ]
    shown = _without(shown, wiki)
    paths = [
        NameInText(found.start(), found.end(), NameForm.PATH, there)
        for found in _PATH.finditer(shown)
        if (there := _renamed_path(found[0], project, renamed))
    ]
    shown = _without(shown, paths)
    refs = [_ref(cited, start, project, world) for cited, start in find_ref_positions(shown)]
    return sorted([*links, *wiki, *paths, *refs])


def _ref(cited: str, start: int, project: str, world: NameMeanings) -> NameInText:
    named, _, ident = cited.rpartition("/")
    begin = start - len(named) - 1 if named else start
    return NameInText(begin, start + len(ident), NameForm.REF, world.means(cited, project))


def _place(ups: int, path: str) -> str:
    """Return the target of a link; a target outside of the tree begins with `../`."""
    return f"{'../' * ups}{path}"


def _renamed_path(token: str, project: str, renamed: Renamed) -> str | None:
    """Return the renamed file of a path in prose, relative to the root or to its project."""
    if renamed.has(token):
        return token
    within = f"projects/{project}/{token}"
    return within if project and within in renamed.files else None


def _without(text: str, names: Iterable[NameInText]) -> str:
    """Return the text with names replaced by spaces, so that no part is found again as another."""
    parts, at = [], 0
    for name in sorted(names):
        parts += [text[at : name.start], " " * (name.end - name.start)]
        at = name.end
    return "".join([*parts, text[at:]])
