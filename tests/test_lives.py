"""Whatever is done to atoms, in whatever order, the tree stays sound and a change is one commit."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from growing import MEMORY, NOW, opened
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from cortexfs.core.atom import Ref
from cortexfs.core.create import Draft
from cortexfs.core.findings import ERROR, severity
from cortexfs.core.kinds import Kinds
from cortexfs.core.lifecycle import OVERTURNED, SECTIONS
from cortexfs.errors import Refused
from cortexfs.verbs.check import check
from cortexfs.verbs.commit import commit
from cortexfs.verbs.init import init
from cortexfs.verbs.mark import Asked, mark
from cortexfs.verbs.new import new
from cortexfs.verbs.project import new_project
from cortexfs.verbs.restore import restore

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.core.plan import Plan
    from cortexfs.cortex import Cortex

SEQUENCES, SOAKED, STEPS = 6, 1000, 12
PROJECTS = ("flywheel", "sundial")
KINDS = Kinds()
BASIS = {"knowledge": "evidence", "pattern": "source-experiments"}

picks = st.integers(0, 99)
statuses = st.sampled_from([*SECTIONS, *OVERTURNED, *OVERTURNED])
reasons = st.sampled_from(["", "It was noise", "a | b: `c`"])


def _make(root: Path, kind: str, project: str, **fields: tuple[str, ...]) -> Plan:
    row = KINDS.named(kind)
    assert row
    named = {key.replace("_", "-"): value for key, value in fields.items()}
    draft = Draft(kind=row, project=project, summary="A claim", tags=("a",), fields=named)
    with opened(root) as cortex:
        return new(cortex, draft).plan


def _seed(root: Path) -> None:
    """Make a tree of two projects, two experiments in each and what rests on them."""
    init(str(root), lambda: NOW)
    for project in PROJECTS:
        with opened(root) as cortex:
            new_project(cortex, project, "Live, and let live")
        for _ in range(2):
            _make(root, "experiment", project)
        _make(root, "knowledge", project, evidence=("EXP-001", "flywheel/EXP-002"))
        _make(root, "pattern", project, source_experiments=("EXP-001",))


class Lives(RuleBasedStateMachine):
    """Make, edit, mark and restore atoms, as people and agents would, one after the other."""

    seed: Path

    def __init__(self) -> None:
        super().__init__()
        self.home = Path(tempfile.mkdtemp(dir=MEMORY))
        self.root = self.home / "tree"
        self.unfinished: set[str] = set()

    def teardown(self) -> None:
        shutil.rmtree(self.home)

    @initialize()
    def begin(self) -> None:
        shutil.copytree(self.seed, self.root, symlinks=True)

    @rule(project=st.sampled_from(PROJECTS))
    def make_an_experiment(self, project: str) -> None:
        self.do(lambda: _make(self.root, "experiment", project))

    @rule(project=st.sampled_from(PROJECTS), kind=st.sampled_from(sorted(BASIS)), on=picks)
    def make_a_claim(self, project: str, kind: str, on: int) -> None:
        fields = {BASIS[kind].replace("-", "_"): (self.pick(on, "/EXP-"),)}
        self.do(lambda: _make(self.root, kind, project, **fields))

    @rule(at=picks)
    def edit_by_hand(self, at: int) -> None:
        path = self.path(self.pick(at))
        (self.root / path).write_text((self.root / path).read_text() + "\nBy hand.\n")
        self.unfinished.add(path)

    @rule()
    def commit_by_hand(self) -> None:
        with opened(self.root) as cortex:
            commit(cortex, [], None, str(self.root))
        self.unfinished.clear()

    @rule(at=picks, status=statuses, by=st.none() | picks, reason=reasons, same=st.booleans())
    def mark(self, at: int, status: str, by: int | None, reason: str, same: bool) -> None:
        ref = self.pick(at)
        among = ref.rpartition("-")[0].rpartition("/")[2] if same else ""
        cause = "" if by is None else self.pick(by, f"/{among}")
        asked = Asked(ref, status, cause, reason, str(self.root))
        self.do(lambda: self.on(lambda cortex: mark(cortex, asked).plan), ref)
        if not self.unfinished:
            head = self.head()
            self.do(lambda: self.on(lambda cortex: mark(cortex, asked).plan), ref)
            assert self.head() == head, "the second time nothing is left to do"

    @rule(at=picks)
    def restore(self, at: int) -> None:
        ref, where = self.pick(at), str(self.root)
        self.do(lambda: self.on(lambda view: restore(view, ref, at=None, cwd=where).plan), ref)

    @invariant()
    def the_tree_is_sound(self) -> None:
        if self.root.exists():
            with opened(self.root) as cortex:
                found = check(cortex, None).findings
            assert [each for each in found if severity(each.code) == ERROR] == []

    @invariant()
    def what_is_unfinished_is_all_that_git_does_not_have(self) -> None:
        if self.root.exists():
            changed = self.git("status", "--porcelain", "--untracked-files=all").splitlines()
            assert {line[3:] for line in changed} - self.unfinished == set()

    def do(self, deed: Callable[[], Plan], ref: str = "") -> None:
        """Do one thing: what is refused changes nothing, what is done is one commit.

        One more commit keeps a body that nobody had committed, before a tombstone takes its place.
        """
        head, before = self.head(), self.files()
        own = self.path(ref) if ref else ""
        others = {path: before[path] for path in self.unfinished - {own}}
        try:
            plan = deed()
        except Refused:
            assert (self.head(), self.files()) == (head, before)
            return
        subjects = self.git("log", "--format=%s", f"{head}..").splitlines()
        keeping = [subject for subject in subjects if subject.startswith("keep ")]
        assert len(subjects) - len(keeping) == bool(plan.writes)
        assert len(keeping) <= (own in self.unfinished)
        if any(write.path == own for write in plan.writes):
            self.unfinished.discard(own)
        assert {path: self.files()[path] for path in others} == others

    def on(self, deed: Callable[[Cortex], Plan]) -> Plan:
        with opened(self.root) as cortex:
            return deed(cortex)

    def pick(self, at: int, among: str = "/") -> Ref:
        """Give the ref of some atom."""
        paths = sorted(self.root.glob("projects/*/*/*-[0-9]*.md"))
        refs = [Ref(f"{path.parts[-3]}/{path.stem}") for path in paths]
        wanted = [ref for ref in refs if among in ref]
        return wanted[at % len(wanted)]

    def path(self, ref: str) -> str:
        project, ident = ref.split("/")
        kind = KINDS.of_id(ident)
        assert kind
        return f"projects/{project}/{kind.folder}/{ident}.md"

    def files(self) -> dict[str, bytes]:
        every = (path for path in self.root.rglob("*.md") if ".cortexfs" not in path.parts)
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in every}

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def git(self, *words: str) -> str:
        words = ("git", "-C", str(self.root), *words)
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def test_no_sequence_of_lifecycle_commands_breaks_a_tree(tmp_path: Path, soak: bool) -> None:
    Lives.seed = tmp_path / "seed"
    _seed(Lives.seed)
    chosen = settings(
        max_examples=SOAKED if soak else SEQUENCES,
        stateful_step_count=STEPS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Lives, settings=chosen)
