"""What the shell offers after Tab: kinds, projects and refs of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import CortexError
from cortexfs.interfaces.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.session.session import Session


def kinds(incomplete: str) -> list[str]:
    """Offer the kinds that begin so."""
    session = _session()
    return _beginning(incomplete, (kind.name for kind in session.kinds) if session else ())


def projects(incomplete: str) -> list[str]:
    """Offer the projects that begin so."""
    session = _session()
    return _beginning(incomplete, session.tree.projects() if session else ())


def refs(incomplete: str) -> list[str]:
    """Offer the refs that begin so."""
    session = _session()
    if session is None:
        return []
    with session.read() as view:
        return _beginning(incomplete, (ref for ref, _ in view.facts.refs()))


def statuses(incomplete: str) -> list[str]:
    """Offer the statuses that begin so."""
    from cortexfs.core.atoms.lifecycle import SECTIONS

    return _beginning(incomplete, SECTIONS)


def _session() -> Session | None:
    """Open the tree around; a shell that completes wants no complaint."""
    from cortexfs.session.session import Session

    try:
        return Session.open(console.root(None), console.clock)
    except (CortexError, OSError):
        return None


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})
