"""Changes made in the panel: each is a commit, each can be undone, nothing is overwritten."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, open_browser
from running_server import run_server_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

ATOM = "projects/driftwood/experiments/EXP-006.md"


@pytest.fixture
def browser(sample: Place) -> Iterator[Browser]:
    with run_server_of(sample) as running:
        yield open_browser(running)


def last_message(place: Place) -> str:
    return place.git("log", "-1", "--format=%s").strip()


def test_selected_atoms_are_changed_in_one_commit_that_one_undo_takes_back(
    browser: Browser, sample: Place
) -> None:
    before = sample.read(ATOM)
    refs = ["driftwood/EXP-006", "driftwood/EXP-007"]
    page = browser.post("/all/change", ref=refs, change="archive", reason="old", back="/all")
    assert last_message(sample) == "archive selected atoms: old"
    assert "deprecated" in sample.read(ATOM)
    assert "archive selected atoms: old" in "".join(page.by_id("toast").itertext())
    (commit,) = [e.get("value") for e in page.by_id("toast").iter() if e.get("name") == "commit"]
    page = browser.post("/undo", commit=commit, back="/all")
    assert sample.read(ATOM) == before
    assert "undo: archive" in "".join(page.by_id("toast").itertext())


def test_all_matches_can_be_selected(browser: Browser, sample: Place) -> None:
    shown = "/all?kind=pattern&project=driftwood"
    browser.post("/all/change", everything="yes", change="archive", back=shown, filters=shown)
    assert browser.post("/all/change", everything="yes", change="archive").status == 400
    statuses = sample.ok("list", "--kind", "pattern").splitlines()
    assert sum("deprecated" in line for line in statuses) == 3


def test_what_was_refused_is_named_and_the_rest_is_done(browser: Browser, sample: Place) -> None:
    page = browser.post(
        "/all/change", ref=["DR-0001", "driftwood/EXP-006"], change="archive", back="/all"
    )
    assert page.status == 200
    assert "1 atom changed" in page.main()
    assert "DR-0001" in page.main()
    assert "deprecated" in sample.read(ATOM)


def test_a_preview_writes_nothing(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    page = browser.post(
        "/atom/driftwood/EXP-006", change="stale", step="preview", back="/atom/driftwood/EXP-006"
    )
    assert "1 atom would change" in page.main()
    assert [each.itertext for each in page.find_all("ins")]
    page = browser.post("/findings", all="yes", step="preview")
    assert "Nothing is written yet" in page.main()
    assert sample.git("rev-parse", "HEAD") == head
    assert not sample.git("status", "--short")


def test_an_atom_is_marked_and_restored(browser: Browser, sample: Place) -> None:
    browser.post("/atom/driftwood/EXP-016", change="invalidated", reason="measured wrongly")
    path = "projects/driftwood/experiments/EXP-016.md"
    assert "invalidated" in sample.read(path)
    page = browser.post("/atom/driftwood/EXP-016", change="restore")
    assert page.status == 200
    assert "invalidated" not in sample.read(path).partition("---\n\n")[0]


def test_a_decision_is_accepted_where_it_is_shown(browser: Browser, sample: Place) -> None:
    page = browser.post("/atom/DR-0003", change="accepted")
    assert page.status == 200, page.main()
    assert "accepted" in sample.ok("list", "--kind", "decision", "--status", "accepted")


def test_findings_are_fixed_by_a_button(browser: Browser, sample: Place) -> None:
    assert "status-case" in browser.get("/findings").main()
    page = browser.post("/findings", all="yes", step="apply")
    assert "status-case" not in page.main()
    assert last_message(sample) == "check: fix what is safe"


def test_without_the_token_of_the_page_nothing_changes(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    browser.csrf = "made-up"
    for path in ("/all/change", "/undo", "/atom/DR-0003", "/edit/DR-0003", "/findings"):
        page = browser.post(path, ref="DR-0003", change="accepted", commit=head.strip())
        assert page.status == 403
    assert sample.git("rev-parse", "HEAD") == head


def test_a_change_does_not_lead_to_another_server(browser: Browser) -> None:
    for back in ("//elsewhere.example", "/\\elsewhere.example", "https://elsewhere.example"):
        page = browser.post("/preferences", _follow=False, theme="light", back=back)
        assert page.headers["location"] == "/"


def test_the_state_changes_with_the_tree(browser: Browser, sample: Place) -> None:
    first = browser.get("/changes").text
    assert browser.get("/changes").text == first
    sample.ok("mark", "driftwood/EXP-006", "partial")
    browser.server.session.refresh()
    assert browser.get("/changes").text != first


def test_what_a_command_changes_is_on_the_next_page(browser: Browser, sample: Place) -> None:
    browser.get("/")
    sample.ok("mark", "driftwood/EXP-006", "partial", "--reason", "seen elsewhere")
    browser.server.session.refresh()
    assert "seen elsewhere" in browser.get("/").main()


def test_a_status_is_chosen_before_it_is_applied(browser: Browser) -> None:
    (field,) = [
        e for e in browser.get("/atom/DR-0003").find_all("select") if e.get("id") == "change"
    ]
    assert (field[0].get("value"), field.get("required")) == ("", "")
