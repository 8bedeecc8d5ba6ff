"""The tests in a browser are collected only with `--soak`, where playwright and Chromium are."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

IN_BROWSER = "_in_chromium.py"


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_possible = find_spec("playwright") is not None and Path("/usr/bin/chromium").exists()
    is_wanted = config.getoption("--soak") and is_possible
    return True if collection_path.name.endswith(IN_BROWSER) and not is_wanted else None
