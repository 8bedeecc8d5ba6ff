"""The board of tasks: every change from its card, several at once, each with a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, Page, open_browser
from running_server import run_server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

BOARD = "projects/driftwood/TASKS.yaml"
READY, OTHER = "driftwood/51e0", "driftwood/8d13"


@pytest.fixture
def browser(sample: Place) -> Iterator[Browser]:
    with run_server_of(sample) as running:
        yield open_browser(running)


def find_column(board: Page, task: str) -> str:
    """Return the column of a task on the board."""
    key = f"task-{task.replace('/', '-')}"
    columns = [each for each in board.find_all("section") if each.get("data-column")]
    (found,) = [
        str(each.get("data-column"))
        for each in columns
        if any(card.get("id") == key for card in each.iter())
    ]
    return found


def test_a_task_goes_through_all_columns_and_each_step_is_undone(
    browser: Browser, sample: Place
) -> None:
    for verb, column in (
        ("claim", "claimed"),
        ("unclaim", "ready"),
        ("pause", "waiting"),
        ("resume", "ready"),
        ("block", "waiting"),
        ("unblock", "ready"),
        ("assign", "claimed"),
        ("done", "done"),
    ):
        before = sample.read(BOARD)
        page = browser.post("/tasks/change", ref=READY, do=verb, text="bench-02", back="/tasks")
        assert page.status == 200, page.main()
        assert find_column(page, READY) == column
        after = sample.read(BOARD)
        (commit,) = [
            e.get("value") for e in page.by_id("toast").iter() if e.get("name") == "commit"
        ]
        browser.post("/undo", _follow=False, commit=commit, back="/tasks")
        assert sample.read(BOARD) == before
        again = {"ref": READY, "do": verb, "text": "bench-02", "back": "/tasks"}
        browser.post("/tasks/change", _follow=False, **again)
        assert sample.read(BOARD) == after
    assert (
        "claimed-by: bench-02" not in sample.read(BOARD).partition("8d13")[0].partition("51e0")[2]
    )


def test_several_tasks_are_previewed_changed_in_one_commit_and_undone_at_once(
    browser: Browser, sample: Place
) -> None:
    before, head = sample.read(BOARD), sample.git("rev-parse", "HEAD")
    fields = {"ref": [READY, OTHER, "driftwood/c4d2"], "do": "done", "back": "/tasks"}
    page = browser.post("/tasks/change", step="preview", **fields)
    assert "2 tasks would change" in page.main()
    assert "is blocked" in page.main()
    assert sample.git("rev-parse", "HEAD") == head
    page = browser.post("/tasks/change", step="apply", **fields)
    assert "2 tasks changed" in page.main()
    assert len(sample.git("rev-list", f"{head.strip()}..HEAD").split()) == 1
    (commit,) = {e.get("value") for e in page.find_all("input") if e.get("name") == "commit"}
    browser.post("/undo", commit=commit, back="/tasks")
    assert sample.read(BOARD) == before


def test_a_new_task_is_previewed_and_added(browser: Browser, sample: Place) -> None:
    before = sample.read(BOARD)
    fields = {"project": "driftwood", "text": "Weigh <b>it</b>", "priority": "high"}
    page = browser.post("/tasks/new", step="preview", **fields)
    assert "Nothing is written yet" in page.main()
    assert sample.read(BOARD) == before
    page = browser.post("/tasks/new", step="apply", back="/tasks", **fields)
    assert "Weigh <b>it</b>" in page.main()
    assert browser.post("/tasks/new", project="driftwood", text="").status == 409
    assert browser.post("/tasks/new", project="nobody", text="x").status == 404


def test_the_board_is_filtered_counted_and_sorted_by_the_server(browser: Browser) -> None:
    every = browser.get("/tasks").main()
    found = browser.get("/tasks?project=driftwood&priority=low").main()
    assert "3 of 18 tasks" in found
    assert "18 of 18 tasks, 15 open" in every
    assert "Open tasks 15" in browser.get("/").main()
    assert "Nothing matches" in browser.get("/tasks?q=nothing-like-this").main()
    assert "1 of 18 tasks" in browser.get("/tasks?owner=bench-01").main()
    assert browser.get("/tasks?sort=colour").status == 400
    assert browser.post("/tasks/change", ref=READY, do="").status == 400


def test_a_board_that_cannot_be_read_is_named_and_the_others_are_shown(
    browser: Browser, sample: Place
) -> None:
    sample.write(BOARD, "tasks: [")
    page = browser.get("/tasks").main()
    assert BOARD in page
    assert "Its tasks are not shown" in page
    assert "lighthouse" in page
    refused = browser.post("/tasks/change", ref=READY, do="claim", back="/tasks")
    assert "1 task refused" in refused.main()
