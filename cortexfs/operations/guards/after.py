"""Check one file that an agent has just written, as far as one file and its refs show."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.parse_atom import read_atom, unread
from cortexfs.core.atoms.tree_paths import Place, place, project_of
from cortexfs.core.checks.governance_checks import page_flaws
from cortexfs.core.checks.size_limits import cap_of, is_over
from cortexfs.core.checks.text_findings import examine_atom, examine_page
from cortexfs.core.guards.neighbours import (
    check_with_neighbours,
    limit_refs,
    neighbour_places,
)
from cortexfs.core.guards.special_files import SETTINGS, TASKS
from cortexfs.core.guards.verdict import size_notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.session.types import Tree


def after(tree: Tree, path: str) -> list[Finding]:
    """Give the findings of a file in the order of lines; none where there is no such file."""
    *folders, name = path.split("/")
    if any(step.startswith(".") for step in folders) or not tree.is_taken(path):
        return []
    if path == SETTINGS:
        return [Finding(path, *flaw) for flaw in tree.settings().flaws]
    if name == TASKS:
        return _tasks(tree, path)
    return _text(tree, path) if name.endswith(".md") else []


def nearly_full(tree: Tree, path: str) -> str:
    """Say that a file is near its cap; empty where it is not, or is over it, which is a finding."""
    cap = cap_of(path, tree.settings().caps)
    source = tree.read(path) if cap else None
    if not cap or source is None or isinstance(source, Flaw) or is_over(source.text, cap):
        return ""
    return size_notice(path, source.text, cap)


def _text(tree: Tree, path: str) -> list[Finding]:
    settings = tree.settings()
    where, source = place(path, settings.kinds), tree.read(path)
    if isinstance(source, Flaw):
        found = {Finding(path, *source)}
    elif where:
        found = _atom(tree, read_atom(path, where, source.text), settings.kinds)
        found |= {Finding(path, *flaw) for flaw in examine_atom(source.text).flaws}
    else:
        flaws = (*page_flaws(path, source.text, settings.caps), *examine_page(source.text).flaws)
        found = {Finding(path, *flaw) for flaw in flaws}
    return sorted(found, key=lambda each: (each.line, each.code, each.message))


def _tasks(tree: Tree, path: str) -> list[Finding]:
    from cortexfs.core.tasks.task import path_of, read_board  # noqa: PLC0415 - seldom met

    project, source = project_of(path), tree.read(path)
    if path != path_of(project):
        return []
    board = source if isinstance(source, Flaw) else read_board(project, source.text)
    return [Finding(path, *board)] if isinstance(board, Flaw) else []


def _atom(tree: Tree, atom: Atom, kinds: Kinds) -> set[Finding]:
    atom = limit_refs(atom)
    return set(check_with_neighbours(atom, list(_neighbours(tree, atom, kinds)), kinds))


def _neighbours(tree: Tree, atom: Atom, kinds: Kinds) -> Iterator[Atom]:
    """Read the atoms that an atom names, as far as there is a file of that name."""
    for folder, kind, ident in neighbour_places(atom, kinds):
        names = [f"{ident}.md"]
        if kind.titled:
            names = [n for n in tree.names(folder) if kind.identify(n.removesuffix(".md")) == ident]
        for path in (f"{folder}/{name}" for name in names):
            if path == atom.path or not tree.is_file(path):
                continue
            read = tree.read(path)
            where = Place(project_of(path), folder, kind, path.rpartition("/")[2])
            if isinstance(read, Flaw):
                yield unread(path, where, read)
            else:
                yield read_atom(path, where, read.text)
