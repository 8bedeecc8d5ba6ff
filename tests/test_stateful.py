"""Whatever is done to a tree, in whatever order: it stays sound, and each change can be undone."""

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
from hypothesis import seed as sown
from hypothesis import strategies as st
from operation_list import BY_HAND, Dice
from tree_strategies import MEMORY, NOW, opened, put

from cortexfs.core.atoms.lifecycle import EDITABLE_DECISION_STATUSES
from cortexfs.core.changes.plan import HOUSEKEEPING_MESSAGES
from cortexfs.core.checks.finding_codes import ERROR, get_severity
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

    Step = tuple[str, Dice]

DEEDS = operation_list.DEEDS | task_operations.DEEDS
PARTS, SEQUENCES, SOAKED = 4, 2, 251
"""In parts, so that they can run side by side; the first sequence of each is the plainest."""
STEPS = (8, 14)
PACE = timedelta(hours=7)
BEFORE = NOW - timedelta(days=5)
BUGS = (AtomChanged, CatalogFailed, HistoryFailed, Unreadable)
"""What no command may refuse with here: nobody else is at work, and every file is whole."""
CHORES = {"regen", "look", "check --fix"}
"""What may commit that it has only kept books."""
STALE = {"index-stale", "listing-stale", "overview-stale"}
"""What no command leaves behind, until a person writes where a command would have to."""
SETTLING = {"mark", "decision accept", "decision supersede", "user learn", "roadmap done", "regen"}
"""What leaves nothing to do for a second time."""
OFTEN = (BY_HAND, "mark", "decision accept")
LINE = "# By hand."

dice = st.builds(Dice, st.integers(0, 99), st.integers(0, 99), st.integers(0, 999))
lives = st.lists(
    st.tuples(st.sampled_from([*DEEDS, *OFTEN * 3]), dice),
    min_size=STEPS[0],
    max_size=STEPS[1],
)


