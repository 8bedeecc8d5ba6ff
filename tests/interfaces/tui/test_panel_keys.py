"""Keys lead through the pages, and back to where one was."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from panel_driver import drive

if TYPE_CHECKING:
    from panel_driver import Panel
    from place import Place

ATOM = """---
id: EXP-{number}
date: 2026-04-01
project: driftwood
summary: "Measurement {number}"
tags: [many]
---
"""


def test_a_page_leads_to_another_and_back_to_the_same_row(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("4")
        await panel.until("Compared codecs")
        await panel.press("j", "enter")
        await panel.until("/src/driftwood")
        await panel.press("j", "j", "t")
        assert "▶ The pager read" in await panel.until("Timeline")
        await panel.press("enter")
        assert "by agent · session 3f2a81c0-77aa · mem_save" in await panel.until("measured on")
        await panel.press("escape", "escape", "escape")
        await panel.until("Compared codecs")
        assert panel.app.view.table.cursor_row == 1
        await panel.press("escape")
        await panel.until("decide")
        await panel.press("q")
        assert panel.app._exit

    drive(worked_in, act)


TYPED_AHEAD = (
    ("4jkj\n", "/src/driftwood"),
    ("4\nj\n", "See driftwood/EXP-014."),
    ("3jjjj\nt1/gaps\nj\n", "Search > Atom driftwood/K-008"),
    ("8j\nj\nq", "Graph > Graph driftwood/EXP-005"),
    ("5\nooGk\n", "Project driftwood > Atom driftwood/PRM-0001"),
    ("?q3ma stale", "no status `a stale`"),
)
"""Keys, and what they lead to however fast they come; a line end is Enter."""


@pytest.mark.soak
def test_keys_that_are_typed_ahead_wait_for_their_page(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        for keys, text in TYPED_AHEAD:
            panel.type_ahead(*("enter" if key == "\n" else key for key in keys))
            await panel.until(text)

    drive(worked_in, act)


def test_a_page_that_is_being_loaded_shows_its_beginning_and_can_be_left(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        with panel.app.context.session.reader.updates.hold():  # the links cannot be read now
            panel.type_ahead("8", "escape", "8")
            assert "driftwood/K-005" in await panel.until("reading the links")
            await panel.press("?")
            await panel.until("accept a decision")
            await panel.press("escape", "enter")
            await panel.until("Graph > Atom driftwood/K-005 ")
            panel.type_ahead("j", "escape")
            await panel.until("reading the links")
        assert "reading" not in await panel.until("├ driftwood/EXP-005")

    drive(worked_in, act)


@pytest.mark.soak
def test_words_are_searched_while_they_are_typed(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("/", *"gaps")
        await panel.until("driftwood/K-008")
        assert panel.app.view.query_field.value == "gaps"  # letters of it are keys elsewhere
        await panel.press("enter", "enter")
        await panel.until("Search > Atom driftwood/EXP-014")
        await panel.press("escape", "/", *" zzzqqq")
        assert panel.app.view.query_field.value == "gaps zzzqqq"
        panel.app.view.query_field.value = "zzzqqq"
        await panel.until('Nothing matches "zzzqqq"')

    drive(worked_in, act)


def test_a_page_that_is_no_atom_is_opened_from_the_search(worked_in: Place) -> None:
    async def act(panel: Panel) -> str:
        await panel.press("/", *"decoder board", "enter")
        await panel.until("by ")
        await panel.press("G", "enter")
        return await panel.until("Search > Page ")

    frame = drive(worked_in, act)
    assert "changed     " in frame


def test_a_graph_can_be_walked(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("8")
        await panel.until("├ driftwood/EXP-005")
        await panel.press("j", "enter")
        assert "DR-0002" in await panel.until("Graph > Graph driftwood/EXP-005")
        await panel.press("enter")
        await panel.until("Atom driftwood/EXP-005")

    drive(worked_in, act)


@pytest.mark.soak
def test_more_rows_are_loaded_when_the_cursor_comes_near_the_end(worked_in: Place) -> None:
    for number in range(200, 350):
        worked_in.write(
            f"projects/driftwood/experiments/EXP-{number}.md", ATOM.format(number=number)
        )

    async def act(panel: Panel) -> None:
        await panel.press("3")
        assert "1-100 of 230" in await panel.until("1-100")
        await panel.press("G")
        assert "by date · 230" in await panel.until("by date · 230")
        assert panel.app.view.table.cursor_row == 99
        await panel.press("G")
        assert panel.app.view.table.cursor_row == 229

    drive(worked_in, act)


@pytest.mark.soak
def test_an_order_is_chosen_in_turn(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("5", "enter")
        await panel.until("by reads")
        await panel.press("o")
        await panel.until("by date")
        await panel.press("o")
        await panel.until("by id")

    drive(worked_in, act)


def test_a_change_made_elsewhere_is_shown(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("3")
        await panel.until("DR-0003")
        await panel.press("j")
        row = panel.app.view.row
        worked_in.write(
            "projects/driftwood/experiments/EXP-900.md",
            ATOM.format(number=900).replace("2026-04-01", "2026-05-07"),
        )
        await panel.until("Measurement 900")
        assert row
        assert panel.app.view.row
        assert panel.app.view.row.key == row.key, "the cursor stays on its row"

    drive(worked_in, act)


def test_a_failure_is_no_empty_page_and_ends_by_itself(worked_in: Place) -> None:
    away = worked_in.root.with_name("away")

    async def act(panel: Panel) -> None:
        await panel.press("3")
        await panel.until("DR-0003")
        os.rename(worked_in.root, away)
        await panel.until("r tries again")
        assert "No atoms" not in panel.frame
        os.rename(away, worked_in.root)
        await panel.until("DR-0003")

    drive(worked_in, act)


def test_an_empty_page_says_how_it_is_filled(tree: Place) -> None:
    async def act(panel: Panel) -> None:
        for key, hint in (("4", "agents that are connected"), ("6", "cortexfs task add")):
            await panel.press(key)
            await panel.until(hint)

    drive(tree, act)


@pytest.mark.soak
def test_tabs_and_keys_can_be_clicked(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.pilot.click("#tabs", offset=(15, 0))
        await panel.until("by date")
        at = panel.frame.splitlines()[-1].index("q back")
        await panel.pilot.click("#keys", offset=(at, 0))
        await panel.until("Whoever corrects")

    drive(worked_in, act)


@pytest.mark.soak
def test_the_palette_and_the_keys_name_everything(worked_in: Place) -> None:
    async def act(panel: Panel) -> None:
        await panel.press("?")
        await panel.until("accept a decision")
        await panel.press("escape", ":")
        await panel.until("What is wrong, and how to fix it")
        await panel.press(*"health", "enter")
        await panel.until("failed check")

    drive(worked_in, act)
