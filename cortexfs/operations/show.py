"""Show one atom: its text, who names it, and how it came to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_of
from cortexfs.core.checks.citations import changes, citations
from cortexfs.errors import HistoryFailed, Unreadable
from cortexfs.operations.record_access import note_look
from cortexfs.operations.shared.resolve_names import resolve
from cortexfs.operations.shared.resolve_revision import (
    commit_named,
    history_of,
    resolve_past,
    text_at,
)
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.changes.plan import Source
    from cortexfs.core.checks.citations import Sources
    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.session.session import Session
    from cortexfs.session.types import Commit as Past
    from cortexfs.session.view import FileView, View

PAST = 5
"""Commits that are shown."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An atom to be looked at; `entry` is None where it has no id.

    `changed` are the lines that it cites and that no longer read as they did.
    """

    ref: Ref
    path: str
    text: str
    entry: Entry | None
    backlinks: tuple[Ref, ...]
    past: tuple[Past, ...]
    changed: tuple[Flaw, ...] = ()


class ShownThen(NamedTuple):
    """An atom as it was: where it stood then, what it said, and the commit that was asked for."""

    ref: Ref
    path: str
    text: str
    at: Past


def show(
    session: Session, typed: str, cwd: str, sources: Sources | None = None, *, track: bool = True
) -> Shown:
    """Find an atom by its ref and read it; counts as a look, unless it is not to."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ref, path = resolve(view, typed, cwd)
        source = view.tree.read(path)
        if isinstance(source, Flaw):
            raise Unreadable(f"{path}: {source.message}")
        return shown(view, ref, source, sources, track=track)


def shown(view: View, ref: Ref, source: Source, sources: Sources | None, *, track: bool) -> Shown:
    """Tell what is known of an atom that has been found and read."""
    path = source.path
    if track:
        note_look(view, path)
    folder = path.rpartition("/")[0]
    entry = next((e for e in view.facts.entries(folder) if e.atom.path == path), None)
    lines_of = sources.lines_of(project_of(path)) if sources else None
    changed = tuple(changes(citations(source.text), lines_of)) if lines_of else ()
    past = _past(view, path)
    return Shown(ref, path, source.text, entry, _backlinks(view, ref), past, changed)


def show_at(session: Session, typed: str, cwd: str, at: str) -> ShownThen:
    """Find an atom as it was in a commit, or on a day; that is no look at it."""
    commit = commit_named(session, at)
    with session.read() as view:
        ref, path = resolve_past(view, typed, cwd)
        then, text = text_at(view, ref, path, commit)
        return ShownThen(ref, then, text, history_of(view).told(commit))


def _backlinks(view: View, ref: Ref) -> tuple[Ref, ...]:
    """Name the atoms that name this one, in frontmatter or body."""
    ties = view.within().ties()
    return tuple(tie.source for tie in ties.of({ref}) if tie.target == ref)


def _past(view: FileView, path: str) -> tuple[Past, ...]:
    history = view.repository.history
    try:
        return tuple(step.made for step in history.past(path, PAST)) if history else ()
    except HistoryFailed:  # somebody else's repository: the atom is shown all the same
        return ()
