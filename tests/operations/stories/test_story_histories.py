"""Laws of stories: what is made bit by bit is what is made at once, and no hand edit is lost."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from place import build_tree
from story_history import (
    CHAT_STEPS,
    HAND_STEPS,
    PROJECT,
    WRITE,
    StoryHistory,
    snapshot,
)

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.operations.stories.rebuild_story import rebuild_story

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree

HISTORIES = max(2, settings().max_examples // 3)
numbers = st.integers(0, 10_000)


def histories(*steps: str) -> st.SearchStrategy[list[tuple[str, int]]]:
    return st.lists(st.tuples(st.sampled_from(steps), numbers), min_size=3, max_size=14)


@pytest.fixture(scope="module")
def roots(tmp_path_factory: pytest.TempPathFactory, copy_tree: CopyTree) -> tuple[Path, Path]:
    """Two trees whose chunks have three messages."""
    found = []
    for name in ("grown", "fresh"):
        place = copy_tree(tmp_path_factory.mktemp(name) / "tree", build_tree)
        place.write("cortexfs.yaml", "stories:\n  messages-per-chunk: 3\n")
        found.append(place.root)
    return found[0], found[1]


@settings(max_examples=HISTORIES, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(histories(*CHAT_STEPS))
def test_a_story_that_grew_is_the_story_that_is_built_at_once(
    roots: tuple[Path, Path], steps: list[tuple[str, int]]
) -> None:
    grown = StoryHistory(roots[0])
    for step, at in (("lengthen", 3), *steps):
        getattr(grown, step)(at)
    fresh = StoryHistory(roots[1])
    shutil.copytree(roots[0] / PROJECT / "chats", roots[1] / PROJECT / "chats")
    (roots[1] / PROJECT / "chats/_generated.tsv").unlink(missing_ok=True)
    fresh.reopen()
    rebuild_story(fresh.session, "flywheel", "road", mode=WRITE)
    found, expected = snapshot(roots[0]), snapshot(roots[1])
    assert found.keys() == expected.keys()
    for path, text in expected.items():
        assert found[path] == text
    grown.session.close()
    fresh.session.close()


@settings(max_examples=HISTORIES, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(histories(*CHAT_STEPS, *HAND_STEPS, *HAND_STEPS))
def test_no_step_loses_what_a_person_decided(
    roots: tuple[Path, Path], steps: list[tuple[str, int]]
) -> None:
    history = StoryHistory(roots[0])
    for step, at in (("lengthen", 3), ("lengthen", 7), *steps, ("append", 4), ("rebuild", 1)):
        getattr(history, step)(at)
        if step in CHAT_STEPS:
            assert history.find_lost() == []
    history.forget_what_is_kept()
    plan = rebuild_story(history.session, "flywheel", "road", mode=ExecutionMode.DRY_RUN).plan
    assert (plan.writes, plan.removes, plan.appends) == ((), (), ())
    history.session.close()
