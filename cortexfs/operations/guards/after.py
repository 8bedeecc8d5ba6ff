"""Check one file that an agent has just written, as far as that can be told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.parse_atom import read_atom, unread
from cortexfs.core.atoms.tree_paths import Place, place, project_of
from cortexfs.core.checks.governance_checks import page_flaws
from cortexfs.core.checks.text_findings import examine_atom, examine_page
from cortexfs.core.guards.neighbours import bounded, findings_beside, sought
from cortexfs.core.guards.special_files import SETTINGS, TASKS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.tree.tree import Tree


def after(tree: Tree, path: str) -> list[Finding]:
    """Give what is wrong with a file, in the order of lines; nothing where there is none."""
    *folders, name = path.split("/")
    if any(step.startswith(".") for step in folders) or not tree.is_taken(path):
        return []
    if path == SETTINGS:
        return [Finding(path, *flaw) for flaw in tree.settings().flaws]
    if name == TASKS:
        return _tasks(tree, path)
    return _text(tree, path) if name.endswith(".md") else []


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
    atom = bounded(atom)
    return set(findings_beside(atom, list(_beside(tree, atom, kinds)), kinds))


def _beside(tree: Tree, atom: Atom, kinds: Kinds) -> Iterator[Atom]:
    """Read what an atom names, as far as there is a file of that name."""
    for folder, kind, ident in sought(atom, kinds):
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
