"""A tree whose clock the test moves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place


@dataclass
class Clock:
    """The time that a session reads."""

    now: datetime = field(default_factory=lambda: datetime(2026, 5, 6, 12, tzinfo=UTC))

    def __call__(self) -> datetime:
        return self.now

    def wait(self, **passed: float) -> None:
        """Let time pass."""
        self.now += timedelta(**passed)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def session(tree: Place, clock: Clock) -> Iterator[Session]:
    opened = Session.open(str(tree.root), clock)
    yield opened
    opened.close()
