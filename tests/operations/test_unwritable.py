"""A file or folder that cannot be written stops no other change and leaves nothing pending."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from place import build_sample
from unprivileged import CORTEXFS, run_unprivileged

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree, Place

READ_ONLY = "projects/greenhouse/knowledge"
REGEN = (*CORTEXFS, "index", "regen", "--all")
PENDING = ".cortexfs/pending.jsonl"
EVIDENCE = ("-s", "Never made", "-t", "a", "--evidence", "EXP-001")


@contextmanager
def read_only(place: Place, *folders: str) -> Iterator[None]:
    """Make folders read-only for the length of the block."""
    for folder in folders:
        (place.root / folder).chmod(0o555)
    yield
    for folder in folders:
        (place.root / folder).chmod(0o755)


def _build_outdated(sample: Place) -> None:
    build_sample(sample)
    sample.ok("index", "regen", "--all")
    for atom in (f"{READ_ONLY}/K-002.md", "projects/driftwood/knowledge/K-005.md"):
        text = sample.read(atom)
        older = re.sub(r"^date: .*$", "date: 2026-01-01", text, flags=re.MULTILINE)
        sample.write(atom, re.sub(r"^refs: .*$", "refs: 0", older, flags=re.MULTILINE))
    sample.git("commit", "-qam", "by hand")


@pytest.fixture
def outdated(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree in which an index and the refs of an atom are outdated, in each of two projects."""
    return copy_tree(tmp_path / "tree", _build_outdated)


def regen(place: Place) -> subprocess.CompletedProcess[str]:
    done = run_unprivileged(place, *REGEN)
    assert done.returncode == 0, done
    return done


def list_committed_paths(place: Place) -> set[str]:
    return set(place.git("show", "--name-only", "--format=", "HEAD").split())


def test_a_read_only_folder_is_named_once_and_all_others_are_written_and_committed(
    outdated: Place,
) -> None:
    before = {path: path.read_bytes() for path in (outdated.root / READ_ONLY).iterdir()}
    with read_only(outdated, READ_ONLY):
        ran = regen(outdated)
        assert ran.stderr == f"{READ_ONLY}: not written: permission denied\n"
        assert ran.stdout == "8 indexes, 1 changed, and read counts of 1 atom\n"
        assert list_committed_paths(outdated) == {
            f"projects/driftwood/knowledge/{name}" for name in ("K-005.md", "index.md")
        }
        assert {path: path.read_bytes() for path in (outdated.root / READ_ONLY).iterdir()} == before
        assert outdated.git("status", "--porcelain") == ""
        again = regen(outdated)
        assert (again.stdout, again.stderr) == ("8 indexes, 0 changed\n", ran.stderr)
        found = run_unprivileged(outdated, *CORTEXFS, "check", "greenhouse", "--json").stdout
        codes = {(each["path"], each["code"]) for each in json.loads(found)["findings"]}
        assert {(READ_ONLY, "not-writable"), (f"{READ_ONLY}/index.md", "index-stale")} <= codes
    assert regen(outdated).stdout == "9 indexes, 1 changed, and read counts of 1 atom\n"
    assert list_committed_paths(outdated) == {f"{READ_ONLY}/K-002.md", f"{READ_ONLY}/index.md"}
    assert outdated.run("check", "greenhouse", "--strict").code == 0


def test_while_git_is_busy_only_written_files_are_pending(outdated: Place) -> None:
    merging = outdated.write(".git/MERGE_HEAD", outdated.git("rev-parse", "HEAD"))
    with read_only(outdated, READ_ONLY):
        assert "a merge is in progress" in regen(outdated).stderr
        promised = [json.loads(line)["digests"] for line in outdated.read(PENDING).splitlines()]
    assert {path for digests in promised for path in digests} == {
        f"projects/driftwood/knowledge/{name}" for name in ("K-005.md", "index.md")
    }
    merging.unlink()
    regen(outdated)
    assert outdated.git("status", "--porcelain") == ""
    assert not (outdated.root / PENDING).exists()


def test_a_handwritten_index_in_a_read_only_folder_is_kept_and_backed_up_once(
    outdated: Place,
) -> None:
    path = f"{READ_ONLY}/index.md"
    outdated.write(path, "# Mine\n")
    with read_only(outdated, READ_ONLY):
        for _ in range(3):
            assert "backup of the previous text" not in regen(outdated).stderr
        assert outdated.read(path) == "# Mine\n"
    assert "backup of the previous text" in regen(outdated).stderr
    copies = list((outdated.root / ".cortexfs/replaced").iterdir())
    assert [copy.read_text() for copy in copies] == ["# Mine\n"]


def test_a_new_atom_in_a_read_only_folder_is_refused_and_nothing_is_pending(sample: Place) -> None:
    sample.write(".git/MERGE_HEAD", sample.git("rev-parse", "HEAD"))
    status = sample.git("status", "--porcelain")
    with read_only(sample, READ_ONLY):
        done = run_unprivileged(
            sample, *CORTEXFS, "new", "knowledge", "-p", "greenhouse", *EVIDENCE
        )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: permission denied")
    assert "\n hint: change the permissions of the file or its folder" in done.stderr
    assert sample.git("status", "--porcelain") == status
    assert not (sample.root / PENDING).exists()


def test_a_read_only_contents_page_does_not_stop_a_new_atom(sample: Place) -> None:
    sample.ok("index", "regen", "--all")
    listing = sample.read("CORTEX.md").replace("[scans/]", "[older/]")
    sample.write("CORTEX.md", listing)
    sample.git("commit", "-qam", "by hand")
    with read_only(sample, "."):
        done = run_unprivileged(sample, *CORTEXFS, "new", "idea", "-s", "Tides", "-t", "a")
    assert (done.returncode, done.stdout) == (0, "IDEA-003\tideas/IDEA-003.md\n"), done
    assert done.stderr == "CORTEX.md: not written: permission denied\n"
    assert list_committed_paths(sample) == {"ideas/IDEA-003.md", "ideas/CORTEX.md"}
    assert sample.read("CORTEX.md") == listing


def test_notes_wait_while_their_access_log_cannot_be_created(sample: Place) -> None:
    logs = "projects/greenhouse/_meta"
    (sample.root / logs / "access-log.jsonl").unlink()
    sample.git("commit", "-qam", "no log")
    sample.ok("show", "greenhouse/K-002")
    with read_only(sample, logs):
        regen(sample)
        drained = run_unprivileged(sample, *CORTEXFS, "hook", "drain")
        assert drained.stdout == "0 notes, 0 events\n", drained
    assert sample.ok("hook", "drain") == "1 note, 1 event\n"
