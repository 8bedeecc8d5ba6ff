"""Every CORTEX.md and OVERVIEW.md lists its folder, whoever added the files."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

PATIENCE_S = 60.0
LISTING_MODULES = {
    "cortexfs.operations.shared.cortex_md_and_overview",
    "cortexfs.core.indexes.cortex_md_contents",
}
IDEA = "---\nid: IDEA-007\ndate: 2026-05-01\nsummary: A seventh idea\ntags: [a]\n---\n\n# Idea\n"
BY_HAND = {
    "a file at the root": ("NOTES.md", "CORTEX.md", "[NOTES.md](NOTES.md)"),
    "a folder at the root": ("attic/old.md", "CORTEX.md", "[attic/](attic/)"),
    "an idea": ("ideas/IDEA-007.md", "ideas/CORTEX.md", "A seventh idea"),
    "a report": ("scans/2026-05-03.md", "scans/CORTEX.md", "2026-05-03.md"),
    "a file of the user": ("user/habits.md", "user/CORTEX.md", "habits.md"),
    "a decision": ("decisions/DR-0001-x.md", "decisions/CORTEX.md", "DR-0001-x.md"),
    "a project": ("projects/sundial/notes.md", "projects/CORTEX.md", "[sundial/]"),
    "a file of a project": ("projects/flywheel/plan.md", "projects/flywheel/CORTEX.md", "plan.md"),
    "a folder of a project": (
        "projects/flywheel/observations/OBS-001.md",
        "projects/flywheel/CORTEX.md",
        "[observations/](observations/index.md)",
    ),
}


def _findings(place: Place, code: str) -> list[str]:
    found = json.loads(place.run("check", "--json").out)["findings"]
    return [each["path"] for each in found if each["code"] == code]


@pytest.mark.parametrize("name", leave_to_soak(BY_HAND, every=6))
@pytest.mark.parametrize(
    "words", [["index", "regen", "--all"], ["check", "--fix"], ["commit"]], ids=lambda w: w[0]
)
def test_files_added_by_hand_are_listed_and_removed_ones_are_not(
    tree: Place, name: str, words: list[str]
) -> None:
    path, page, entry = BY_HAND[name]
    before = tree.read(page)
    steps = [tree.root / path, *(tree.root / path).parents]
    new = next(one for one, above in pairwise(steps) if above.exists())
    tree.write(path, IDEA)
    assert entry not in tree.read(page)
    assert page in _findings(tree, "listing-stale")
    assert tree.run(*words).code in {0, 1}
    assert entry in tree.read(page)
    assert page not in _findings(tree, "listing-stale")
    assert page in tree.git("show", "--name-only", "--format=", "HEAD")
    subprocess.run(["rm", "-rf", str(new)], check=True)
    tree.run("index", "regen", "--all")
    assert tree.read(page) == before


def test_text_around_a_list_is_kept(tree: Place) -> None:
    text = tree.read("ideas/CORTEX.md")
    mine = f"\ufeff# Mine\r\n{text}\nbelow\t\n"
    tree.write("ideas/CORTEX.md", mine)
    tree.ok("commit")
    tree.write("ideas/IDEA-007.md", IDEA)
    tree.ok("index", "regen", "--all")
    row = "| What | For |\n|---|---|\n| [IDEA-007.md](IDEA-007.md) | A seventh idea |\n"
    assert tree.read("ideas/CORTEX.md") == mine.replace("_Nothing yet._\n", row)


def test_a_handwritten_list_is_not_changed(sample: Place) -> None:
    path = "projects/greenhouse/CORTEX.md"
    before = sample.read(path)
    sample.write("projects/greenhouse/notes.md", "x\n")
    sample.ok("commit")
    sample.ok("check", "--fix")
    assert sample.read(path) == before
    assert path not in _findings(sample, "listing-stale")


@pytest.mark.parametrize("words", [["index", "regen", "--all"], ["check", "--fix"]])
def test_an_uncommitted_list_is_not_changed(tree: Place, words: list[str]) -> None:
    mine = tree.read("ideas/CORTEX.md") + "mine\n"
    tree.write("ideas/CORTEX.md", mine)
    tree.write("ideas/IDEA-007.md", IDEA)
    tree.ok(*words)
    assert tree.read("ideas/CORTEX.md") == mine
    assert "ideas/CORTEX.md" in _findings(tree, "listing-stale")
    tree.ok("commit")
    assert "A seventh idea" in tree.read("ideas/CORTEX.md"), "now it is asked for"
    assert tree.git("status", "--porcelain") == ""


def test_a_missing_page_is_a_finding_and_created_by_fix(tree: Place) -> None:
    tree.write("ideas/IDEA-007.md", IDEA)
    tree.git("rm", "-q", "ideas/CORTEX.md")
    tree.git("add", ".")
    tree.git("commit", "-qm", "by hand")
    tree.write("projects/sundial/decisions/0001-x.md", "# DR-0001: Use git\n\nStatus: accepted\n")
    missing = ["ideas/CORTEX.md", "projects/sundial/CORTEX.md"]
    missing.append("projects/sundial/decisions/CORTEX.md")
    assert set(missing) <= set(_findings(tree, "listing-stale"))
    tree.ok("check", "--fix")
    assert _findings(tree, "listing-stale") == []
    assert "Use git (accepted)" in tree.read(missing[2])
    assert "[decisions/](decisions/CORTEX.md)" in tree.read(missing[1])


def test_the_first_file_of_a_folder_creates_its_page(tree: Place) -> None:
    choices = ("--alternative", "git", "--alternative", "fossil")
    tree.ok("decision", "new", "-p", "flywheel", "-s", "Use git", "-t", "x", *choices)
    page = "projects/flywheel/decisions/CORTEX.md"
    assert "Use git" in tree.read(page)
    assert "[decisions/](decisions/CORTEX.md)" in tree.read("projects/flywheel/CORTEX.md")
    assert page in tree.git("show", "--name-only", "--format=", "HEAD")


def test_the_overview_has_a_row_for_each_project_with_its_last_day(tree: Place) -> None:
    atom = "---\nid: EXP-001\ndate: {}\nproject: sundial\nsummary: s\ntags: [a]\n---\n\nx\n"
    tree.write("projects/sundial/experiments/EXP-001.md", atom.format("2026-03-01"))
    tree.write("projects/sundial/experiments/EXP-002.md", atom.format("2062-01-01"))
    assert _findings(tree, "overview-stale") == ["OVERVIEW.md"]
    tree.ok("index", "regen", "--all")
    assert "| sundial | **Phase 1** | medium | 2026-03-01 |" in tree.read("OVERVIEW.md")
    tree.write("projects/sundial/STATUS.md", "# s\n\nUpdated: 2026-04-02\n")
    tree.write("projects/sundial/ISSUES.md", "# i\n\n## Slow (2026-04-03)\n")
    tree.write("scans/2026-04-04.md", "x\n")
    tree.ok("index", "regen", "--all")
    assert "| sundial | **Phase 1** | medium | 2026-04-03 |" in tree.read("OVERVIEW.md")
    assert "Last scan: 2026-04-04" in tree.read("OVERVIEW.md")
    assert _findings(tree, "overview-stale") == []


def test_a_command_updates_the_last_activity_of_its_project(tree: Place) -> None:
    before = tree.read("OVERVIEW.md")
    words = ["new", "experiment", "-p", "flywheel", "-s", "x", "-t", "a"]
    tree.ok(*words, CORTEXFS_NOW="2099-01-02T00:00")
    after = tree.read("OVERVIEW.md")
    assert "| flywheel | **Phase 1** | medium | 2099-01-02 |" in after
    assert after.replace("2099-01-02", "") == re.sub(r"\d{4}-\d\d-\d\d", "", before)


def test_a_removed_project_leaves_the_overview(tree: Place) -> None:
    tree.ok("project", "new", "sundial", "--goal", "x")
    tree.git("rm", "-rq", "projects/sundial")
    subprocess.run(["rm", "-rf", str(tree.root / "projects/sundial")], check=True)
    tree.ok("commit")
    tree.ok("check", "--fix")
    assert "sundial" not in tree.read("OVERVIEW.md")
    assert "sundial" not in tree.read("projects/CORTEX.md")


def test_a_regeneration_without_changes_reads_no_list(tree: Place) -> None:
    program = (
        "import sys; sys.argv[1:] = ['--root', sys.argv[1], 'index', 'regen', '--all']\n"
        "from cortexfs.__main__ import run\n"
        "try: run()\n"
        "except SystemExit: print(*sorted(n for n in sys.modules if 'cortexfs' in n))\n"
    )

    def loaded() -> list[str]:
        words = [sys.executable, "-c", program, str(tree.root)]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.split()

    deadline = time.monotonic() + PATIENCE_S  # the files are first too new to rely on their times
    while LISTING_MODULES & set(loaded()):
        assert time.monotonic() < deadline
    tree.write("ideas/IDEA-007.md", IDEA)
    assert "cortexfs.operations.shared.cortex_md_and_overview" in loaded()
    assert "A seventh idea" in tree.read("ideas/CORTEX.md")


def test_check_and_dry_run_show_an_outdated_list(tree: Place) -> None:
    tree.write("ideas/IDEA-007.md", IDEA)
    ran = tree.run("index", "regen", "--all", "--check")
    assert (ran.code, ran.out) == (1, "out of date: ideas/CORTEX.md\n")
    assert "+| [IDEA-007.md](IDEA-007.md)" in tree.ok("index", "regen", "--all", "--dry-run")
    assert tree.ok("index", "regen", "--all").endswith(" 0 changed, and 1 list\n")
    assert tree.run("index", "regen", "--all", "--check").code == 0


def test_a_long_list_is_shortened_to_stay_under_the_cap(tree: Place) -> None:
    for number in range(1, 141):
        ident = f"IDEA-{number:03d}"
        tree.write(f"ideas/{ident}.md", IDEA.replace("IDEA-007", ident).replace("A s", "s" * 150))
    tree.ok("index", "regen", "--all")
    text = tree.read("ideas/CORTEX.md")
    assert len(text.encode()) < 8192
    assert len(text.splitlines()) < 120
    assert "50 more, by name before these" in text
    assert "[IDEA-140.md]" in text


def test_an_entry_of_a_removed_file_is_one_finding(tree: Place) -> None:
    tree.write("ideas/IDEA-007.md", IDEA)
    tree.ok("index", "regen", "--all")
    assert "IDEA-007.md" in tree.read("ideas/CORTEX.md")
    (tree.root / "ideas/IDEA-007.md").unlink()
    assert "ideas/CORTEX.md" in _findings(tree, "listing-stale")
    assert _findings(tree, "broken-link") == []
    text = f"{tree.read('ideas/CORTEX.md')}\nBelow: [it](gone.md)\n"
    tree.write("ideas/CORTEX.md", text)
    found = json.loads(tree.run("check", "--json").out)["findings"]
    lines = [each["line"] for each in found if each["code"] == "broken-link"]
    assert lines == [text.count("\n")]
