"""Locks that nobody waits for."""

from __future__ import annotations

import stat
from typing import TYPE_CHECKING

import pytest

from cortexfs.tree.try_lock import try_private_lock

if TYPE_CHECKING:
    from pathlib import Path


def test_a_lock_is_free_again_at_the_end_of_its_block(tmp_path: Path) -> None:
    for _ in range(2):
        with (
            try_private_lock(str(tmp_path), "a/lock") as first,
            try_private_lock(str(tmp_path), "a/lock") as second,
        ):
            assert (first, second) == (True, False)
    assert stat.S_IMODE((tmp_path / ".cortexfs/a/lock").stat().st_mode) == 0o600


def test_a_lock_is_released_by_an_error_in_its_block(tmp_path: Path) -> None:
    with pytest.raises(KeyError), try_private_lock(str(tmp_path), "lock"):
        raise KeyError
    with try_private_lock(str(tmp_path), "lock") as is_free:
        assert is_free


def test_a_link_in_the_place_of_a_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".cortexfs").mkdir()
    (tmp_path / ".cortexfs/lock").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError), try_private_lock(str(tmp_path), "lock"):  # noqa: PT011 - ELOOP
        pass
    assert not (tmp_path / "outside").exists()