@pytest.fixture(scope="module")
def seed() -> Iterator[Path]:
    """A tree of two projects with atoms of each kind and tasks, some of it written by hand."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        root = Path(folder, "tree")
        init(str(root), lambda: BEFORE)
        with opened(root, BEFORE) as session:
            for name in ("flywheel", "sundial"):
                new_project(session, name, "Turn")
            for at, kind in product(range(2), (0, 0, 1, 2, 4, 5)):
                DEEDS["new"](session, Dice(at, 2 * at, kind))
            for at in range(4):
                DEEDS["decision new"](session, Dice(at // 2, at, 0))
            for at in range(2):
                for name in ("issue add", "roadmap add", "scan new"):
                    DEEDS[name](session, Dice(at, 0, at))
            put(root, "projects/flywheel/TASKS.yaml", task_operations.BOARD.encode())
            above = root / "projects/flywheel/experiments"
            for name, old, new in (
                ("EXP-001.md", b"tags:", b"refs: 0\nlast-ref: null\ntags:"),
                ("EXP-002.md", b"\n", b"\r\n"),
            ):
                (above / name).write_bytes((above / name).read_bytes().replace(old, new))
            commit(session, [], "by hand", str(root))
        yield root


class Photo(NamedTuple):
    """All of a tree: its files and folders (None), its last commit, and what git lacks."""

    files: dict[str, bytes | None]
    head: str
    dirty: frozenset[str]

    @classmethod
    def of(cls, root: Path) -> Photo:
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


def flaws(session: Session, codes: Collection[str]) -> list[Finding]:
    """Give the errors of a tree and its tasks, and whatever bears one of some codes."""
    found = [
        *check(session, None).findings,
        *lint_tasks(session, session.tree.list_projects()).findings,
    ]
    return [each for each in found if get_severity(each.code) == ERROR or each.code in codes]


def play(root: Path, before: Photo, step: Step, now: datetime, codes: Collection[str]) -> Photo:
    """Do one thing: refused it changes nothing, done it is one commit, undone it never was."""
    name, thrown = step
    with opened(root, now) as session:
        session.refresh()
        try:
            answer = DEEDS[name](session, thrown)
        except BUGS:
            raise
        except CortexError:
            assert Photo.of(root) == before
            return before
        after = Photo.of(root)
        assert flaws(session, codes) == []
        came = before.dirty - after.dirty
        if name != BY_HAND and is_a_change(root, name, before, after):
            assert came == own_changes(name, answer)
            after = taken_back_and_done_again(session, name, before, after)
        if name in SETTLING and not after.dirty:
            DEEDS[name](session, thrown)
            assert Photo.of(root) == after
        return after


def is_a_change(root: Path, name: str, before: Photo, after: Photo) -> bool:
    """Tell whether it was one: then it is one commit, and has left alone what is unfinished.

    Another commit may keep a text of the user's own that git has not seen.
    """
    assert after.dirty <= before.dirty
    assert all(after.files[path] == before.files[path] for path in after.dirty)
    made = git(root, "log", "--format=%s", f"{before.head}..{after.head}").splitlines()
    changes = [said for said in made if said not in HOUSEKEEPING_MESSAGES]
    assert name in CHORES or changes == made
    kept = [said for said in changes if said.startswith("keep ")]
    assert len(changes) - len(kept) <= 1
    assert len(kept) <= len(before.dirty - after.dirty)
    assert made or before.files == after.files
    return bool(changes)


def own_changes(name: str, answer: Any) -> set[str]:
    """Name the files in which, by its own words, a command has committed unfinished work."""
    if name == "commit":
        return set(answer.paths)
    own = set(getattr(answer, "outcome", answer).own_changes)
    assert name != "mark" or own <= {answer.path}
    return own


def taken_back_and_done_again(session: Session, name: str, before: Photo, after: Photo) -> Photo:
    """Give all the bytes before and after; what came along unfinished is as git had it."""
    root = Path(session.tree.root)
    came = before.dirty - after.dirty
    had = {path: git(root, "show", f"{after.head}^:{path}").encode() for path in came}
    there, back = (redo, undo) if name == "undo" else (undo, redo)
    there(session)
    undone = Photo.of(root)
    assert (undone.files, undone.dirty) == (before.files | had, after.dirty)
    back(session)
    again = Photo.of(root)
    assert (again.files, again.dirty) == (after.files, after.dirty)
    made = git(root, "log", "--format=%H", f"{after.head}..").split()
    assert made == [again.head, undone.head]
    return again


def edited_decisions(root: Path) -> set[str]:
    """Name the decisions that no longer say what they said when they were accepted."""
    every = (file.relative_to(root).as_posix() for file in root.glob("**/decisions/*[0-9]-*.md"))
    return {path for path in every if is_edited(root, path, (root / path).read_text())}


def is_edited(root: Path, path: str, text: str) -> bool:
    """Look into git for when it was accepted: the first time since it was last open."""
    accepted = ""
    if status(text) not in EDITABLE_DECISION_STATUSES:
        past = git(root, "log", "--reverse", "--diff-filter=AM", "--format=%h", "--", path)
        for then in (git(root, "show", f"{commit}:{path}") for commit in past.split()):
            if status(then) in EDITABLE_DECISION_STATUSES:
                accepted = ""
            elif status(then) == "accepted":
                accepted = accepted or then
    return bool(accepted) and accepted.count(LINE) != text.count(LINE)


def status(text: str) -> str:
    return text.partition("\nstatus: ")[2].partition("\n")[0].partition(":")[0].strip()


@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_is_done_leaves_a_sound_tree_and_can_be_undone(
    seed: Path, part: int, soak: bool
) -> None:
    @sown(part)
    @settings(
        max_examples=SOAKED if soak else SEQUENCES,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(lives)
    def law(life: list[Step]) -> None:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            root = Path(shutil.copytree(seed, Path(folder, "tree"), symlinks=True))
            photo, now = Photo.of(root), NOW
            for at, step in enumerate(life):
                by_hand = BY_HAND in {name for name, _ in life[: at + 1]}
                photo = play(root, photo, step, now := now + PACE, () if by_hand else STALE)
            with opened(root, now) as session:
                told = check(session, None).filter_code("decision-changed").findings
            assert {each.path for each in told} == edited_decisions(root)

    law()
