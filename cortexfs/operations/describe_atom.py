"""Describe one atom for a page about it: text, links both ways, history, reads, findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import (
    DECISION_TRANSITIONS,
    STATUS_TRANSITIONS,
    parse_atom_status,
)
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.errors import Unreadable
from cortexfs.operations.browse_atoms import RowOrigin, find_origins
from cortexfs.operations.check_text import find_text_flaws
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.annotation_types import CommitSummary
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_READS = 200
"""Maximum number of reads that are listed."""


class AtomDescription(NamedTuple):
    """One atom and what the tree knows of it.

    `atom` is None if its frontmatter cannot be read, `entry` if it has no id. `commits` are newest
    first, as are `reads`: time and session. `next_statuses` are those that may follow.
    """

    ref: Ref
    path: str
    kind: Kind
    text: str
    atom: Atom | None
    entry: AtomWithReads | None
    links: tuple[AtomLink, ...]
    backlinks: tuple[AtomLink, ...]
    nodes: Mapping[Ref, LinkedAtom]
    entities: tuple[tuple[str, str], ...]
    origin: RowOrigin | None
    commits: tuple[CommitSummary, ...]
    reads: tuple[tuple[str, str], ...]
    flaws: tuple[Flaw, ...]
    next_statuses: tuple[str, ...]


def describe_atom(session: Session, typed: str) -> AtomDescription:
    """Return all about the atom with a ref; not counted as a read.

    Raises as `resolve_ref` does, and `Unreadable`.
    """
    commits = session.list_commits()
    with session.read(NeededContents.TEXTS, drain=True) as view:
        ref, path = resolve_ref(view, typed, view.tree.root)
        source, where = view.tree.read_text_or_flaw(path), parse_atom_path(path, view.kinds)
        if isinstance(source, Flaw) or where is None:
            message = source.message if isinstance(source, Flaw) else "not the path of an atom"
            raise Unreadable(f"{path}: {message}", hint="`cortexfs check` shows what is wrong")
        atom = next(iter(view.stored_atoms.list_by_paths([path])), None)
        links, backlinks, nodes = _find_links(view, ref)
        return AtomDescription(
            ref,
            path,
            where.kind,
            source.text,
            atom,
            view.entries.find_entry(path),
            links,
            backlinks,
            nodes,
            tuple(view.text_queries().list_entities_of(path)),
            find_origins(view, commits, [path]).get(path),
            tuple(
                record.commit
                for record in (commits.records if path in commits.last else ())
                if any(path in pair for pair in record.paths)
            ),
            tuple(view.browse.list_reads(path, MAX_READS)),
            tuple(find_text_flaws(view, path, source.text)),
            _list_next_statuses(where.kind, atom),
        )


def _find_links(
    view: View, ref: Ref
) -> tuple[tuple[AtomLink, ...], tuple[AtomLink, ...], Mapping[Ref, LinkedAtom]]:
    queries = view.text_queries().link_queries()
    found = queries.find_links({ref})
    links = tuple(link for link in found if link.source == ref and link.target != ref)
    backlinks = tuple(link for link in found if link.target == ref and link.source != ref)
    ends = {link.other_end(ref) for link in (*links, *backlinks)}
    return links, backlinks, queries.read_nodes(ends)


def _list_next_statuses(kind: Kind, atom: Atom | None) -> tuple[str, ...]:
    if atom is None:
        return ()
    word = parse_atom_status(atom.text_field("status")).word
    allowed = (DECISION_TRANSITIONS if kind.is_decision else STATUS_TRANSITIONS).get(word, ())
    return tuple(status for status in allowed if status != word)
