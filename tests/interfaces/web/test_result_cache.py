"""Results of pages are those of the present state, and no others are kept."""

from __future__ import annotations

import gc
import weakref
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.interfaces.web.result_cache import ResultCache
from cortexfs.operations.read_tree_state import TreeState
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

PATH = "projects/driftwood/STATUS.md"


class _Result:
    """Something that is computed."""


def test_results_end_with_their_state_and_are_forgotten(sample: Place) -> None:
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    results = ResultCache(session, TreeState(session))
    first = results.get("a", _Result)
    assert results.get("a", _Result) is first
    assert results.get("b", _Result) is not first
    forgotten = weakref.ref(first)
    del first
    sample.write(PATH, sample.read(PATH) + "more\n")
    results.get("b", _Result)
    gc.collect()
    assert forgotten() is None


def test_a_commit_ends_only_results_that_depend_on_commits(sample: Place) -> None:
    session = Session.open(str(sample.root), lambda: datetime(2026, 5, 6, tzinfo=UTC))
    sample.write(PATH, sample.read(PATH) + "more\n")
    results = ResultCache(session, TreeState(session))
    of_files = results.get("a", _Result, of_files_alone=True)
    of_commits = results.get("a", _Result)
    sample.git("commit", "-q", "-m", "by hand", "--", PATH)
    assert results.get("a", _Result, of_files_alone=True) is of_files
    assert results.get("a", _Result) is not of_commits
