"""Stories in the terminal panel: the list, the chunks of one, what was said."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from panel_driver import drive
from story_scenes import FOLDER, build_story

if TYPE_CHECKING:
    from pathlib import Path

    from panel_driver import Panel
    from place import CopyTree

HOSTILE = "[link=x]\x1b[31mred\x1b[0m\u202e"


def test_a_story_is_opened_to_its_last_chunk(tmp_path: Path, copy_tree: CopyTree) -> None:
    async def act(panel: Panel) -> tuple[str, str, str]:
        await panel.press("e")
        await panel.until("flywheel/ferry")
        stories = panel.frame
        await panel.press("enter")
        await panel.until("CH-0015")
        chunks = panel.frame
        await panel.press("enter")
        await panel.until("You kept your promise.")
        return stories, chunks, panel.frame

    stories, chunks, chunk = drive(copy_tree(tmp_path / "tree", build_story), act)
    assert "60 messages · 5 speakers · 15 chunks" in stories
    assert "Merges" not in stories.partition("\n")[0]
    assert stories.partition("\n")[0].endswith("Stories")
    assert chunks.index("CH-0015") < chunks.index("CH-0014")
    assert "Tamsin 19" in chunks
    assert "57-60" in chunks
    assert "flywheel/CH-0015" in chunk


def test_chunks_are_sorted_by_salience(tmp_path: Path, copy_tree: CopyTree) -> None:
    async def act(panel: Panel) -> str:
        await panel.press("e")
        await panel.until("flywheel/ferry")
        await panel.press("enter")
        await panel.until("CH-0015")
        await panel.press("o")
        await panel.until("by salience")
        await panel.until_loaded()
        return panel.frame

    frame = drive(copy_tree(tmp_path / "tree", build_story), act)
    shown = [float(row.split()[2]) for row in frame.split("\n") if row.startswith(" CH-")]
    assert len(shown) > 5
    assert shown == sorted(shown, reverse=True)


def test_what_a_chat_says_is_never_markup(tmp_path: Path, copy_tree: CopyTree) -> None:
    place = copy_tree(tmp_path / "tree", build_story)
    path = f"{FOLDER}/chunks/CH-0015.md"
    line = f"summary: {json.dumps(HOSTILE)}"
    place.write(path, re.sub("(?m)^summary: .*$", lambda _: line, place.read(path)))

    async def act(panel: Panel) -> str:
        await panel.press("e")
        await panel.until("flywheel/ferry")
        await panel.press("enter")
        await panel.until("CH-0015")
        return panel.frame

    frame = drive(place, act)
    assert "[link=x]" in frame
    assert "\x1b" not in frame
    assert "\u202e" not in frame
