"""How workers share the tests, so that none does again what another has done."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

TESTS = Path(__file__).parent
LAST_COMPILED = TESTS / "tree" / "__pycache__"
"""The folder of what is compiled last: in a new clone it is not there."""
ONE_SERVER = ("interfaces/mcp/",)
"""Folders whose tests need a process that takes long to start, one for each worker."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """In a new clone, let one worker compile the tests: that is two thirds of the time."""
    if "PYTEST_XDIST_WORKER" not in os.environ or LAST_COMPILED.exists():
        return (yield)
    with open(__file__, "rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(lock, fcntl.LOCK_SH)
        return (yield)


def keep_together(items: Iterable[pytest.Item]) -> None:
    """Have the tests that share a fixture of their module run in one worker."""
    for item in items:
        path = item.path.relative_to(TESTS).as_posix()
        if path.startswith(ONE_SERVER):
            item.add_marker(pytest.mark.xdist_group(os.path.dirname(path)))
        elif _has_module_fixture(item) and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(path))


def _has_module_fixture(item: pytest.Item) -> bool:
    known = getattr(item, "_fixtureinfo", None)
    return known is not None and any(
        found[-1].scope == "module" for found in known.name2fixturedefs.values()
    )
