"""What the shell offers after Tab: kinds, projects and refs of the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.errors import CortexError
from cortexfs.interfaces.cli import console

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.cortex import Cortex


def kinds(incomplete: str) -> list[str]:
    """Offer the kinds that begin so."""
    cortex = _cortex()
    return _beginning(incomplete, (kind.name for kind in cortex.kinds) if cortex else ())


def projects(incomplete: str) -> list[str]:
    """Offer the projects that begin so."""
    cortex = _cortex()
    return _beginning(incomplete, cortex.tree.projects() if cortex else ())


def refs(incomplete: str) -> list[str]:
    """Offer the refs that begin so."""
    cortex = _cortex()
    if cortex is None:
        return []
    cortex.refresh()
    return _beginning(incomplete, (ref for ref, _ in cortex.facts.refs()))


def statuses(incomplete: str) -> list[str]:
    """Offer the statuses that begin so."""
    from cortexfs.core.atoms.lifecycle import SECTIONS

    return _beginning(incomplete, SECTIONS)


def _cortex() -> Cortex | None:
    """Open the tree around; a shell that completes wants no complaint."""
    from cortexfs.cortex import Cortex

    try:
        return Cortex.open(console.root(None), console.clock)
    except (CortexError, OSError):
        return None


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return sorted({name for name in names if name.startswith(incomplete)})
