"""An unreadable CORTEX.md is not changed, is a finding of `check`, and stops no command."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak
from unprivileged import CORTEXFS, run_unprivileged

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

LISTINGS = ("CORTEX.md", "projects/CORTEX.md", "projects/flywheel/CORTEX.md", "ideas/CORTEX.md")
ODD = {
    "link": "symlink",
    "dangling link": "symlink",
    "folder": "not-a-file",
    "pipe": "not-a-file",
    "shut": "no-permission",
    "latin-1": "not-utf8",
    "large": "file-too-large",
}
NO_TREE_WITHOUT_IT = {"dangling link", "folder", "pipe"}
"""What cannot replace the CORTEX.md at the root: without that file there is no tree."""


def plant(path: Path, what: str) -> None:
    """Replace a contents page with something unreadable."""
    text = path.read_bytes()
    if what not in {"shut", "latin-1"}:
        path.unlink()
    match what:
        case "link":
            path.with_name("elsewhere.txt").write_bytes(text)
            path.symlink_to("elsewhere.txt")
        case "dangling link":
            path.symlink_to("nowhere")
        case "folder":
            path.mkdir()
        case "pipe":
            os.mkfifo(path)
        case "shut":
            path.chmod(0)
        case "latin-1":
            path.write_bytes(text + "caf\u00e9\n".encode("latin-1"))
        case "large":
            with path.open("wb") as large:
                large.write(text)
                large.truncate(17 << 20)


def photograph(path: Path) -> object:
    """Return a link's target, a file's mode and bytes, or the mode of anything else."""
    if path.is_symlink():
        return path.readlink(), path.with_name("elsewhere.txt").exists()
    return path.stat().st_mode, path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize("what", leave_to_soak(ODD, every=4))
def test_a_contents_page_that_cannot_be_read_stops_no_command_and_is_a_finding(
    tree: Place, what: str
) -> None:
    paths = LISTINGS[1:] if what in NO_TREE_WITHOUT_IT else LISTINGS
    for path in paths:
        plant(tree.root / path, what)
    if what != "pipe":  # which git cannot add
        tree.git("add", "--all")
        tree.git("commit", "-qm", "by hand", "--allow-empty")
    before = [photograph(tree.root / path) for path in paths]
    for words in (
        ("new", "idea", "-s", "Tides", "-t", "a"),
        ("new", "experiment", "-p", "flywheel", "-s", "One", "-t", "a"),
        ("project", "new", "lathe", "--goal", "Turn"),
        ("init", "."),
    ):
        done = run_unprivileged(tree, *CORTEXFS, *words)
        assert (done.returncode, done.stderr) == (0, ""), done
    assert [photograph(tree.root / path) for path in paths] == before
    done = run_unprivileged(tree, *CORTEXFS, "check", "--json")
    found = [(f["path"], f["code"]) for f in json.loads(done.stdout)["findings"]]
    pages = [pair for pair in found if pair[0].endswith("CORTEX.md")]
    assert sorted(pages) == sorted((path, ODD[what]) for path in paths)


@pytest.mark.parametrize("what", leave_to_soak(["link", "latin-1", "folder"], every=3))
def test_an_unreadable_atom_or_overview_stops_no_contents_page(tree: Place, what: str) -> None:
    tree.write("ideas/IDEA-001.md", "---\nid: IDEA-001\n---\n")
    for path in ("ideas/IDEA-001.md", "OVERVIEW.md", ".gitignore"):
        plant(tree.root / path, what)
    tree.git("add", "--all")
    tree.git("commit", "-qm", "by hand")
    before = {path: photograph(tree.root / path) for path in ("OVERVIEW.md", ".gitignore")}
    tree.ok("new", "idea", "-s", "Tides", "-t", "a")
    tree.ok("project", "new", "lathe", "--goal", "Turn")
    tree.ok("init", str(tree.root))
    assert "[IDEA-002.md](IDEA-002.md) | Tides |" in tree.read("ideas/CORTEX.md")
    assert {path: photograph(tree.root / path) for path in before} == before
