"""Two contents have the same digest if only case and white space differ."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.memory.content_digest import compute_memory_digest


@pytest.mark.parametrize("text", ["JWT in  Cookies", " jwt\tin\n\ncookies ", "jwt in cookies"])
def test_case_and_white_space_do_not_matter(text: str) -> None:
    assert compute_memory_digest(text) == hashlib.sha256(b"jwt in cookies").digest()


@pytest.mark.parametrize("other", ["jwt in cookie", "jwtin cookies", "jwt in cookies.", ""])
def test_any_other_difference_matters(other: str) -> None:
    assert compute_memory_digest(other) != compute_memory_digest("jwt in cookies")


@given(st.text())
def test_every_text_has_a_digest(text: str) -> None:
    assert compute_memory_digest(f"\n{text}\r\n") == compute_memory_digest(text)
    assert compute_memory_digest("\ud800") != compute_memory_digest("\ud801")
