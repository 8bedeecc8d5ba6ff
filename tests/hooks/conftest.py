from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from guarding import Guard

if TYPE_CHECKING:
    from place import Place


@pytest.fixture
def guard(sample: Place) -> Guard:
    """The guard of a copy of the sample tree."""
    return Guard(sample.root)
