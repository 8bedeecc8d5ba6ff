"""Laws of the whole: what must be true of every tree, whatever lies in it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import oracle
from growing import (
    FOLDERS,
    NOW,
    Change,
    Files,
    changes,
    drain,
    foreseen,
    make,
    notes,
    planted,
    regen,
    said,
    snapshot,
    spool,
    trees,
)
from hypothesis import given, settings
from hypothesis import strategies as st

if TYPE_CHECKING:
    from pathlib import Path


@settings(max_examples=80, deadline=None)
@given(trees())
def test_every_index_says_what_an_independent_reckoning_says(files: Files) -> None:
    with planted(files) as root:
        wanted = foreseen(root)
        regen(root)
        assert said(root) == wanted


@settings(max_examples=30, deadline=None)
@given(trees())
def test_a_second_regen_changes_not_a_byte_and_not_an_mtime(files: Files) -> None:
    with planted(files) as root:
        regen(root)
        before = snapshot(root)
        assert regen(root, NOW + timedelta(hours=1)).plan.writes == ()
        shutil.rmtree(root / ".cortexfs")
        regen(root, NOW + timedelta(hours=2))
        assert snapshot(root) == before


@settings(max_examples=25, deadline=None)
@given(trees(), st.randoms(use_true_random=False))
def test_the_order_in_which_files_were_made_shows_nowhere(files: Files, chance: Random) -> None:
    paths = sorted(files)
    chance.shuffle(paths)
    with planted(files) as one, planted({path: files[path] for path in paths}) as other:
        regen(one)
        regen(other)
        assert _contents(one) == _contents(other)


@settings(max_examples=50, deadline=None)
@given(trees())
def test_a_regen_changes_of_an_atom_its_refs_and_not_a_byte_else(files: Files) -> None:
    with planted(files) as root:
        seen = {
            f"projects/{project}/{folder}/{atom.name}": atom.seen
            for project in ("flywheel", "sundial")
            for folder in FOLDERS
            for atom in oracle.atoms_of(root, f"projects/{project}/{folder}")
        }
        regen(root)
        for path, before in files.items():
            if not path.endswith("index.md"):
                wanted = _kept_true(before, seen[path]) if path in seen else before
                assert (root / path).read_bytes() == wanted, path


@settings(max_examples=25, deadline=None)
@given(trees(), st.lists(st.lists(changes(), min_size=1, max_size=4), min_size=1, max_size=5))
def test_refreshing_step_by_step_equals_rebuilding(files: Files, steps: list[list[Change]]) -> None:
    with planted(files) as root:
        regen(root)
        for step in steps:
            for change in step:
                make(root, change)
            wanted = foreseen(root)
            regen(root)
            assert said(root) == wanted
        before = snapshot(root)
        shutil.rmtree(root / ".cortexfs")
        regen(root)
        assert snapshot(root) == before


@settings(max_examples=25, deadline=None)
@given(notes())
def test_draining_twice_equals_draining_once_and_in_parts_equals_at_once(
    noted: dict[str, bytes],
) -> None:
    atoms = {f"projects/flywheel/experiments/EXP-{n:03d}.md": b"---\n---\n" for n in range(1, 4)}
    names = sorted(noted)
    with planted({"CORTEX.md": b"", **atoms}) as once, planted({"CORTEX.md": b"", **atoms}) as twice:
        spool(once, noted)
        drain(once)
        for part in (names[: len(names) // 2], names, names):
            spool(twice, {name: noted[name] for name in part}, as_from=once)
            drain(twice)
        logs = [root / "projects/flywheel/_meta/access-log.jsonl" for root in (once, twice)]
        one, other = (log.read_bytes() if log.exists() else b"" for log in logs)
        assert one == other
        assert sorted(one.splitlines()) == sorted(_lines(noted))


@settings(max_examples=12, deadline=None)
@given(trees(), st.lists(changes(), min_size=1, max_size=3))
def test_a_regen_is_one_commit_of_its_own_and_git_status_is_clean_after_it(
    files: Files, edits: list[Change]
) -> None:
    with planted({**files, ".gitignore": b".cortexfs/\n"}) as root:
        _git(root, "init", "-q")
        _commit_all(root)
        for number, edit in enumerate([None, *edits]):
            if edit:
                make(root, edit)
                _commit_all(root)
            head, before = _git(root, "rev-parse", "HEAD"), _contents(root)
            outcome = regen(root, NOW + timedelta(minutes=number))
            changed = {path for path, text in _contents(root).items() if before.get(path) != text}
            assert _git(root, "status", "--porcelain") == ""
            new = _git(root, "rev-list", f"{head.strip()}..HEAD").split()
            assert list(outcome.commits) == new
            assert len(new) == bool(changed)
            diff = _git(root, "diff", "--name-only", "-z", head.strip(), "HEAD")
            assert set(filter(None, diff.split("\0"))) == changed


def _contents(root: Path) -> dict[str, bytes]:
    return {path: content for path, (content, _) in snapshot(root).items()}


def _kept_true(before: bytes, seen: oracle.Seen) -> bytes:
    """Say by regular expressions how an atom's refs should read."""
    head, fence, body = before.decode().partition("\n---")

    def refs(found: re.Match[str]) -> str:
        typed = found[1].strip("'\" ")
        if (int(typed) if typed.isdigit() else 0) == seen.refs:
            return found[0]
        quote = found[1][:1].strip("many")
        return f"refs: {quote}{seen.refs}{quote}"

    def last(found: re.Match[str]) -> str:
        same = found[1] == seen.last or not seen.last
        return found[0] if same else f"last-ref: {seen.last}"

    head = re.sub(r"^refs:[ ]?([^\r\n]*)", refs, head, flags=re.MULTILINE)
    head = re.sub(r"^last-ref:[ ]?([^\r\n]*)", last, head, flags=re.MULTILINE)
    return (head + fence + body).encode()


def _lines(noted: dict[str, bytes]) -> list[bytes]:
    """Say what the log must hold: one line for each note that is a look at an atom."""
    lines = {}
    for name, payload in noted.items():
        if found := re.search(rb'"tool_use_id": "(t\d)".*(EXP-00[123]\.md)', payload):
            lines[found[1], found[2]] = name
    return []


def _commit_all(root: Path) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "by hand", "--allow-empty")


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout
