"""Our block in a foreign file can be inserted, replaced and removed, and no other byte changes."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.bridge.digest_block import (
    BEGIN,
    END,
    insert_block,
    remove_block,
    strip_digest,
)

LINES = st.lists(st.sampled_from(["", "abc", "- a fact", "## Head", "\r", "<!-- x -->", "é"]))
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"]))


@given(TEXTS)
def test_removing_an_inserted_block_restores_the_file(text: str) -> None:
    with_block = insert_block(text, "- one [flywheel/OBS-001]")
    assert BEGIN in with_block
    assert remove_block(with_block) == text
    assert insert_block(with_block, "") == text


@given(TEXTS)
def test_a_second_insertion_replaces_the_first(text: str) -> None:
    once = insert_block(text, "- one")
    assert insert_block(once, "- one") == once
    twice = insert_block(once, "- two")
    assert "- one" not in twice
    assert twice == insert_block(text, "- two")


@given(TEXTS, TEXTS)
def test_a_block_in_the_middle_stays_there(above: str, below: str) -> None:
    text = f"{insert_block(above, '- one')}{below}"
    assert insert_block(text, "- two") == f"{insert_block(above, '- two')}{below}"


def test_lines_around_a_block_are_never_joined() -> None:
    assert remove_block(f"abc\n{BEGIN}\nx\n{END}\nmore\n") == "abc\nmore\n"
    assert remove_block(f"abc\n\n{BEGIN}\nx\n{END}\nmore\n") == "abc\nmore\n"


@pytest.mark.parametrize(
    "text",
    [
        f"Mine\n{BEGIN}\nours\n{END}\n",
        f"Mine\n{BEGIN}\nours\nand a block without end\n",
        "Mine\n- Copied fact [flywheel/OBS-117]\n",
        "Mine\n* Copied (personal) fact [OBS-117]  \n",
    ],
)
def test_nothing_of_a_digest_is_learned_again(text: str) -> None:
    assert strip_digest(text).strip() == "Mine"


def test_a_marker_within_a_line_is_text() -> None:
    text = f"Use `{BEGIN}` and `{END}` as markers, see OBS-117\n"
    assert strip_digest(text) == remove_block(text) == text


@pytest.mark.parametrize(
    "mine",
    [
        f"# Notes\n{BEGIN}\nmine\n",
        f"```\n{BEGIN}\n```\nmine\n",
        f"{BEGIN}\nmine\n{BEGIN}\nold digest\n{END}\n",
    ],
)
def test_text_after_a_beginning_without_an_end_is_never_removed(mine: str) -> None:
    once = insert_block(mine, "- one")
    twice = insert_block(once, "- two")
    assert [text.count("mine") for text in (once, twice, remove_block(twice))] == [1, 1, 1]
    assert twice.count("- two") == 1
    assert "- one" not in twice
    assert "mine" not in strip_digest(twice)


@pytest.mark.parametrize("piece", [f"{BEGIN}\n", f"{END}\n", f"{BEGIN}\n{END}\n", f"a\n{BEGIN}\n"])
def test_hostile_text_takes_linear_time(piece: str) -> None:
    began = time.process_time()
    text = piece * (1_000_000 // len(piece))
    insert_block(text, "- one")
    strip_digest(text)
    assert time.process_time() - began < 2
