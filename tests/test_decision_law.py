"""Whatever is done to decisions: a sound tree, one commit each, and no edit that hides."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from growing import MEMORY, NOW, opened
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from cortexfs.core.create import Draft
from cortexfs.core.findings import ERROR, severity
from cortexfs.errors import NoSuchAtom, Refused
from cortexfs.verbs.check import check
from cortexfs.verbs.commit import commit
from cortexfs.verbs.decision import kind_of_decisions, new_decision, settle, supersede
from cortexfs.verbs.init import init
from cortexfs.verbs.project import new_project
from cortexfs.verbs.undo import undo

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.plan import Outcome
    from cortexfs.cortex import Cortex

BODY = "\n# {{id}}\n\n## Context\n\n## Alternatives\n\n- One\n- Two\n\n## Decision\n\nOne.\n"
REFS = ("DR-0001", "DR-0002", "flywheel/DR-0001", "flywheel/DR-0002", "flywheel/DR-0003")
DEEDS = ("accept", "reject", "supersede", "edit", "new")
EXAMPLES, SOAKED = 8, 300

deeds = st.lists(
    st.tuples(st.sampled_from(DEEDS), st.sampled_from(REFS), st.sampled_from(REFS)), max_size=6
)


@pytest.fixture(scope="module")
def seed() -> Iterator[Path]:
    """A tree with two decisions at each level, all proposed."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        root = Path(folder, "tree")
        init(str(root), lambda: NOW)
        with opened(root) as cortex:
            new_project(cortex, "flywheel", "Turn")
            for ref in REFS[:4]:
                _new(cortex, ref)
        yield root


def _new(cortex: Cortex, ref: str) -> Outcome | None:
    project = ref.rpartition("/")[0]
    kind = kind_of_decisions(cortex)
    draft = Draft(kind=kind, project=project, summary="d", fields={}, body=BODY, open_words=True)
    return new_decision(cortex, draft).outcome


def _do(cortex: Cortex, deed: str, ref: str, other: str) -> Outcome | None:
    if deed == "new":
        return _new(cortex, ref)
    if deed == "supersede":
        return supersede(cortex, ref, other, "/").outcome
    return settle(cortex, ref, f"{deed}ed", "/").outcome


def _edit(root: Path, ref: str) -> str:
    path = next(iter(root.glob(_pattern(ref))), None)
    if path:
        path.write_text(path.read_text().replace("One.", "One, and more."))
    return path.relative_to(root).as_posix() if path else ""


def _pattern(ref: str) -> str:
    project, _, ident = ref.rpartition("/")
    number = ident.removeprefix("DR-")
    return f"projects/{project}/decisions/{number}-*.md" if project else f"decisions/{ident}-*.md"


def _status(root: Path, path: str) -> str:
    text = (root / path).read_text()
    return text.partition("\nstatus: ")[2].partition("\n")[0].partition(":")[0]


def _photo(root: Path) -> dict[str, bytes]:
    every = (path for path in root.rglob("*.md") if ".cortexfs" not in path.parts)
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in every}


def _head(root: Path) -> str:
    words = ("git", "-C", str(root), "rev-list", "--count", "HEAD")
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def _play(root: Path, deed: str, ref: str, other: str) -> None:
    """Do one thing: refused it changes nothing, done it is one commit, undone it never was."""
    before, count = _photo(root), int(_head(root))
    with opened(root) as cortex:
        try:
            outcome = _do(cortex, deed, ref, other)
        except (Refused, NoSuchAtom):
            assert (_photo(root), int(_head(root))) == (before, count)
            return
        done = bool(outcome and outcome.plan.writes)
        after = _photo(root)
        assert int(_head(root)) == count + done
        if done:
            undo(cortex)
            assert _photo(root) == before
            undo(cortex)
            assert _photo(root) == after


def test_no_sequence_breaks_a_tree_or_hides_an_edit(seed: Path, soak: bool) -> None:
    @settings(
        max_examples=SOAKED if soak else EXAMPLES,
        deadline=None,
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(deeds)
    def law(sequence: list[tuple[str, str, str]]) -> None:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            root = Path(shutil.copytree(seed, Path(folder, "tree"), symlinks=True))
            edited: set[str] = set()
            for deed, ref, other in sequence:
                if deed != "edit":
                    _play(root, deed, ref, other)
                elif path := _edit(root, ref):
                    held = _status(root, path) in {"accepted", "superseded"}
                    edited |= {path} if held and _was_accepted(root, path) else set()
                    with opened(root) as cortex:
                        commit(cortex, [], "by hand", str(root))
                with opened(root) as cortex:
                    found = check(cortex, None).findings
                assert [each for each in found if severity(each.code) == ERROR] == []
                changed = {each.path for each in found if each.code == "decision-changed"}
                assert changed == {path for path in edited if _differs(root, path)}

    law()


def _past(root: Path, path: str) -> list[str]:
    """Give what a file said in each commit, the oldest first, as git itself tells."""
    words = ("git", "-C", str(root), "rev-list", "--reverse", "HEAD", "--", path)
    commits = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    shown = (("git", "-C", str(root), "show", f"{commit}:{path}") for commit in commits)
    return [
        subprocess.run(each, capture_output=True, text=True, check=True).stdout for each in shown
    ]


def _was_accepted(root: Path, path: str) -> bool:
    return any("\nstatus: accepted\n" in text for text in _past(root, path))


def _differs(root: Path, path: str) -> bool:
    accepted = next(text for text in _past(root, path) if "\nstatus: accepted\n" in text)
    return accepted.count("and more") != (root / path).read_text().count("and more")
