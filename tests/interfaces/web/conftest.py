"""The tests in a browser are collected only with `--soak`, where playwright and Chromium are."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from place import build_sample
from running_server import run_server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import CopyTree
    from running_server import RunningServer

IN_BROWSER = "_in_chromium.py"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_possible = find_spec("playwright") is not None and Path("/usr/bin/chromium").exists()
    is_wanted = config.getoption("--soak") and is_possible
    return True if collection_path.name.endswith(IN_BROWSER) and not is_wanted else None


@pytest.fixture
def server(tmp_path: Path, copy_tree: CopyTree) -> Iterator[RunningServer]:
    """Return a server of the sample, for one test."""
    with run_server_of(copy_tree(tmp_path / "tree", build_sample)) as running:
        yield running


@pytest.fixture
def chromium() -> Iterator[Any]:
    """Return a browser, for one test."""
    from chromium_tab import open_chromium  # noqa: PLC0415 - playwright is not everywhere

    with open_chromium() as found:
        yield found
