"""Choose which cases of a costly test are tried each time, and which with `--soak` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def leave_to_soak(cases: Iterable[Any], *, every: int) -> Sequence[Any]:
    """Return parameters: one case in `every` is tried each time, the others with `--soak`."""
    return [
        each if number % every == 0 else pytest.param(each, marks=pytest.mark.soak)
        for number, each in enumerate(cases)
    ]
