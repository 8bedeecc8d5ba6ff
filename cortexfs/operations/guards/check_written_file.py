"""Check one file that an agent has just written, using that file and its refs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding, Flaw
from cortexfs.core.atoms.parse_atom import make_unreadable_atom, parse_atom
from cortexfs.core.atoms.tree_paths import AtomPath, parse_atom_path, project_from_path
from cortexfs.core.checks.governance_checks import check_governance_file
from cortexfs.core.checks.size_limits import find_cap, is_over_cap
from cortexfs.core.checks.text_findings import examine_atom, examine_non_atom
from cortexfs.core.guards.check_with_cited_atoms import (
    check_with_neighbours,
    limit_refs,
    list_neighbour_places,
)
from cortexfs.core.guards.guarded_file_names import SETTINGS_FILE, TASKS_FILE
from cortexfs.core.guards.judge_size_and_secrets import format_size_notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.session.annotation_types import Tree


def check_written_file(tree: Tree, path: str) -> list[Finding]:
    """Return the findings of a file in the order of lines; none if there is no such file."""
    *folders, name = path.split("/")
    if any(step.startswith(".") for step in folders) or not tree.is_path_taken(path):
        return []
    if path == SETTINGS_FILE:
        return [Finding(path, *flaw) for flaw in tree.read_settings().flaws]
    if name == TASKS_FILE:
        return _check_tasks(tree, path)
    return _check_markdown(tree, path) if name.endswith(".md") else []


def near_cap_notice(tree: Tree, path: str) -> str:
    """Return a notice that a file is near its size limit; empty if it is not, or exceeds it."""
    cap = find_cap(path, tree.read_settings().caps)
    source = tree.read_text_or_flaw(path) if cap else None
    if not cap or source is None or isinstance(source, Flaw) or is_over_cap(source.text, cap):
        return ""
    return format_size_notice(path, source.text, cap)


def _check_markdown(tree: Tree, path: str) -> list[Finding]:
    settings = tree.read_settings()
    where, source = parse_atom_path(path, settings.kinds), tree.read_text_or_flaw(path)
    if isinstance(source, Flaw):
        findings = {Finding(path, *source)}
    elif where:
        findings = _check_atom(tree, parse_atom(path, where, source.text), settings.kinds)
        findings |= {Finding(path, *flaw) for flaw in examine_atom(source.text).flaws}
    else:
        flaws = (
            *check_governance_file(path, source.text, settings.caps),
            *examine_non_atom(source.text).flaws,
        )
        findings = {Finding(path, *flaw) for flaw in flaws}
    return sorted(findings, key=lambda each: (each.line, each.code, each.message))


def _check_tasks(tree: Tree, path: str) -> list[Finding]:
    from cortexfs.core.tasks.task_and_board import parse_board, tasks_path  # noqa: PLC0415 - seldom met

    project, source = project_from_path(path), tree.read_text_or_flaw(path)
    if path != tasks_path(project):
        return []
    board = source if isinstance(source, Flaw) else parse_board(project, source.text)
    return [Finding(path, *board)] if isinstance(board, Flaw) else []


def _check_atom(tree: Tree, atom: Atom, kinds: Kinds) -> set[Finding]:
    atom = limit_refs(atom)
    return set(check_with_neighbours(atom, list(_read_neighbours(tree, atom, kinds)), kinds))


def _read_neighbours(tree: Tree, atom: Atom, kinds: Kinds) -> Iterator[Atom]:
    """Yield the atoms that an atom cites, if their files exist."""
    for folder, kind, ident in list_neighbour_places(atom, kinds):
        names = [f"{ident}.md"]
        if kind.has_title_in_name:
            names = [
                n
                for n in tree.list_names(folder)
                if kind.parse_file_id(n.removesuffix(".md")) == ident
            ]
        for path in (f"{folder}/{name}" for name in names):
            if path == atom.path or not tree.is_file(path):
                continue
            source = tree.read_text_or_flaw(path)
            where = AtomPath(project_from_path(path), folder, kind, path.rpartition("/")[2])
            if isinstance(source, Flaw):
                yield make_unreadable_atom(path, where, source)
            else:
                yield parse_atom(path, where, source.text)
