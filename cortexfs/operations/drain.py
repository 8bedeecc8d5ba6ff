"""Turn what hooks have noted into lines of the access logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.cortex import Cortex


def drain(cortex: Cortex, *, commit: bool = True) -> Outcome:
    """Log every look that was noted, in one commit."""
    return cortex.drain(commit=commit)
