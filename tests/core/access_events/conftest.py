"""A home with the recorded tree in it, for every test of looks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import Desk, furnished

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return furnished(tmp_path / "dev")
