"""Projects for maintenance to look at, a few words an atom."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from cortexfs.core.access.access_log import Total
from cortexfs.core.atoms.atom import Atom, Ref
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import cites
from cortexfs.core.atoms.refs import full_ref
from cortexfs.core.indexes.index_entry import Entry
from cortexfs.core.maintain.inputs import Study

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Value

TODAY = date(2026, 5, 6)
KINDS = Kinds()
ROWS = {kind.name: kind for kind in KINDS}


def entry(ident: str, *, project: str = "p", refs: int = 0, **said: Value) -> Entry:
    """Make an atom as the catalog would know it; `_` in a field's name is a hyphen."""
    kind = KINDS.of_id(ident)
    assert kind, ident
    named = {key.replace("_", "-"): value for key, value in said.items()}
    fields = {"id": ident, "date": "2026-05-01", "summary": "s", **named}
    path = f"projects/{project}/{kind.folder}/{ident}.md"
    atom = Atom(path, kind.name, Ref(f"{project}/{ident}"), project, fields)
    return Entry.of(atom, Total(refs, ""))


def study(
    *entries: Entry, bodies: Mapping[str, str] | None = None, project: str = "p", since: int = 1
) -> Study:
    """Put entries together as one project sees them; `bodies` are texts by id."""
    texts = bodies or {}
    own = [each for each in entries if each.atom.project == project]
    named = {full_ref(ref, project) for text in texts.values() for ref, _ in cites(text)}
    tree = {str(each.atom.ref): each for each in entries}
    return Study(project, ROWS, own, tree, frozenset(named), since)
