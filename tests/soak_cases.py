"""Choose which cases of a costly test are tried each time, and which with `--soak` alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from _pytest.mark import ParameterSet

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def leave_to_soak(cases: Iterable[Any], *, every: int) -> Sequence[ParameterSet]:
    """Return the values of one parameter: one in `every` is tried each time, others with `--soak`.

    A value in a `pytest.param` keeps its id.
    """
    rows = (case if isinstance(case, ParameterSet) else pytest.param(case) for case in cases)
    return leave_rows_to_soak(rows, every=every)


def leave_rows_to_soak(rows: Iterable[Any], *, every: int) -> Sequence[ParameterSet]:
    """Do the same with rows: each has one value for each of several parameters."""
    sets = [row if isinstance(row, ParameterSet) else pytest.param(*row) for row in rows]
    return [
        each._replace(marks=(*each.marks, pytest.mark.soak)) if number % every else each
        for number, each in enumerate(sets)
    ]
