"""Laws of the whole: what must be true of every tree, whatever lies in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import oracle
from hypothesis import given, settings
from hypothesis import strategies as st
from tree_strategies import (
    FOLDERS,
    NOW,
    Change,
    Files,
    Noted,
    apply_change,
    changes,
    drain,
    expected_indexes,
    notes,
    regen,
    shown_indexes,
    snapshot,
    spool,
    trees,
    write_tree,
)

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random


@given(trees())
def test_every_index_equals_an_independent_computation(files: Files) -> None:
    with write_tree(files) as root:
        wanted = expected_indexes(root)
        regen(root)
        assert shown_indexes(root) == wanted


@settings(max_examples=settings().max_examples // 2)
@given(trees())
def test_a_second_regen_changes_no_byte_and_no_mtime(files: Files) -> None:
    with write_tree(files) as root:
        regen(root)
        before = snapshot(root)
        assert regen(root, NOW + timedelta(hours=1)).plan.writes == ()
        shutil.rmtree(root / ".cortexfs")
        regen(root, NOW + timedelta(hours=2))
        assert snapshot(root) == before


@settings(max_examples=settings().max_examples // 2)
@given(trees(), st.randoms(use_true_random=False))
def test_the_order_of_creation_does_not_matter(files: Files, chance: Random) -> None:
    paths = sorted(files)
    chance.shuffle(paths)
    with write_tree(files) as one, write_tree({path: files[path] for path in paths}) as other:
        regen(one)
        regen(other)
        assert _contents(one) == _contents(other)


@given(trees())
def test_a_regen_changes_only_the_read_counts_of_an_atom(files: Files) -> None:
    with write_tree(files) as root:
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


@settings(max_examples=settings().max_examples // 2)
@given(trees(), st.lists(st.lists(changes(), min_size=1, max_size=4), min_size=1, max_size=5))
def test_refreshing_step_by_step_equals_rebuilding(files: Files, steps: list[list[Change]]) -> None:
    with write_tree(files) as root:
        regen(root)
        for step in steps:
            for change in step:
                apply_change(root, change)
            wanted = expected_indexes(root)
            regen(root)
            assert shown_indexes(root) == wanted
        before = snapshot(root)
        shutil.rmtree(root / ".cortexfs")
        regen(root)
        assert snapshot(root) == before


@given(notes(), st.integers(0, 12))
def test_draining_twice_or_in_parts_equals_draining_once(noted: Noted, half: int) -> None:
    atoms = {f"projects/flywheel/experiments/EXP-00{n}.md": b"" for n in range(1, 4)}
    names = sorted(noted)
    with write_tree({"CORTEX.md": b"", **atoms}) as root:
        for part in (names[:half], names, names):
            spool(root, {name: noted[name] for name in part})
            drain(root)
        log = root / "projects/flywheel/_meta/access-log.jsonl"
        assert (log.read_text() if log.exists() else "") == _logged(noted)
        assert not list((root / ".cortexfs/spool/new").glob("[0-9]*"))


@settings(max_examples=settings().max_examples // 2)
@given(trees(), st.lists(changes(), min_size=1, max_size=3))
def test_a_regen_is_one_commit_of_its_own_and_git_status_is_clean_after_it(
    files: Files, edits: list[Change]
) -> None:
    with write_tree({**files, ".gitignore": b".cortexfs/\n"}) as root:
        _git(root, "init", "-q")
        _commit_all(root)
        for number, edit in enumerate([None, *edits]):
            if edit:
                apply_change(root, edit)
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


def _kept_true(before: bytes, seen: oracle.ReadStats) -> bytes:
    """Say by regular expressions how an atom's refs should read."""
    head, fence, body = before.decode().partition("\n---")

    def refs(found: re.Match[str]) -> str:
        typed = found[1].strip("'\" ")
        if (int(typed) if typed.isdigit() else 0) == seen.refs:
            return found[0]
        quote = re.sub(r"[^'\"]", "", found[1])[:1]
        return f"refs: {quote}{seen.refs}{quote}"

    def last(found: re.Match[str]) -> str:
        same = found[1] == seen.last or not seen.last
        return found[0] if same else f"last-ref: {seen.last}"

    head = re.sub(r"^refs:[ ]?([^\r\n]*)", refs, head, flags=re.MULTILINE)
    head = re.sub(r"^last-ref:[ ]?([^\r\n]*)", last, head, flags=re.MULTILINE)
    return (head + fence + body).encode()


def _logged(noted: Noted) -> str:
    """Say what the log must hold: a line for each look at an atom, a call once for each file."""
    lines: dict[tuple[str, str], str] = {}
    for name, (call, path) in sorted(noted.items()):
        file = path.partition("/")[2]
        if file in {"EXP-001.md", "EXP-002.md", "EXP-003.md"}:
            when = datetime.fromtimestamp(int(name[:10]), UTC).strftime("%Y-%m-%dT%H:%M:%S.000Z")
            said = {"file": file, "tool": "Read", "ts": when, "note": call or name}
            lines.setdefault((call or name, file), json.dumps(said, separators=(",", ":")))
    return "".join(f"{line}\n" for line in lines.values())


def _commit_all(root: Path) -> None:
    _git(root, "add", "-A")
    _git(root, "commit", "-qm", "by hand", "--allow-empty")


def _git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout
