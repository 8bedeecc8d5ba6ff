"""Choose atoms by what their frontmatter and their refs say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cortexfs.core.atoms.lifecycle import Section
from cortexfs.core.indexes.index_entry import HOT
from cortexfs.errors import Usage
from cortexfs.operations.shared.resolve_names import kind_named, project_named

if TYPE_CHECKING:
    from datetime import date

    from cortexfs.core.indexes.index_entry import Entry
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What must be true of an atom; what is empty asks for nothing."""

    kind: str | None = None
    project: str | None = None
    status: str | None = None
    tag: str | None = None
    since: str | None = None
    hot: bool = False
    cold: bool = False


def list_atoms(session: Session, choice: Choice) -> list[Entry]:
    """Give the chosen atoms in the order of an index: most read first."""
    if choice.kind:
        kind_named(session, choice.kind)
    if choice.project:
        project_named(session, choice.project)
    if choice.since and not re.fullmatch(r"\d{4}(-\d\d(-\d\d)?)?", choice.since, re.ASCII):
        raise Usage(f"`{choice.since}` is no date", hint="write it YYYY-MM-DD")
    with session.read(drain=True) as view:
        today = view.clock().date()
        chosen = (entry for entry in view.facts.all_entries() if _fits(entry, choice, today))
        return sorted(chosen, key=lambda entry: entry.order)


def unreadable(view: View) -> int:
    """Count the files that no list can name, as they cannot be read; after `list_atoms`."""
    return view.catalog.unreadable()


def _fits(entry: Entry, choice: Choice, today: date) -> bool:
    active = entry.status.section is Section.ACTIVE
    return (
        choice.kind in {None, entry.atom.kind}
        and choice.project in {None, entry.atom.project}
        and choice.status in {None, entry.status.word}
        and (choice.tag is None or choice.tag in entry.atom.words("tags"))
        and (choice.since is None or entry.atom.text("date") >= choice.since)
        and (not choice.hot or (active and entry.total.refs >= HOT))
        and (not choice.cold or (active and entry.cold(today)))
    )
