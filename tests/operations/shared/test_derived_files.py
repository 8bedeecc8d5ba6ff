"""A CORTEX.md that is no text is left exactly as it is, named by `check`, and stops nothing."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest
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
PLACES = [
    (path, what)
    for path in LISTINGS
    for what in ODD
    if path != LISTINGS[0] or what not in {"dangling link", "folder", "pipe"}  # there is no tree
]


def plant(path: Path, what: str) -> None:
    """Put something that is no text where a listing stood."""
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


def seen(path: Path) -> object:
    """Give what stands there: a link's target, a file's bytes, or its mode alone."""
    if path.is_symlink():
        return path.readlink(), path.with_name("elsewhere.txt").exists()
    return path.stat().st_mode, path.read_bytes() if path.is_file() else b""


@pytest.mark.parametrize(("path", "what"), PLACES)
def test_a_listing_that_is_no_text_stops_nothing_and_is_named(
    tree: Place, path: str, what: str
) -> None:
    plant(tree.root / path, what)
    if what != "pipe":  # of which git will not hear
        tree.git("add", "--all")
        tree.git("commit", "-qm", "by hand", "--allow-empty")
    before = seen(tree.root / path)
    for words in (
        ("new", "idea", "-s", "Tides", "-t", "a"),
        ("new", "experiment", "-p", "flywheel", "-s", "One", "-t", "a"),
        ("project", "new", "lathe", "--goal", "Turn"),
        ("init", "."),
    ):
        done = run_unprivileged(tree, *CORTEXFS, *words)
        assert (done.returncode, done.stderr) == (0, ""), done
    assert seen(tree.root / path) == before
    done = run_unprivileged(tree, *CORTEXFS, "check", "--json")
    found = [(f["path"], f["code"]) for f in json.loads(done.stdout)["findings"]]
    assert [pair for pair in found if pair[0].endswith("CORTEX.md")] == [(path, ODD[what])]


@pytest.mark.parametrize("what", ["link", "latin-1", "folder"])
def test_an_atom_or_an_overview_that_is_no_text_stops_no_listing(tree: Place, what: str) -> None:
    tree.write("ideas/IDEA-001.md", "---\nid: IDEA-001\n---\n")
    for path in ("ideas/IDEA-001.md", "OVERVIEW.md", ".gitignore"):
        plant(tree.root / path, what)
    tree.git("add", "--all")
    tree.git("commit", "-qm", "by hand")
    before = {path: seen(tree.root / path) for path in ("OVERVIEW.md", ".gitignore")}
    tree.ok("new", "idea", "-s", "Tides", "-t", "a")
    tree.ok("project", "new", "lathe", "--goal", "Turn")
    tree.ok("init", str(tree.root))
    assert "[IDEA-002.md](IDEA-002.md) | Tides |" in tree.read("ideas/CORTEX.md")
    assert {path: seen(tree.root / path) for path in before} == before
