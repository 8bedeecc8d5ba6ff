"""Changes made in the panel: each is a commit, each can be undone, nothing is overwritten."""

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
    page = browser.post("/findings", step="preview")
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


def test_findings_are_fixed_by_a_button(browser: Browser, sample: Place) -> None:
    assert "status-case" in browser.get("/findings").main()
    page = browser.post("/findings", step="apply")
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


def test_a_status_is_chosen_before_it_is_applied(browser: Browser) -> None:
    (field,) = [
        e for e in browser.get("/atom/DR-0003").find_all("select") if e.get("id") == "change"
    ]
    assert (field[0].get("value"), field.get("required")) == ("", "")
