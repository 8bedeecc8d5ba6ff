"""Atoms edited as text in the panel, and their history: nothing is overwritten, nothing lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from full_disk import fill_disk
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


def test_a_text_is_edited_and_every_other_byte_stays(browser: Browser, sample: Place) -> None:
    text = sample.read(ATOM).replace("\n", "\r\n")
    sample.write(ATOM, text)
    sample.ok("commit", ATOM)
    page = browser.get("/edit/driftwood/EXP-006")
    shown = "".join(page.by_id("text").itertext())
    sent = shown.replace("Goal attainment: full.", "Goal attainment: nearly full.")
    crlf = sent.replace("\n", "\r\n")  # as browsers send a text
    before = shown.replace("\n", "\r\n")
    page = browser.post("/edit/driftwood/EXP-006", text=crlf, before=before, step="save")
    assert page.status == 200
    expected = text.replace("Goal attainment: full.", "Goal attainment: nearly full.")
    assert sample.read(ATOM) == expected


def test_a_conflict_shows_both_texts_and_overwrites_nothing(
    browser: Browser, sample: Place
) -> None:
    shown = sample.read(ATOM)
    theirs = shown + "\nTheir line.\n"
    sample.write(ATOM, theirs)
    page = browser.post(
        "/edit/driftwood/EXP-006", text=shown + "\nMy line.\n", before=shown, step="save"
    )
    assert page.status == 409
    assert "Their line." in "".join(page.by_id("theirs").itertext())
    assert "My line." in "".join(page.by_id("text").itertext())
    assert sample.read(ATOM) == theirs
    page = browser.post(
        "/edit/driftwood/EXP-006", text=shown + "\nMy line.\n", before=theirs, step="save"
    )
    assert page.status == 200
    assert sample.read(ATOM) == shown + "\nMy line.\n"


def test_a_text_with_an_error_is_kept_in_the_form(browser: Browser, sample: Place) -> None:
    shown = sample.read(ATOM)
    wrong = shown.replace("summary:", "summry:")
    page = browser.post("/edit/driftwood/EXP-006", text=wrong, before=shown, step="save")
    assert page.status == 409
    assert "Not saved" in page.main()
    assert "".join(page.by_id("text").itertext()) == wrong
    assert sample.read(ATOM) == shown
    part = browser.post("/check/driftwood/EXP-006", text=wrong)
    assert "missing-field" in part.text


def test_on_a_full_disk_the_typed_text_is_kept_in_the_form(browser: Browser, sample: Place) -> None:
    shown = sample.read(ATOM)
    with fill_disk():
        page = browser.post(
            "/edit/driftwood/EXP-006", text=shown + "\nMine.\n", before=shown, step="save"
        )
    assert page.status == 507
    assert "".join(page.by_id("text").itertext()) == shown + "\nMine.\n"
    assert sample.read(ATOM) == shown


def test_an_old_version_is_restored_from_the_history(browser: Browser, sample: Place) -> None:
    before = sample.read(ATOM)
    first = sample.git("rev-parse", "HEAD").strip()
    browser.post("/edit/driftwood/EXP-006", text=before + "\nMore.\n", before=before, step="save")
    assert sample.read(ATOM) != before
    browser.post("/history/driftwood/EXP-006", commit=first)
    assert sample.read(ATOM) == before


def test_the_history_follows_an_atom_under_each_name_that_it_had(
    browser: Browser, sample: Place
) -> None:
    before = sample.read(ATOM)
    first = sample.git("rev-parse", "HEAD").strip()
    sample.ok("rename", "driftwood/EXP-006", "EXP-106")
    renamed = sample.git("rev-parse", "HEAD").strip()
    page = browser.get("/atom/driftwood/EXP-106")
    changes = [link for link in page.links() if link.startswith("/history/")]
    assert f"/history/driftwood/EXP-106?commit={first}" in changes
    assert "as projects/driftwood/experiments/EXP-006.md" in page.main()
    change = browser.get(f"/history/driftwood/EXP-106?commit={renamed}").main()
    assert "Renamed from projects/driftwood/experiments/EXP-006.md" in change
    assert "The file was new" not in change
    assert "The file was new" in browser.get(f"/history/driftwood/EXP-106?commit={first}").main()
    browser.post("/history/driftwood/EXP-106", commit=first)
    now = sample.read("projects/driftwood/experiments/EXP-106.md")
    assert now.partition("## ")[2] == before.partition("## ")[2]


def test_a_wiki_link_leads_to_the_page_of_its_atom(browser: Browser, sample: Place) -> None:
    text = sample.read(ATOM) + "\nSee [[EXP-007|the next one]], [[K-002]] and [[nobody]].\n"
    sample.write(ATOM, text)
    page = browser.get("/atom/driftwood/EXP-006")
    found = {
        "".join(each.itertext()): each.get("href")
        for each in page.find_all("a")
        if each.get("rel") == "noopener noreferrer"
    }
    assert found["the next one"] == "/atom/driftwood/EXP-007"
    assert found["K-002"] == "/atom/driftwood/K-002"
    assert "[[nobody]]" in page.main()


def test_a_name_with_signs_of_an_address_is_linked_and_edited(
    browser: Browser, sample: Place
) -> None:
    path = "projects/a 50% #1?/knowledge/K-002.md"
    sample.write(path, sample.read("projects/driftwood/knowledge/K-002.md"))
    address = "/atom/a%2050%25%20%231%3F/K-002"
    assert address in browser.get("/all?q=50%25&size=100").links()
    assert f'name="back" value="{address}"' in browser.get(address).text
    page = browser.get(address.replace("/atom/", "/edit/"))
    assert page.links().count(address) == 2
    text = "".join(page.by_id("text").itertext())
    page = browser.post(
        address.replace("/atom/", "/edit/"), text=text + "More.\n", before=text, _follow=False
    )
    assert page.headers["location"].startswith(f"{address}?done=")
