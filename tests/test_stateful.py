"""Any operations in any order leave a valid tree, and each change can be undone."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import operation_list
import pytest
import task_operations
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as set_seed
from hypothesis import strategies as st
from operation_list import BY_HAND, RandomChoice
from soak_cases import leave_to_soak
from tree_strategies import MEMORY, NOW, open_session, write_file

from cortexfs.core.atoms.lifecycle import EDITABLE_DECISION_STATUSES
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.core.checks.finding_codes import is_error
from cortexfs.errors import AtomChanged, CatalogFailed, CortexError, HistoryFailed, Unreadable
from cortexfs.operations.check import check
from cortexfs.operations.commit import commit
from cortexfs.operations.init import init
from cortexfs.operations.project import new_project
from cortexfs.operations.tasks.list_tasks import lint_tasks
from cortexfs.operations.undo import redo, undo

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import datetime

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.session.session import Session

    Step = tuple[str, RandomChoice]

OPERATIONS = operation_list.OPERATIONS | task_operations.OPERATIONS
PARTS, SEQUENCES, SOAKED = 4, 2, 100
"""In parts, so that they can run in parallel; the first sequence of each is the simplest."""
STEPS = (8, 14)
TIME_BETWEEN_STEPS = timedelta(hours=7)
BEFORE = NOW - timedelta(days=5)
BUGS = (AtomChanged, CatalogFailed, HistoryFailed, Unreadable)
"""Errors that no command may raise here: there is no other process, and no file is damaged."""
HOUSEKEEPING = {"regen", "read", "check --fix"}
"""Operations that may make housekeeping commits."""
STALE = {"index-stale", "listing-stale", "overview-stale"}
"""Findings that no command leaves, until a person edits what a command generates."""
IDEMPOTENT = {
    "mark",
    "decision accept",
    "decision supersede",
    "user learn",
    "roadmap done",
    "regen",
}
"""Operations that change nothing the second time."""
FREQUENT = (BY_HAND, "mark", "decision accept")
LINE = "# By hand."

choices = st.builds(RandomChoice, st.integers(0, 99), st.integers(0, 99), st.integers(0, 999))
sequences = st.lists(
    st.tuples(st.sampled_from([*OPERATIONS, *FREQUENT * 3]), choices),
    min_size=STEPS[0],
    max_size=STEPS[1],
)


@pytest.fixture(scope="module")
def seed() -> Iterator[Path]:
    """A tree of two projects with atoms of each kind and tasks, some written by hand."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        root = Path(folder, "tree")
        init(str(root), lambda: BEFORE)
        with open_session(root, BEFORE) as session:
            for name in ("flywheel", "sundial"):
                new_project(session, name, "Turn")
            for at, kind in product(range(2), (0, 0, 1, 2, 4, 5)):
                OPERATIONS["new"](session, RandomChoice(at, 2 * at, kind))
            for at in range(4):
                OPERATIONS["decision new"](session, RandomChoice(at // 2, at, 0))
            for at in range(2):
                for name in ("issue add", "roadmap add", "scan new"):
                    OPERATIONS[name](session, RandomChoice(at, 0, at))
            write_file(root, "projects/flywheel/TASKS.yaml", task_operations.BOARD.encode())
            above = root / "projects/flywheel/experiments"
            for name, old, new in (
                ("EXP-001.md", b"tags:", b"refs: 0\nlast-ref: null\ntags:"),
                ("EXP-002.md", b"\n", b"\r\n"),
            ):
                (above / name).write_bytes((above / name).read_bytes().replace(old, new))
            commit(session, [], "by hand", str(root))
        yield root


class Snapshot(NamedTuple):
    """All files and folders (None) of a tree, its last commit, and its uncommitted paths."""

    files: dict[str, bytes | None]
    head: str
    dirty: frozenset[str]

    @classmethod
    def of(cls, root: Path) -> Snapshot:
        files: dict[str, bytes | None] = {}
        for above, folders, names in os.walk(root):
            folders[:] = [name for name in folders if name[0] != "."]
            files |= {os.path.join(above, name): None for name in folders}
            paths = (Path(above, name) for name in names)
            files |= {str(path): path.read_bytes() for path in paths}
        below = {os.path.relpath(path, root): text for path, text in files.items()}
        changed = git(root, "status", "--porcelain", "--untracked-files=all").splitlines()
        head = (root / ".git/refs/heads/main").read_text().strip()
        return cls(below, head, frozenset(line[3:] for line in changed))


def git(root: Path, *words: str) -> str:
    done = subprocess.run(("git", *words), cwd=root, capture_output=True, check=True)
    return done.stdout.decode()


def find_flaws(session: Session, codes: Collection[str]) -> list[Finding]:
    """Return the errors of a tree and its tasks, and all findings with one of the codes."""
    found = [
        *check(session, None).findings,
        *lint_tasks(session, session.tree.list_projects()).findings,
    ]
    return [each for each in found if is_error(each.code) or each.code in codes]


def perform(
    root: Path, before: Snapshot, step: Step, now: datetime, codes: Collection[str]
) -> Snapshot:
    """Do one operation: refused it changes nothing, done it is one commit and can be undone."""
    name, choice = step
    with open_session(root, now) as session:
        session.refresh()
        try:
            answer = OPERATIONS[name](session, choice)
        except BUGS:
            raise
        except CortexError:
            assert Snapshot.of(root) == before
            return before
        after = Snapshot.of(root)
        assert find_flaws(session, codes) == []
        committed = before.dirty - after.dirty
        if name != BY_HAND and is_a_change(root, name, before, after):
            assert committed == own_changes(name, answer)
            after = undo_and_redo(session, name, before, after)
        if name in IDEMPOTENT and not after.dirty:
            OPERATIONS[name](session, choice)
            assert Snapshot.of(root) == after
        return after


def is_a_change(root: Path, name: str, before: Snapshot, after: Snapshot) -> bool:
    """Return whether something was changed: then by one commit, without other uncommitted edits.

    Further commits may preserve texts of the user that git does not have.
    """
    assert after.dirty <= before.dirty
    assert all(after.files[path] == before.files[path] for path in after.dirty)
    subjects = git(root, "log", "--format=%s", f"{before.head}..{after.head}").splitlines()
    changes = [each for each in subjects if each not in HOUSEKEEPING_MESSAGES]
    assert name in HOUSEKEEPING or changes == subjects
    kept = [each for each in changes if each.startswith("keep ")]
    assert len(changes) - len(kept) <= 1
    assert len(kept) <= len(before.dirty - after.dirty)
    assert subjects or before.files == after.files
    return bool(changes)


def own_changes(name: str, answer: Any) -> set[str]:
    """Return the files whose uncommitted edits a command says it has committed."""
    if name == "commit":
        return set(answer.paths)
    own = set(getattr(answer, "outcome", answer).own_changes)
    assert name != "mark" or own <= {answer.path}
    return own


def undo_and_redo(session: Session, name: str, before: Snapshot, after: Snapshot) -> Snapshot:
    """Check that undo gives all bytes as before, and redo as after.

    Uncommitted edits that were committed too are then as git had them.
    """
    root = Path(session.tree.root)
    committed = before.dirty - after.dirty
    committed_texts = {
        path: git(root, "show", f"{after.head}^:{path}").encode() for path in committed
    }
    take_back, do_again = (redo, undo) if name == "undo" else (undo, redo)
    take_back(session)
    undone = Snapshot.of(root)
    assert (undone.files, undone.dirty) == (before.files | committed_texts, after.dirty)
    do_again(session)
    again = Snapshot.of(root)
    assert (again.files, again.dirty) == (after.files, after.dirty)
    new_commits = git(root, "log", "--format=%H", f"{after.head}..").split()
    assert new_commits == [again.head, undone.head]
    return again


def edited_decisions(root: Path) -> set[str]:
    """Return the paths of accepted decisions that were edited since."""
    every = (file.relative_to(root).as_posix() for file in root.glob("**/decisions/*[0-9]-*.md"))
    return {path for path in every if is_edited(root, path, (root / path).read_text())}


def is_edited(root: Path, path: str, text: str) -> bool:
    """Compare with the text at its acceptance: the first since it was last open."""
    accepted = ""
    if read_status(text) not in EDITABLE_DECISION_STATUSES:
        past = git(root, "log", "--reverse", "--diff-filter=AM", "--format=%h", "--", path)
        for revision in (git(root, "show", f"{commit}:{path}") for commit in past.split()):
            if read_status(revision) in EDITABLE_DECISION_STATUSES:
                accepted = ""
            elif read_status(revision) == "accepted":
                accepted = accepted or revision
    return bool(accepted) and accepted.count(LINE) != text.count(LINE)


def read_status(text: str) -> str:
    return text.partition("\nstatus: ")[2].partition("\n")[0].partition(":")[0].strip()


@pytest.mark.parametrize("part", leave_to_soak(range(PARTS), every=4))
def test_any_sequence_of_operations_leaves_a_valid_tree_and_can_be_undone(
    seed: Path, part: int, soak: bool
) -> None:
    @set_seed(part)
    @settings(
        max_examples=SOAKED if soak else SEQUENCES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(sequences)
    def law(steps: list[Step]) -> None:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            root = Path(shutil.copytree(seed, Path(folder, "tree"), symlinks=True))
            snapshot, now = Snapshot.of(root), NOW
            for at, step in enumerate(steps):
                by_hand = BY_HAND in {name for name, _ in steps[: at + 1]}
                snapshot = perform(
                    root, snapshot, step, now := now + TIME_BETWEEN_STEPS, () if by_hand else STALE
                )
            with open_session(root, now) as session:
                reported = check(session, None).filter_code("decision-changed").findings
            assert {each.path for each in reported} == edited_decisions(root)

    law()
