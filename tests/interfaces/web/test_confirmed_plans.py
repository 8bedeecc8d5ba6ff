"""A preview stands for one plan: exactly that is done, or the new one is shown and nothing done."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from panel_browser import Browser, Page, open_browser
from running_server import run_server_of
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from place import Place

FOLDER = "projects/driftwood"
ATOM, OTHER = f"{FOLDER}/experiments/EXP-006.md", f"{FOLDER}/experiments/EXP-007.md"
BOARD = f"{FOLDER}/TASKS.yaml"
BOTH = ["driftwood/EXP-006", "driftwood/EXP-007"]
SAID = "this is no longer the change that was shown"


@pytest.fixture
def browser(sample: Place) -> Iterator[Browser]:
    for path in (ATOM, OTHER):
        sample.write(path, sample.read(path).replace("status: valid", "status: VALID"))
        sample.ok("commit", path)
    with run_server_of(sample) as running:
        yield open_browser(running)


def preview(browser: Browser, path: str, **fields: Any) -> dict[str, Any]:
    """Return the fields of the form by which a preview is confirmed."""
    page = browser.post(path, step="preview", **fields)
    assert page.status == 200, page.main()
    return read_form(page, path)


def read_form(page: Page, path: str) -> dict[str, Any]:
    form = next(each for each in page.find_all("form") if each.get("action") == path)
    fields: dict[str, Any] = {"step": "apply"}
    for each in form.iter():
        if each.tag == "input":
            fields.setdefault(each.get("name"), []).append(each.get("value"))
    assert fields["digest"][0]
    return fields


def append_to(place: Place, path: str) -> None:
    place.write(path, place.read(path) + "\nAn aside.\n")
    place.ok("commit", path)


def mark_other(place: Place) -> None:
    place.ok("mark", "driftwood/EXP-007", "partial", "--reason", "elsewhere")


class Case(NamedTuple):
    """A form with its fields, and what makes its plan another one."""

    path: str
    fields: dict[str, Any]
    interfere: Callable[[Place], object]


CASES: tuple[Case, ...] = (
    Case("/atom/driftwood/EXP-006", {"change": "stale"}, lambda place: append_to(place, ATOM)),
    Case("/all/change", {"ref": BOTH, "change": "archive"}, mark_other),
    Case("/findings", {"ref": [ATOM, OTHER]}, lambda place: append_to(place, OTHER)),
    Case("/findings", {"all": "yes"}, lambda place: append_to(place, OTHER)),
    Case(
        "/tasks/change",
        {"ref": ["driftwood/51e0", "driftwood/8d13"], "do": "done"},
        lambda place: place.ok("task", "pause", "driftwood/51e0"),
    ),
    Case(
        "/tasks/new",
        {"project": "driftwood", "text": "Weigh it"},
        lambda place: place.ok("task", "add", "Sail it", "-p", "driftwood"),
    ),
)


@pytest.mark.parametrize("case", leave_to_soak(CASES, every=3))
def test_what_is_not_the_shown_plan_any_more_is_shown_anew_and_not_done(
    browser: Browser, sample: Place, case: Case
) -> None:
    confirmed = preview(browser, case.path, **case.fields)
    case.interfere(sample)
    head = sample.git("rev-parse", "HEAD")
    page = browser.post(case.path, **confirmed)
    assert (page.status, SAID in page.main()) == (409, True)
    assert sample.git("rev-parse", "HEAD") == head
    assert not sample.git("status", "--short")
    page = browser.post(case.path, **read_form(page, case.path))
    assert page.status == 200
    assert sample.git("rev-parse", "HEAD") != head


@pytest.mark.parametrize("case", leave_to_soak(CASES, every=3))
def test_what_is_shown_is_done_whatever_else_changes(
    browser: Browser, sample: Place, case: Case
) -> None:
    confirmed = preview(browser, case.path, **case.fields)
    append_to(sample, f"{FOLDER}/experiments/EXP-001.md")
    head = sample.git("rev-parse", "HEAD").strip()
    page = browser.post(case.path, **confirmed)
    assert page.status == 200, page.main()
    assert len(sample.git("rev-list", f"{head}..HEAD").split()) == 1


def test_of_two_tabs_the_second_learns_what_the_first_has_done(
    browser: Browser, sample: Place
) -> None:
    other = open_browser(browser.server)
    path = "/atom/driftwood/EXP-006"
    first = preview(browser, path, change="stale", reason="first")
    second = preview(other, path, change="partial", reason="second")
    assert browser.post(path, **first).status == 200
    page = other.post(path, **second)
    assert (page.status, SAID in page.main()) == (409, True)
    removed = ["".join(each.itertext()) for each in page.find_all("del")]
    assert "stale" in "".join(removed)
    assert "first" in sample.git("log", "-1", "--format=%s")
    assert "stale" in sample.read(ATOM)


def test_a_made_up_plan_is_never_done(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    page = browser.post("/atom/driftwood/EXP-006", change="stale", digest="made-up")
    assert page.status == 409
    assert sample.git("rev-parse", "HEAD") == head
