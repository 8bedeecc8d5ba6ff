"""Files that the user's `.gitignore` names are written but not committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

KNOWLEDGE = ("new", "experiment", "-s", "x", "-t", "a")


def _list_committed_paths(place: Place, since: str) -> set[str]:
    text = place.git("log", "--format=", "--name-only", f"{since}..HEAD")
    return set(text.split())


def _ignore(place: Place, lines: str) -> str:
    """Ignore and untrack files; return the commit that did so."""
    place.write(".gitignore", place.read(".gitignore") + lines)
    place.git("rm", "-rq", "--cached", ".")
    place.git("add", ".")
    place.git("commit", "-qm", "ignore")
    return place.git("rev-parse", "HEAD").strip()


def test_an_ignored_index_is_rendered_and_not_committed(tree: Place) -> None:
    since = _ignore(tree, "index.md\n")
    path = tree.ok(*KNOWLEDGE).split()[1]
    tree.write(path, tree.read(path).replace('summary: "x"', 'summary: "y"'))
    tree.ok("index", "regen", "--all")
    tree.ok("commit")
    assert path in _list_committed_paths(tree, since)
    assert not [name for name in _list_committed_paths(tree, since) if name.endswith("index.md")]
    assert "| y |" in tree.read("projects/flywheel/experiments/index.md")
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize(
    "lines",
    leave_to_soak(
        ["*\n", "*.md\n*.jsonl\n*.yaml\n", "/projects/\nCORTEX.md\nOVERVIEW.md\n"], every=2
    ),
)
def test_with_everything_ignored_commands_work_and_commit_nothing(tree: Place, lines: str) -> None:
    since = _ignore(tree, lines)
    ref = tree.ok(*KNOWLEDGE).split()[0]
    tree.ok("project", "new", "sundial", "--goal", "x")
    tree.ok("show", ref)
    tree.ok("hook", "drain")
    tree.ok("index", "regen", "--all")
    tree.ok("commit")
    assert tree.run("check", "--strict").code == 0
    assert ref in tree.ok("list")
    assert "EXP-001.md" in tree.read("projects/flywheel/_meta/access-log.jsonl")
    assert _list_committed_paths(tree, since) == set()
    assert tree.git("status", "--porcelain") == ""
    assert not (tree.root / ".cortexfs/pending.jsonl").exists()


def test_tracked_files_are_committed_although_ignored(tree: Place) -> None:
    tree.write(".gitignore", tree.read(".gitignore") + "index.md\n")
    tree.git("commit", "-qam", "ignore")
    since = tree.git("rev-parse", "HEAD").strip()
    path = tree.ok(*KNOWLEDGE).split()[1]
    assert {path, "projects/flywheel/experiments/index.md"} <= _list_committed_paths(tree, since)
    assert tree.git("status", "--porcelain") == ""
