"""A text that git cannot read is an error that names it, and stops no other command."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

PATH = "projects/driftwood/knowledge/K-009.md"
DECISION = "projects/driftwood/decisions/0003-blocks-of-128-bit-packed.md"
OTHER_DECISION = "decisions/DR-0001-one-tree-for-all-projects.md"


def _damage(place: Place, revision: str, kept: int) -> str:
    """Keep so many bytes of the object of a file, none if negative; return its id."""
    for pack in (place.root / ".git/objects/pack").glob("*.pack"):
        packed = pack.rename(place.root.parent / pack.name)
        pack.with_suffix(".idx").unlink()
        with packed.open("rb") as feed:
            subprocess.run(["git", "unpack-objects", "-q"], cwd=place.root, stdin=feed, check=True)
    ident = place.git("rev-parse", revision).strip()
    file = place.root / f".git/objects/{ident[:2]}/{ident[2:]}"
    whole = file.read_bytes()
    file.unlink()
    if kept >= 0:
        file.write_bytes(whole[: min(kept, len(whole) - 8)])
    return ident


@pytest.mark.parametrize("kept", leave_to_soak([-1, 10, 1_000_000], every=2))
def test_a_damaged_text_is_named_by_whoever_needs_it(sample: Place, kept: int) -> None:
    sample.ok("edit", "driftwood/K-009", "-s", "Another summary")
    ident = _damage(sample, f"HEAD^:{PATH}", kept)
    for words in (
        ["diff", "driftwood/K-009"],
        ["show", "driftwood/K-009", "--at", "HEAD^"],
        ["restore", "driftwood/K-009", "--at", "HEAD^"],
        ["undo"],
    ):
        ran = sample.run(*words)
        assert (ran.code, ident in ran.err, "git fsck" in ran.err) == (3, True, True), (words, ran)
    assert "Another summary" in sample.read(PATH)
    sample.ok("check")
    sample.ok("edit", "driftwood/K-009", "-s", "A third summary")
    sample.ok("show", "driftwood/K-009")


def test_a_damaged_committed_text_keeps_nobody_from_writing(sample: Place) -> None:
    _damage(sample, f"HEAD:{PATH}", -1)
    _damage(sample, "HEAD:projects/driftwood/knowledge/index.md", -1)
    sample.ok("edit", "driftwood/K-009", "-s", "Another summary")
    sample.ok("new", "knowledge", "-p", "driftwood", "-s", "X", "-t", "y", "--evidence", "EXP-001")
    assert sample.git("status", "--porcelain") == ""
    assert "Another summary" in sample.git("show", f"HEAD:{PATH}")


def test_a_damaged_decision_hides_no_edit_of_another(sample: Place) -> None:
    for path in (DECISION, OTHER_DECISION):
        sample.write(path, sample.read(path) + "\nOne more line.\n")
    _damage(sample, f"HEAD:{DECISION}", -1)
    found = json.loads(sample.run("check", "--json").out)["findings"]
    assert OTHER_DECISION in {each["path"] for each in found if each["code"] == "decision-changed"}
