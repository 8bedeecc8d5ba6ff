"""A home with the recorded tree, for every test of access events."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from recorded_home import RecordedHome, make_recorded_home

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def recorded(tmp_path: Path) -> RecordedHome:
    return make_recorded_home(tmp_path / "dev")
