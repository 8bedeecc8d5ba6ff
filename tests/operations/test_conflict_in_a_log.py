"""A merge conflict in an access log is a finding, and `check --fix` merges both sides."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from place import Place

LOG = "projects/driftwood/_meta/access-log.jsonl"


def _line(number: int) -> str:
    return f'{{"file":"experiments/EXP-001.md","tool":"Read","ts":"2026-04-0{number}T10:00:00Z"}}\n'


def test_both_sides_of_a_conflict_are_merged_in_time_order(sample: Place) -> None:
    ours, theirs = _line(3), _line(2)
    sides = f"<<<<<<< HEAD\n{ours}{_line(4)}=======\n{theirs}{_line(4)}>>>>>>> topic\n"
    sample.write(LOG, f"{_line(1)}{sides}{_line(5)}")
    sample.git("add", "-A")
    sample.git("commit", "-qm", "merged")
    found = json.loads(sample.run("check", "--json").out)["findings"]
    markers = [(f["path"], f["line"]) for f in found if f["code"] == "conflict-marker"]
    assert markers == [(LOG, 2)]
    assert not [f for f in found if f["code"] == "bad-log-line"]
    sample.run("check", "--fix")
    assert sample.read(LOG) == "".join(map(_line, range(1, 6)))
    found = json.loads(sample.run("check", "--json").out)["findings"]
    assert not [f for f in found if f["code"] == "conflict-marker"]
