"""Health: each finding with what ends it, some or all at once, previewed and undone."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from panel_browser import Browser, open_browser
from place import build_sample
from running_server import run_server_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree, Place

ATOM = "projects/driftwood/experiments/EXP-006.md"
OTHER = "projects/driftwood/experiments/EXP-007.md"


def _build_with_findings(place: Place) -> None:
    build_sample(place)
    for path in (ATOM, OTHER):
        place.write(path, place.read(path).replace("status: valid", "status: VALID"))
        place.ok("commit", path)


@pytest.fixture
def sample(tmp_path: Path, copy_tree: CopyTree) -> Place:
    return copy_tree(tmp_path / "tree", _build_with_findings)


@pytest.fixture
def browser(sample: Place) -> Iterator[Browser]:
    with run_server_of(sample) as running:
        yield open_browser(running)


def test_one_finding_is_fixed_by_its_button_and_that_is_undone(
    browser: Browser, sample: Place
) -> None:
    before = sample.read(ATOM)
    page = browser.post("/findings", ref=ATOM, step="preview")
    assert "Nothing is written yet" in page.main()
    assert sample.read(ATOM) == before
    page = browser.post("/findings", ref=ATOM, step="apply", back="/findings?code=status-case")
    assert sample.git("log", "-1", "--format=%s").strip() == f"check: fix {ATOM}"
    assert "status: valid" in sample.read(ATOM)
    assert "status: VALID" in sample.read(OTHER)
    (commit,) = [e.get("value") for e in page.by_id("toast").iter() if e.get("name") == "commit"]
    browser.post("/undo", commit=commit, back="/findings")
    assert sample.read(ATOM) == before


def test_a_file_with_a_hidden_character_in_its_name_is_fixed_by_its_button(
    browser: Browser, sample: Place
) -> None:
    folder = "projects/driftwood/decisions"
    text = sample.read(f"{folder}/0003-blocks-of-128-bit-packed.md")
    odd = f"{folder}/0099-a\u200bb.md"
    sample.write(odd, text.replace("DR-0003", "DR-0099").replace("accepted", "ACCEPTED"))
    sample.ok("commit", odd)
    page = browser.get("/findings?code=status-case")
    assert "\u200b" not in page.main()
    values = {each.get("value") for each in page.find_all("input") if each.get("name") == "ref"}
    assert odd in values
    browser.post("/findings", ref=odd, step="apply")
    assert "status: accepted" in sample.read(odd)


def test_evidence_that_was_looked_at_and_a_forgotten_claim_are_findings_no_more(
    browser: Browser, sample: Place
) -> None:
    page = browser.get("/findings?remedy=review")
    forms = [each for each in page.find_all("form") if each.get("action", "").startswith("/atom/")]
    assert forms
    left = 0
    for form in forms:
        fields = {e.get("name"): e.get("value") for e in form.iter() if e.tag == "input"}
        page = browser.post(form.get("action"), **{**fields, "step": "apply"})
        left += "1 atom refused" in page.main()
    page = browser.get("/findings?remedy=review")
    assert f"{left} of" in page.main()
    assert left < len(forms)
    page = browser.post("/tasks/change", ref="driftwood/3fa9", do="unclaim", back="/findings")
    assert "driftwood/TASKS.yaml:3" not in page.main()
    assert "task unclaim 3fa9" in sample.git("log", "-1", "--format=%s")


def test_selected_findings_are_fixed_in_one_commit(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD").strip()
    browser.post("/findings", ref=[ATOM, OTHER], step="apply")
    assert "VALID" not in sample.read(ATOM) + sample.read(OTHER)
    assert len(sample.git("rev-list", f"{head}..HEAD").split()) == 1


def test_with_nothing_selected_nothing_is_fixed(browser: Browser, sample: Place) -> None:
    head = sample.git("rev-parse", "HEAD")
    assert browser.post("/findings", step="apply").status == 400
    assert sample.git("rev-parse", "HEAD") == head


def test_an_index_is_rendered_by_its_button_as_its_preview_says(
    browser: Browser, sample: Place
) -> None:
    index = "projects/driftwood/experiments/index.md"
    sample.write(index, "An old one.\n")
    assert index in browser.get("/findings?code=index-stale").main()
    page = browser.post("/findings", ref=index, step="preview")
    assert f"{index} is rendered again." in page.main()
    (form,) = [e for e in page.find_all("form") if "Apply" in "".join(e.itertext())]
    sent = {e.get("name"): e.get("value") for e in form.iter() if e.tag == "input"}
    browser.post("/findings", **sent, step="apply")
    assert "EXP-006" in sample.read(index)


def test_findings_are_filtered_counted_and_sorted(browser: Browser) -> None:
    found = browser.get("/findings?code=status-case&project=driftwood&sort=code").main()
    assert ATOM in found
    assert OTHER in found
    assert "stale-evidence" not in found.partition("Findings")[2]
    assert "Nothing matches" in browser.get("/findings?q=nothing-like-this").main()
    assert browser.get("/findings?remedy=edit&page=99").status == 200


def test_two_atoms_with_one_id_get_two(browser: Browser, sample: Place) -> None:
    twin = ATOM.replace("EXP-006", "EXP-006-twin")
    sample.write(twin, sample.read(ATOM))
    sample.ok("commit", twin)
    assert twin in browser.get("/findings?remedy=renumber").main()
    page = browser.post("/findings/renumber", ref=twin, step="preview")
    assert "Nothing is written yet" in page.main()
    assert browser.post("/findings/renumber", ref=[ATOM, "../x"], step="preview").status == 404
    browser.post("/findings/renumber", ref=twin, step="apply", back="/findings")
    assert twin not in browser.get("/findings?remedy=renumber").main()
    assert "EXP-006" in sample.read(ATOM)


def test_a_file_that_cannot_be_read_is_named_on_every_list(browser: Browser, sample: Place) -> None:
    (sample.root / ATOM).write_bytes(b"\xff\xfe")
    os.chmod(sample.root / OTHER, 0)
    try:
        for path in ("/", "/all", "/find?q=varint"):
            assert "Health" in browser.get(path).main(), path
        found = browser.get("/findings?severity=error").main()
        assert f"{ATOM}:1" in found
        page = browser.get("/atom/driftwood/EXP-006")
        assert page.status in {200, 409}
        assert "not UTF-8" in page.main() or "not-utf8" in page.main()
    finally:
        os.chmod(sample.root / OTHER, 0o644)


def test_what_git_could_not_commit_is_not_said_to_be_done(browser: Browser, sample: Place) -> None:
    (branch,) = (sample.root / ".git" / "refs" / "heads").iterdir()
    lock = branch.with_name(f"{branch.name}.lock")
    lock.touch()
    try:
        page = browser.post("/findings", ref=ATOM, step="apply", back="/findings")
        said = "".join(page.by_id("toast").itertext())
        assert "could not commit" in said or page.status != 200
        assert "Done" not in said
        assert browser.get("/").status == 200
    finally:
        lock.unlink()
