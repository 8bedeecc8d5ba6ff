"""Trees for the verbs: the new one is made once, and copied for each test."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from place import Place


@pytest.fixture
def place_at(request: pytest.FixtureRequest) -> Callable[[Path], Place]:
    """Give what makes a tree's root a `Place`; its module shares its name with this one."""
    above = Path(__file__).parents[1] / "conftest.py"
    return request.config.pluginmanager.get_plugin(str(above)).Place


@pytest.fixture
def tree(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, place_at: Callable[[Path], Place]
) -> Place:
    """A new tree with one project, `flywheel`, made on the day that the test says it is."""
    day = os.environ.get("CORTEXFS_NOW", "today")[:10]
    seed = tmp_path_factory.getbasetemp() / f"seed-of-tree-{day}"
    if not seed.exists():
        made = place_at(tmp_path / "seed")
        init = [sys.executable, "-m", "cortexfs", "init", str(made.root)]
        subprocess.run(init, check=True, capture_output=True)
        made.ok("project", "new", "flywheel", "--goal", "Spin, and keep spinning")
        made.root.rename(seed)
    return place_at(shutil.copytree(seed, tmp_path / "tree", symlinks=True))


@pytest.fixture
def sample(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, place_at: Callable[[Path], Place]
) -> Place:
    """A copy of the sample tree in a repository of its own, all of it committed."""
    seed = tmp_path_factory.getbasetemp() / "seed-of-sample"
    if not seed.exists():
        made = place_at(tmp_path / "seed")
        above = Path(__file__).parents[2] / "sample-context"
        shutil.copytree(above, made.root, ignore=shutil.ignore_patterns(".cortexfs"))
        made.git("init", "-q")
        made.git("add", ".")
        made.git("commit", "-qm", "start")
        made.root.rename(seed)
    return place_at(shutil.copytree(seed, tmp_path / "tree", symlinks=True))
