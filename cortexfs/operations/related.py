"""What is related to an atom, the closest first, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.parse_atom import read_atom
from cortexfs.core.atoms.tree_paths import place
from cortexfs.core.find.indexed_fields import streams
from cortexfs.core.frontmatter.atom_text import parted
from cortexfs.core.graph.related import (
    GROUNDS,
    Related,
    by_evidence,
    by_links,
    by_looks,
    by_text,
    telling,
)
from cortexfs.core.graph.related import related as weigh
from cortexfs.operations.graph import EVERY
from cortexfs.operations.shared.filters import require_known
from cortexfs.operations.shared.resolve_names import resolve
from cortexfs.session.view import Intake

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.find.filters import Only
    from cortexfs.core.find.indexed_fields import Streams
    from cortexfs.session.session import Session
    from cortexfs.session.view import FileView

LIMIT = 10
"""Atoms that are given where no number is asked for."""


class Relations(NamedTuple):
    """The atoms that are related to one, the closest first."""

    ref: Ref
    related: list[Related]


def related(
    session: Session, typed: str, cwd: str, limit: int = LIMIT, only: Only = EVERY
) -> Relations:
    """Return the matching atoms that are related to one: by links, evidence, reads and words."""
    with session.read(Intake.TEXTS, drain=True) as view:
        ties = view.within().ties()
        require_known(view, only)
        ref, path = resolve(view, typed, cwd)
        own = ties.of({ref})
        grounds = {tie.target for tie in own if tie.source == ref and GROUNDS & set(tie.kinds)}
        said = _said(view, path)
        reasons = {
            "links": by_links(ref, own),
            "evidence": by_evidence(ref, ties.of(grounds)),
            "looks": by_looks(ref, ties.seen_with(path)),
            "text": by_text(ref, ties.saying(telling(said, ties.counts))) if said else {},
        }
        others = {other for each in reasons.values() for other in each}
        others = others if only == EVERY else ties.matching(others, only)
        kept = {word: {o: each[o] for o in each if o in others} for word, each in reasons.items()}
        return Relations(ref, weigh(ties.atoms(others), kept, limit))


def _said(view: FileView, path: str) -> Streams | None:
    """Read what an atom says, its frontmatter by field; None where that cannot be read."""
    where, source = place(path, view.kinds), view.tree.read(path)
    if where is None or isinstance(source, Flaw):
        return None
    return streams(read_atom(path, where, source.text).fields, parted(source.text)[1])
