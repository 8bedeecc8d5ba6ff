"""What a background process inherits, and whether it is started."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cortexfs.core.settings.background_environment import (
    INHERITED_PREFIXES,
    INHERITED_VARIABLES,
    inherit_variables,
    is_background_disabled,
)

sys.path.insert(0, str(Path(__file__).parents[3] / "hooks"))
import spool_note


def test_a_background_process_inherits_no_keys() -> None:
    environ = {"HOME": "/h", "LC_ALL": "C", "GIT_DIR": "/x", "API_KEY": "x", "HOMEX": "x"}
    assert inherit_variables(environ) == {"HOME": "/h", "LC_ALL": "C"}


def test_the_hooks_have_the_same_list() -> None:
    assert set(map(os.fsencode, INHERITED_VARIABLES)) == spool_note.KEPT_VARIABLES
    assert tuple(map(os.fsencode, INHERITED_PREFIXES)) == spool_note.KEPT_PREFIXES


def test_only_off_disables_background_processes() -> None:
    assert is_background_disabled({"CORTEXFS_DRAIN_QUIET": "off"})
    assert not is_background_disabled({"CORTEXFS_DRAIN_QUIET": "0"})
    assert not is_background_disabled({})
