"""What takes long is shown as of the previous state, and says so, until the next is computed."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from cortexfs.errors import Refused
from cortexfs.interfaces.web import older_results as module
from cortexfs.interfaces.web.older_results import OlderResults, Shown
from cortexfs.interfaces.web.result_cache import ResultCache
from cortexfs.operations.read_tree_state import TreeState
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

PATH = "projects/driftwood/STATUS.md"
NOW = datetime(2026, 5, 6, tzinfo=UTC)


@pytest.fixture
def older(sample: Place, monkeypatch: pytest.MonkeyPatch) -> OlderResults:
    monkeypatch.setattr(module, "DELAY_S", 0.0)
    session = Session.open(str(sample.root), lambda: NOW)
    return OlderResults(ResultCache(session, TreeState(session)))


def test_what_takes_long_is_shown_as_of_the_previous_state(
    sample: Place, older: OlderResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONG_S", 0.0)
    before = sample.read(PATH)
    assert older.get("a", lambda: sample.read(PATH)) == Shown(before)
    sample.write(PATH, before + "more\n")
    assert older.get("a", lambda: sample.read(PATH)) == Shown(before, NOW)
    older.finish()
    assert older.get("a", lambda: sample.read(PATH)) == Shown(before + "more\n")


def test_what_is_soon_computed_is_never_older(sample: Place, older: OlderResults) -> None:
    older.get("a", lambda: sample.read(PATH))
    sample.write(PATH, sample.read(PATH) + "more\n")
    assert older.get("a", lambda: sample.read(PATH)) == Shown(sample.read(PATH))


def test_what_was_forgotten_is_not_shown_again(
    sample: Place, older: OlderResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONG_S", 0.0)
    older.get("a", lambda: "before")
    sample.write(PATH, sample.read(PATH) + "more\n")

    def forget_meanwhile() -> str:
        older.forget()
        return "begun before"

    assert older.get("a", forget_meanwhile) == Shown("before", NOW)
    older.finish()
    sample.write(PATH, sample.read(PATH) + "still more\n")
    assert older.get("a", lambda: "after") == Shown("after")


def test_a_refusal_in_the_background_is_raised_by_the_next_request(
    sample: Place, older: OlderResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONG_S", 0.0)
    older.get("a", lambda: "before")
    sample.write(PATH, sample.read(PATH) + "more\n")

    def refuse() -> str:
        raise Refused("not now")

    assert older.get("a", refuse) == Shown("before", NOW)
    older.finish()
    with pytest.raises(Refused):
        older.get("a", refuse)


def test_only_the_latest_results_are_kept(
    sample: Place, older: OlderResults, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LONG_S", 0.0)
    for number in range(module.MAX_KEPT + 1):
        older.get(number, lambda: "before")
    sample.write(PATH, sample.read(PATH) + "more\n")
    assert older.get(0, lambda: "after") == Shown("after")
    assert older.get(module.MAX_KEPT, lambda: "after") == Shown("before", NOW)
    older.finish()
