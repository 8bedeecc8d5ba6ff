"""Undoing what was done through cortexfs gives the bytes before, redoing it those after."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from growing import MEMORY, NOW, opened, put
from hypothesis import HealthCheck, given, settings
from hypothesis import seed as sown
from hypothesis import strategies as st

from cortexfs.core.create import Draft
from cortexfs.errors import CortexError
from cortexfs.verbs.check import check
from cortexfs.verbs.commit import commit
from cortexfs.verbs.init import init
from cortexfs.verbs.mark import Asked, mark
from cortexfs.verbs.new import new
from cortexfs.verbs.project import new_project
from cortexfs.verbs.regen import regen
from cortexfs.verbs.restore import restore
from cortexfs.verbs.undo import undo

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.core.plan import Outcome
    from cortexfs.cortex import Cortex

    Deed = Callable[[Cortex], Outcome | None]

FIELDS: dict[str, dict[str, Any]] = {
    "experiment": {},
    "knowledge": {"evidence": ("EXP-001",)},
    "pattern": {"source-experiments": ("EXP-001", "EXP-002")},
    "observation": {"type": "note"},
    "decision": {},
    "idea": {},
}
REFS = ("EXP-001", "EXP-002", "EXP-003", "EXP-004", "K-001", "PAT-001")
STATUSES = ("valid", "challenged", "corrected", "superseded", "refined", "stale", "invalidated")
BODY = "projects/flywheel/experiments/EXP-001.md"


def made(kind: str) -> Deed:
    def deed(cortex: Cortex) -> Outcome | None:
        row = cortex.kinds.named(kind)
        assert row
        project = "flywheel" if "project" in row.scopes else ""
        words = ("turning",)
        fields = FIELDS[kind]
        draft = Draft(kind=row, project=project, summary=f"A {kind}", tags=words, fields=fields)
        return new(cortex, draft).outcome

    return deed


def marked(ref: str, status: str, by: str) -> Deed:
    def deed(cortex: Cortex) -> Outcome | None:
        said = Asked(f"flywheel/{ref}", status, f"flywheel/{by}", "it was measured", "/")
        return mark(cortex, said).outcome

    return deed


def brought_back(ref: str, at: str | None) -> Deed:
    return lambda cortex: restore(cortex, f"flywheel/{ref}", at=at, cwd="/").outcome


def begun(name: str) -> Deed:
    return lambda cortex: new_project(cortex, name, "Turn")[1]


def written_by_hand(more: str) -> Deed:
    """Let a person write into an atom, and commit that through cortexfs."""

    def deed(cortex: Cortex) -> Outcome | None:
        file = Path(cortex.tree.root, BODY)
        file.write_bytes(file.read_bytes() + more.encode())
        return commit(cortex, [], None, cortex.tree.root).outcome

    return deed


def deeds() -> st.SearchStrategy[tuple[str, Deed]]:
    ref = st.sampled_from(REFS)
    return st.one_of(
        st.sampled_from(list(FIELDS)).map(lambda kind: (f"new {kind}", made(kind))),
        st.tuples(ref, st.sampled_from(STATUSES), ref).map(
            lambda said: (f"mark {' '.join(said)}", marked(*said))
        ),
        st.tuples(ref, st.sampled_from([None, "HEAD", "HEAD~1", "HEAD~3"])).map(
            lambda said: (f"restore {said}", brought_back(*said))
        ),
        st.sampled_from(["sundial", "mill"]).map(lambda name: (f"project {name}", begun(name))),
        st.sampled_from(["\nMore.\n", "\r\nMore.\r\n", "no line end"]).map(
            lambda more: (f"by hand {more!r}", written_by_hand(more))
        ),
        st.just(("regen", lambda cortex: regen(cortex, None))),
        st.just(("undo", lambda cortex: undo(cortex).outcome)),
    )


@pytest.fixture(scope="module")
def seed() -> Iterator[Path]:
    """A tree of one project with a few atoms, one of which carries refs and one CR LF."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        root = Path(folder, "tree")
        init(str(root), lambda: NOW)
        with opened(root) as cortex:
            begun("flywheel")(cortex)
            for kind in ("experiment", "experiment", "experiment", "knowledge", "pattern"):
                made(kind)(cortex)
            file = root / BODY
            put(root, BODY, file.read_bytes().replace(b"tags:", b"refs: 0\nlast-ref: null\ntags:"))
            other = root / BODY.replace("001", "002")
            put(root, BODY.replace("001", "002"), other.read_bytes().replace(b"\n", b"\r\n"))
            commit(cortex, [], "by hand", str(root))
        yield root


def photo(root: Path) -> dict[str, bytes | None]:
    """Take every file with its bytes, and every folder."""
    return {
        str(path.relative_to(root)): path.read_bytes() if path.is_file() else None
        for path in root.rglob("*")
        if not {".git", ".cortexfs"} & set(path.relative_to(root).parts)
    }


def is_bookkeeping(outcome: Outcome | None, root: Path) -> bool:
    """Tell whether a deed has made no commit that is a change."""
    if outcome is None or not outcome.commits:
        return True
    return "Cortexfs-Change: " not in git(root, "log", "-1", "--format=%B", outcome.commits[-1])


def git(root: Path, *words: str) -> str:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=True)
    return done.stdout


def check_law(seed: Path, told: list[tuple[str, Deed]]) -> None:
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        root = Path(shutil.copytree(seed, Path(folder, "tree"), symlinks=True))
        for number, (said, deed) in enumerate(told):
            with opened(root, NOW + timedelta(hours=7 * number)) as cortex:
                before, head = photo(root), git(root, "rev-parse", "HEAD")
                try:
                    bookkeeping = is_bookkeeping(deed(cortex), root)
                except CortexError:
                    assert photo(root) == before, said
                    assert git(root, "rev-parse", "HEAD") == head
                    continue
                if bookkeeping:
                    continue
                after = photo(root)
                if not said.startswith("by hand"):
                    assert git(root, "rev-parse", "HEAD~1") == head, said
                undo(cortex)
                if not said.startswith("by hand"):
                    assert photo(root) == before, said
                undo(cortex)
                assert photo(root) == after, said
        assert git(root, "status", "--porcelain") == ""
        with opened(root) as cortex:
            findings = check(cortex, None).findings
            assert not [f for f in findings if f.code in {"dangling-ref", "duplicate-id"}]


@pytest.mark.parametrize("part", range(4))
def test_undo_gives_the_bytes_before_and_redo_those_after(
    seed: Path, part: int, soak: bool
) -> None:
    """At full size a thousand sequences, in parts that can run side by side."""

    @sown(part)
    @settings(
        max_examples=250 if soak else 2, deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(told=st.lists(deeds(), min_size=2, max_size=6))
    def law(told: list[tuple[str, Deed]]) -> None:
        check_law(seed, told)

    law()
