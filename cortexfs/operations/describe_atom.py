"""Describe one atom for a page about it: text, links both ways, history, reads, findings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.lifecycle import list_next_statuses
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.find.extract_links import WIKI_LINK, list_wiki_names
from cortexfs.errors import Unreadable
from cortexfs.operations.browse_atoms import RowOrigin, find_origins
from cortexfs.operations.check_text import find_text_flaws
from cortexfs.operations.shared.follow_renames import list_commits_of_file
from cortexfs.operations.shared.resolve_names import resolve_ref
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.graph.resolve_links import AtomLink, LinkedAtom
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.session.annotation_types import CommitRecord
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

MAX_READS = 200
"""Maximum number of reads that are listed."""


class AtomDescription(NamedTuple):
    """One atom and what the tree knows of it.

    `atom` is None if its frontmatter cannot be read, `entry` if it has no id. `commits` are newest
    first, under each name of the file, as are `reads`: time and session. `next_statuses` are those
    that may follow, `wiki_names` the names of linked atoms, normalized.
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
    commits: tuple[CommitRecord, ...]
    reads: tuple[tuple[str, str], ...]
    flaws: tuple[Flaw, ...]
    next_statuses: tuple[str, ...]
    wiki_names: Mapping[str, Ref]


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
            tuple(list_commits_of_file(session, commits, path)),
            tuple(view.browse.list_reads(path, MAX_READS)),
            tuple(find_text_flaws(view, path, source.text)),
            list_next_statuses(atom.text_field("status"), is_decision=where.kind.is_decision)
            if atom
            else (),
            _map_wiki_names(view, links, nodes),
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


def _map_wiki_names(
    view: View, links: tuple[AtomLink, ...], nodes: Mapping[Ref, LinkedAtom]
) -> Mapping[str, Ref]:
    targets = {link.target for link in links if WIKI_LINK in link.kinds}
    paths = [node.path for ref, node in nodes.items() if ref in targets]
    atoms = view.stored_atoms.list_by_paths(paths) if paths else ()
    return {name: atom.ref for atom in atoms for name in list_wiki_names(atom)}
