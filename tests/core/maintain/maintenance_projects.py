"""Small projects for the tests of maintenance."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import ReadStats
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.find_cited_refs import find_cited_refs
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.refs import to_full_ref
from cortexfs.core.indexes.atom_with_reads import AtomWithReads
from cortexfs.core.maintain.project_atoms import ProjectAtoms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import FrontmatterValue

TODAY = date(2026, 5, 6)
KINDS = Kinds()
ROWS = {kind.name: kind for kind in KINDS}


def make_entry(
    ident: str, *, project: str = "p", refs: int = 0, **fields_given: FrontmatterValue
) -> AtomWithReads:
    """Make an atom as the catalog would know it; `_` in a field's name is a hyphen."""
    kind = KINDS.find_by_id(ident)
    assert kind, ident
    cited = {key.replace("_", "-"): value for key, value in fields_given.items()}
    fields = {"id": ident, "date": "2026-05-01", "summary": "s", **cited}
    path = f"projects/{project}/{kind.folder}/{ident}.md"
    atom = Atom(path, kind.name, Ref(f"{project}/{ident}"), project, fields)
    return AtomWithReads.from_atom(atom, ReadStats(refs, ""))


def make_project(
    *entries: AtomWithReads,
    bodies: Mapping[str, str] | None = None,
    project: str = "p",
    logged_since: int = 1,
) -> ProjectAtoms:
    """Put entries together as one project sees them; `bodies` are texts by id."""
    texts = bodies or {}
    own = [each for each in entries if each.atom.project == project]
    cited = {
        to_full_ref(ref, project) for text in texts.values() for ref, _ in find_cited_refs(text)
    }
    tree = {str(each.atom.ref): each for each in entries}
    return ProjectAtoms(project, ROWS, own, tree, frozenset(cited), logged_since)
