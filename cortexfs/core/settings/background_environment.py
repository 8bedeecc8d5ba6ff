"""The environment variables of background processes: what they inherit, and whether they start."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

DRAIN_QUIET_VARIABLE = "CORTEXFS_DRAIN_QUIET"
"""Seconds without a note before the drain runs, or `off`."""
DRAIN_OFF = "off"
INHERITED_VARIABLES = {"HOME", "LANG", "LANGUAGE", "LOGNAME", "PATH", "TMPDIR", "TZ", "USER"}
INHERITED_PREFIXES = ("CORTEX", "GIT_AUTHOR_", "GIT_COMMITTER_", "LC_", "XDG_")
"""The environment of an agent also has keys and tokens. `hooks/spool_note.py` has the same list."""


def is_background_disabled(environ: Mapping[str, str]) -> bool:
    """Return whether the user has disabled background processes."""
    return environ.get(DRAIN_QUIET_VARIABLE) == DRAIN_OFF


def inherit_variables(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a background process may have: no keys, no tokens."""
    return {
        key: value
        for key, value in environ.items()
        if key in INHERITED_VARIABLES or key.startswith(INHERITED_PREFIXES)
    }
