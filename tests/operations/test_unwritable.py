"""What the disk refuses of a file or folder keeps nothing else back, and no promise open."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from place import build_sample
from unprivileged import CORTEXFS, as_anyone

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

    from place import CopyTree, Place

SHUT = "projects/greenhouse/knowledge"
REGEN = (*CORTEXFS, "index", "regen", "--all")
PENDING = ".cortexfs/pending.jsonl"
BASED = ("-s", "Never made", "-t", "a", "--evidence", "EXP-001")


@contextmanager
def shut(place: Place, *folders: str) -> Iterator[None]:
    """Make folders read-only for as long as it takes."""
    for folder in folders:
        (place.root / folder).chmod(0o555)
    yield
    for folder in folders:
        (place.root / folder).chmod(0o755)


def _build_behind(sample: Place) -> None:
    build_sample(sample)
    sample.ok("index", "regen", "--all")
    for atom in (f"{SHUT}/K-002.md", "projects/driftwood/knowledge/K-005.md"):
        text = sample.read(atom)
        older = re.sub(r"^date: .*$", "date: 2026-01-01", text, flags=re.MULTILINE)
        sample.write(atom, re.sub(r"^refs: .*$", "refs: 0", older, flags=re.MULTILINE))
    sample.git("commit", "-qam", "by hand")


@pytest.fixture
def behind(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree in which two projects have an index, and an atom's refs, that are behind."""
    return copy_tree(tmp_path / "tree", _build_behind)


def regen(place: Place) -> subprocess.CompletedProcess[str]:
    done = as_anyone(place, *REGEN)
    assert done.returncode == 0, done
    return done


def committed(place: Place) -> set[str]:
    return set(place.git("show", "--name-only", "--format=", "HEAD").split())


def test_a_read_only_folder_is_named_once_and_all_others_are_written_and_committed(
    behind: Place,
) -> None:
    before = {path: path.read_bytes() for path in (behind.root / SHUT).iterdir()}
    with shut(behind, SHUT):
        said = regen(behind)
        assert said.stderr == f"{SHUT}: not written: permission denied\n"
        assert said.stdout == "8 indexes, 1 changed, and the refs of 1 atom\n"
        assert committed(behind) == {
            f"projects/driftwood/knowledge/{name}" for name in ("K-005.md", "index.md")
        }
        assert {path: path.read_bytes() for path in (behind.root / SHUT).iterdir()} == before
        assert behind.git("status", "--porcelain") == ""
        again = regen(behind)
        assert (again.stdout, again.stderr) == ("8 indexes, 0 changed\n", said.stderr)
        found = as_anyone(behind, *CORTEXFS, "check", "greenhouse", "--json").stdout
        codes = {(each["path"], each["code"]) for each in json.loads(found)["findings"]}
        assert {(SHUT, "not-writable"), (f"{SHUT}/index.md", "index-stale")} <= codes
    assert regen(behind).stdout == "9 indexes, 1 changed, and the refs of 1 atom\n"
    assert committed(behind) == {f"{SHUT}/K-002.md", f"{SHUT}/index.md"}
    assert behind.run("check", "greenhouse", "--strict").code == 0


def test_while_git_is_busy_only_written_files_are_pending(behind: Place) -> None:
    merging = behind.write(".git/MERGE_HEAD", behind.git("rev-parse", "HEAD"))
    with shut(behind, SHUT):
        assert "a merge is in progress" in regen(behind).stderr
        promised = [json.loads(line)["digests"] for line in behind.read(PENDING).splitlines()]
    assert {path for digests in promised for path in digests} == {
        f"projects/driftwood/knowledge/{name}" for name in ("K-005.md", "index.md")
    }
    merging.unlink()
    regen(behind)
    assert behind.git("status", "--porcelain") == ""
    assert not (behind.root / PENDING).exists()


def test_a_handwritten_index_in_a_read_only_folder_is_kept_and_backed_up_once(
    behind: Place,
) -> None:
    path = f"{SHUT}/index.md"
    behind.write(path, "# Mine\n")
    with shut(behind, SHUT):
        for _ in range(3):
            assert "backup of the previous text" not in regen(behind).stderr
        assert behind.read(path) == "# Mine\n"
    assert "backup of the previous text" in regen(behind).stderr
    copies = list((behind.root / ".cortexfs/replaced").iterdir())
    assert [copy.read_text() for copy in copies] == ["# Mine\n"]


def test_a_new_atom_in_a_read_only_folder_is_refused_and_nothing_is_pending(sample: Place) -> None:
    sample.write(".git/MERGE_HEAD", sample.git("rev-parse", "HEAD"))
    status = sample.git("status", "--porcelain")
    with shut(sample, SHUT):
        done = as_anyone(sample, *CORTEXFS, "new", "knowledge", "-p", "greenhouse", *BASED)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: permission denied")
    assert sample.git("status", "--porcelain") == status
    assert not (sample.root / PENDING).exists()


def test_a_read_only_contents_page_does_not_stop_a_new_atom(sample: Place) -> None:
    sample.ok("index", "regen", "--all")
    listing = sample.read("CORTEX.md").replace("[scans/]", "[older/]")
    sample.write("CORTEX.md", listing)
    sample.git("commit", "-qam", "by hand")
    with shut(sample, "."):
        done = as_anyone(sample, *CORTEXFS, "new", "idea", "-s", "Tides", "-t", "a")
    assert (done.returncode, done.stdout) == (0, "IDEA-003\tideas/IDEA-003.md\n"), done
    assert done.stderr == "CORTEX.md: not written: permission denied\n"
    assert committed(sample) == {"ideas/IDEA-003.md", "ideas/CORTEX.md"}
    assert sample.read("CORTEX.md") == listing


def test_notes_wait_while_their_access_log_cannot_be_created(sample: Place) -> None:
    logs = "projects/greenhouse/_meta"
    (sample.root / logs / "access-log.jsonl").unlink()
    sample.git("commit", "-qam", "no log")
    sample.ok("show", "greenhouse/K-002")
    with shut(sample, logs):
        regen(sample)
        drained = as_anyone(sample, *CORTEXFS, "hook", "drain")
        assert drained.stdout == "0 notes, 0 events\n", drained
    assert sample.ok("hook", "drain") == "1 note, 1 event\n"
