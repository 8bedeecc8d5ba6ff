"""Show one atom: its text, its backlinks, and its history."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.checks.citation_checksums import find_changed_lines, parse_citations
from cortexfs.errors import HistoryFailed, Unreadable
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.operations.shared.resolve_revision import (
    read_text_at,
    require_repository,
    resolve_commit,
    resolve_past_ref,
)
from cortexfs.operations.spool_read import spool_read
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import FileText, Ref
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session
    from cortexfs.session.view import TreeFilesAndGit, View

MAX_COMMITS = 5
"""Maximum number of commits shown."""


@dataclass(frozen=True, slots=True)
class ShownAtom:
    """An atom to show; `entry` is None if it has no id.

    `changed_citations` are findings about cited lines that have changed since, `entities` the sort
    and name of what the text mentions, in order.
    """

    ref: Ref
    path: str
    text: str
    entry: AtomWithReads | None
    backlinks: tuple[Ref, ...]
    commits: tuple[CommitSummary, ...]
    changed_citations: tuple[Flaw, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()


class PastAtom(NamedTuple):
    """An atom at a commit: its path and text then, and the requested commit."""

    ref: Ref
    path: str
    text: str
    commit: CommitSummary


def show(
    session: Session,
    typed: str,
    cwd: str,
    sources: CitedFileSource | None = None,
    *,
    track: bool = True,
) -> ShownAtom:
    """Return an atom by its ref; counted as a read if `track`."""
    with session.read(NeededContents.TEXTS, drain=True) as view:
        ref, path = resolve_ref(view, typed, cwd)
        source = view.tree.read_text_or_flaw(path)
        if isinstance(source, Flaw):
            raise Unreadable(f"{path}: {source.message}")
        return build_shown_atom(view, ref, source, sources, track=track)


def build_shown_atom(
    view: View, ref: Ref, source: FileText, sources: CitedFileSource | None, *, track: bool
) -> ShownAtom:
    """Return the details of an atom that has been found and read."""
    path = source.path
    if track:
        spool_read(view, path)
    entry = view.entries.find_entry(path)
    lines_of = sources.make_line_reader(project_from_path(path)) if sources else None
    changed = tuple(find_changed_lines(parse_citations(source.text), lines_of)) if lines_of else ()
    commits = _list_commits(view, path)
    entities = tuple(view.text_queries().list_entities_of(path))
    backlinks = _find_backlinks(view, ref)
    return ShownAtom(ref, path, source.text, entry, backlinks, commits, changed, entities)


def show_at(session: Session, typed: str, cwd: str, at: str) -> PastAtom:
    """Return an atom as it was in a commit, or on a day; not counted as a read."""
    commit = resolve_commit(session, at)
    with session.read() as view:
        ref, path = resolve_past_ref(view, typed, cwd)
        old_path, text = read_text_at(view, ref, path, commit)
        return PastAtom(ref, old_path, text, require_repository(view).describe_commit(commit))


def _find_backlinks(view: View, ref: Ref) -> tuple[Ref, ...]:
    """Return the atoms that name this one, in frontmatter or body."""
    queries = view.text_queries().link_queries()
    return tuple(link.source for link in queries.find_links({ref}) if link.target == ref)


def _list_commits(view: TreeFilesAndGit, path: str) -> tuple[CommitSummary, ...]:
    history = view.repository.history
    try:
        return (
            tuple(record.commit for record in history.list_file_commits(path, MAX_COMMITS))
            if history
            else ()
        )
    except HistoryFailed:  # an unreadable repository does not stop `show`
        return ()
