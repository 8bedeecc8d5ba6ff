"""What an atom is linked with, as a tree to walk, and what else is like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.graph.render_graph import format_link_directions
from cortexfs.core.graph.resolve_links import LinkedAtom
from cortexfs.interfaces.tui.atom_rows import SUBJECTS, choose_status_tone
from cortexfs.interfaces.tui.shown_content import (
    Cell,
    Column,
    Row,
    Subject,
    TableContent,
    Target,
    Tone,
)
from cortexfs.interfaces.tui.shown_text import cell, clean_line, join_parts, make_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.graph.graph_walk import AtomGraph
    from cortexfs.core.graph.score_related_atoms import RelatedAtom
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.explore_links import GraphResult

COLUMNS = (
    Column("Atom", 28),
    Column("Link", 14),
    Column("Summary", 0),
    Column("Status", 11, 120),
)
DEPTH, MAX_NEIGHBOURS, MAX_RELATED = 2, 100, 10
BRANCHES = (("├ ", "│ "), ("└ ", "  "))
NO_ATOM = "No atoms yet: `cortexfs new` creates one, and agents save them over MCP."


def load_graph(context: PanelContext, request: Request) -> TableContent:
    """Return the atoms within two links of one, and those that are related in other ways.

    Without an atom it is the one that is read most, and in a tree without reads the newest.
    """
    from cortexfs.operations.explore_links import explore_links
    from cortexfs.operations.related import related

    start = _choose_start(context, request)
    if start is None:
        return TableContent(COLUMNS, (), 0, NO_ATOM)
    session, ref = context.session, start.ref
    found = explore_links(session, ref, context.cwd, depth=DEPTH, limit=MAX_NEIGHBOURS)
    near = related(session, ref, context.cwd, MAX_RELATED).related
    rows = [*_make_tree_rows(found)]
    rows += [_make_related_row(each) for each in near if each.node.ref not in found.nodes]
    omitted = found.graph.omitted_count
    about = join_parts(
        ["" if request.argument else found.graph.start, f"{omitted} more" if omitted else ""]
    )
    return TableContent(COLUMNS, tuple(rows), len(rows), about=about)


def preview_graph(context: PanelContext, request: Request) -> TableContent:
    """Return the atom of a graph alone: its links may take long to read."""
    start = _choose_start(context, request)
    rows = (_make_row(start, "", "", is_start=True),) if start else ()
    return TableContent(COLUMNS, rows, len(rows), NO_ATOM, about="reading the links")


def _choose_start(context: PanelContext, request: Request) -> LinkedAtom | None:
    """Return the wanted atom, or the one that is read most; None in a tree without atoms."""
    from cortexfs.core.find.atom_criteria import AtomCriteria
    from cortexfs.operations.list_atoms import list_atoms

    if request.argument:
        return LinkedAtom(Ref(request.argument), "")
    for entry in list_atoms(context.session, AtomCriteria(), limit=1):
        atom = entry.atom
        return LinkedAtom(
            atom.ref, atom.path, atom.kind, entry.status.word, atom.text_field("summary")
        )
    return None


def _make_tree_rows(found: GraphResult) -> Iterator[Row]:
    links = {(link.source, link.target): link for link in found.graph.links}
    for ref, parent, prefix in _walk(found.graph):
        directions = "" if ref == parent else format_link_directions(parent, ref, links)
        yield _make_row(found.nodes[ref], prefix, directions, is_start=ref == parent)


def _walk(graph: AtomGraph) -> Iterator[tuple[Ref, Ref, str]]:
    """Yield each atom, the one from which it was reached, and what is drawn before it."""
    children = graph.children
    pending = [(graph.start, "", "")]
    while pending:
        ref, before, branch = pending.pop()
        parent = graph.reached_from[ref]
        yield ref, parent, before + branch
        below = "" if ref == parent else before + dict(BRANCHES)[branch]
        last = children[ref][-1:]
        pending += [
            (child, below, BRANCHES[[child] == last][0]) for child in reversed(children[ref])
        ]


def _make_row(node: LinkedAtom, prefix: str, link: str, *, is_start: bool) -> Row:
    status = parse_atom_status(node.status)
    return Row(
        (
            Cell(f"{prefix}{clean_line(node.ref)}", Tone.STRONG if is_start else Tone.ACCENT),
            cell(link, Tone.MUTED),
            cell(node.summary, Tone.MUTED if node.is_inactive else Tone.PLAIN),
            cell(status.word, choose_status_tone(status)),
        ),
        node.ref,
        SUBJECTS.get(node.kind, Subject.ATOM),
        Target("atom" if is_start else "graph", node.ref),
        make_note(node.summary, node.ref, status.word, link),
    )


def _make_related_row(found: RelatedAtom) -> Row:
    reasons = join_parts(reason.description for reason in found.reasons.values())
    row = _make_row(found.node, "≈ ", reasons, is_start=False)
    return row._replace(note=make_note(found.node.summary, found.node.ref, f"related: {reasons}"))
