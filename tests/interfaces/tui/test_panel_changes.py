"""A change shows its plan, is made when the person agrees, and is undone by one key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from panel_driver import drive

from cortexfs.session.tree_lock import hold_tree_lock

if TYPE_CHECKING:
    from panel_driver import Panel
    from place import Place

OBSERVATION = "projects/lighthouse/observations/OBS-006.md"


def head(place: Place) -> str:
    return place.git("log", "-1", "--format=%s").strip()


@pytest.mark.soak
def test_a_memory_is_archived_and_comes_back(worked_in: Place) -> None:
    before = worked_in.read(OBSERVATION)

    async def act(panel: Panel) -> None:
        await panel.press("3")
        await panel.until("lighthouse/OBS-006")
        await panel.press("d")
        await panel.until("+deleted-at")
        await panel.press("escape")
        assert worked_in.read(OBSERVATION) == before, "nothing happens without an answer"
        await panel.press("d")
        await panel.until("+deleted-at")
        await panel.press("y")
        await panel.until("u undoes it")
        assert "deleted-at" in worked_in.read(OBSERVATION)
        assert head(worked_in).startswith("archive lighthouse/OBS-006")
        worked_in.ok("new", "idea", "-s", "Made elsewhere meanwhile", "-t", "codec")
        await panel.press("u")
        await panel.until("undo: archive lighthouse/OBS-006")
        await panel.until("-deleted-at")
        await panel.press("y")
        await panel.until("Cancel", absent=True)

    drive(worked_in, act)
    assert worked_in.read(OBSERVATION) == before
    assert head(worked_in).startswith("undo: archive")


@pytest.mark.soak
def test_a_status_is_planned_while_it_is_typed_and_a_refusal_is_explained(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("/", *"bitmap", "enter")
        await panel.until("driftwood/EXP-014")
        await panel.press("m")
        await panel.until("Status is missing")
        await panel.press(*"inval")
        await panel.until("hint: statuses are")
        await panel.press("tab", "tab", *"It was a typo")
        await panel.until("invalidated: It was a typo")
        await panel.press("tab", "y")
        await panel.until("u undoes it")

    drive(worked_in, act)
    assert head(worked_in).startswith("mark ")


def test_a_decision_is_accepted_and_a_task_done(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("7")
        await panel.until("DR-0003")
        await panel.press("a")
        await panel.until("+status: accepted")
        await panel.press("tab", "y")
        await panel.until("u undoes it")
        assert "accept" in head(worked_in)
        await panel.press("6")
        await panel.until("51e0")
        await panel.press("x")
        await panel.until("+    status: done")
        await panel.press("tab", "y")
        await panel.until("Cancel (Esc)", absent=True)

    drive(worked_in, act)
    assert "51e0" in head(worked_in)


def test_a_change_that_is_being_made_is_neither_left_nor_made_twice(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("7")
        await panel.until("DR-0003")
        await panel.press("a", *"cheap")
        await panel.until("DR-0003 accepted: cheap")
        await panel.press("tab")
        with hold_tree_lock(str(worked_in.root), "cortexfs commit", 0.0):
            await panel.press("y", "escape", "n", "ctrl+p", "shift+tab", "x", "tab", "y")
            assert "Cancel (Esc)" in panel.frame
            assert "cheapx" not in panel.frame
        await panel.until("u undoes it")
        assert worked_in.git("log", "--format=%s").count("accept") == 1
        await panel.press("u")
        await panel.until("undo: decision DR-0003 accepted: cheap")

    drive(worked_in, act)


@pytest.mark.soak
def test_proposed_merges_are_accepted_undone_and_rejected(worked_in: Place) -> None:
    pair = "driftwood/OBS-001 → lighthouse/OBS-004"

    async def act(panel: Panel) -> None:
        await panel.press("p")
        await panel.until(pair)
        await panel.press("a")
        await panel.until("+relations: [supersedes driftwood/OBS-001]")
        await panel.press("tab", "y")
        await panel.until("u undoes it")
        await panel.until(pair, absent=True)
        assert head(worked_in).startswith("merge driftwood/OBS-001 into lighthouse/OBS-004")
        await panel.press("u")
        await panel.until("undo: merge")
        await panel.until("-relations")
        await panel.press("y")
        await panel.until(pair)
        await panel.press("g", "n")
        await panel.until("+reviewed")
        await panel.press("y")
        await panel.until("u undoes it")
        await panel.until(pair, absent=True)

    drive(worked_in, act)
    assert head(worked_in).startswith("reject the merge of lighthouse/OBS-004 and")


def test_the_panel_ends_after_the_change_that_it_makes(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("3")
        await panel.until("lighthouse/OBS-006")
        await panel.press("d")
        await panel.until("+deleted-at")
        with hold_tree_lock(str(worked_in.root), "cortexfs commit", 0.0):
            await panel.press("y")
            panel.app.exit()

    drive(worked_in, act)
    assert head(worked_in).startswith("archive lighthouse/OBS-006")
    assert worked_in.git("status", "--short") == ""


@pytest.mark.soak
def test_what_other_files_name_is_not_removed(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("/", *"bitmap", "enter")
        await panel.until("driftwood/EXP-014")
        await panel.press("d")
        await panel.until("hint:")
        await panel.press("y", "escape")

    drive(worked_in, act)
    assert (worked_in.root / "projects/driftwood/experiments/EXP-014.md").exists()


@pytest.mark.soak
def test_a_client_is_connected_after_its_change_was_shown(worked_in: Place) -> None:
    settings = Path.home() / ".cursor/mcp.json"

    async def act(panel: Panel) -> None:
        await panel.press("0")
        await panel.until("Cursor")
        await panel.press("j", "j", "j", "j", "enter")
        await panel.until('"mcpServers"')
        assert not settings.exists()
        await panel.press("y")
        await panel.until(" connected")
        assert settings.exists()
        await panel.press("d")
        await panel.until("disconnect cursor")
        await panel.until("-")
        await panel.press("y")
        await panel.until("Cancel", absent=True)

    drive(worked_in, act)
