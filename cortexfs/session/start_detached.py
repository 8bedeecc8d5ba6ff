"""What a background process inherits from the command that starts it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.tree.spool import DRAIN_OFF, DRAIN_QUIET_VARIABLE, select_inherited

if TYPE_CHECKING:
    from collections.abc import Mapping


def is_background_disabled(environ: Mapping[str, str]) -> bool:
    """Return whether the user has disabled background processes."""
    return environ.get(DRAIN_QUIET_VARIABLE) == DRAIN_OFF


def inherit_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a background process may have: no keys, no tokens."""
    return select_inherited(environ)
