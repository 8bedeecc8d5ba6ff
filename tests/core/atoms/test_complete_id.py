"""Ids as people type them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.atoms.complete_id import complete_id
from cortexfs.core.atoms.kinds import BUILT_IN, Kinds

if TYPE_CHECKING:
    from cortexfs.core.atoms.kind import Kind

KINDS = Kinds()


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("K1", "K-001"),
        ("k-1", "K-001"),
        ("K009", "K-009"),
        ("exp4", "EXP-004"),
        ("exp4b", "EXP-004b"),
        ("dr-7", "DR-0007"),
        ("driftwood/exp12", "driftwood/EXP-012"),
        ("exp1234", "EXP-1234"),
        ("K-0001", "K-0001"),
        ("k-001", "k-001"),
        ("mp3", "mp3"),
        ("k\u0661", "k\u0661"),
        ("K", "K"),
        ("", ""),
    ],
)
def test_an_id_is_completed_where_it_lacks_something(typed: str, completed: str) -> None:
    assert complete_id(typed, KINDS) == completed


@given(st.sampled_from(BUILT_IN), st.integers(1, 99_999), st.sampled_from(["", "flywheel/"]))
def test_every_short_form_of_an_id_is_completed_to_it(kind: Kind, number: int, head: str) -> None:
    full = head + kind.format_id(number)
    assert complete_id(full, KINDS) == full
    assert complete_id(f"{head}{kind.prefix.lower()}{number}", KINDS) == full
    assert complete_id(complete_id(f"{head}{kind.prefix}{number}", KINDS), KINDS) == full
