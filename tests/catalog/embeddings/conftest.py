"""Tests of the model itself are there where the model is: with the extra `vectors`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from cortexfs.catalog.embeddings.embedding_model import SWITCH_VARIABLE, find_installed_model

if TYPE_CHECKING:
    from pathlib import Path

collect_ignore = [] if find_installed_model() else ["test_installed_model.py"]


@pytest.fixture(autouse=True)
def _with_model(world: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the installed model, which other tests switch off."""
    assert world
    monkeypatch.delenv(SWITCH_VARIABLE)
