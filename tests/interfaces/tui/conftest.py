"""A tree in which agents have worked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from panel_driver import build_worked_in

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place


@pytest.fixture
def worked_in(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", build_worked_in)
