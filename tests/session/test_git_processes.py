"""How many processes of git a command starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

_CHANGE = ["cat-file", "ls-files", "unpack-objects", "update-index", "update-ref"]


def _list_processes(place: Place, calls: Path, *words: str) -> list[str]:
    calls.write_text("")
    place.ok(*words)
    lines = calls.read_text().splitlines()
    known = {*_CHANGE, "commit-tree", "check-ignore", "log", "diff-tree"}
    return sorted(word for line in lines for word in line.split() if word in known)


def test_the_usual_change_starts_five_processes(sample: Place, git_calls: Path) -> None:
    evidence = ("-p", "greenhouse", "--evidence", "greenhouse/EXP-001")
    sample.ok("new", "knowledge", *evidence, "-s", "First of the day: OVERVIEW.md has its date")
    for words in (
        ("new", "knowledge", *evidence, "-s", "One"),
        ("task", "add", "Measure it", "-p", "greenhouse"),
        ("mark", "greenhouse/EXP-005", "partial"),
        ("edit", "greenhouse/K-006", "--summary", "One, and more"),
        ("rm", "greenhouse/K-006"),
    ):
        assert _list_processes(sample, git_calls, *words) == _CHANGE, words
    assert sample.git("status", "--porcelain") == ""


def test_an_undo_starts_a_log_and_a_comparison_more(sample: Place, git_calls: Path) -> None:
    sample.ok("task", "add", "Measure it", "-p", "greenhouse")
    started = _list_processes(sample, git_calls, "undo")
    assert started == sorted((*_CHANGE, "diff-tree", "log"))
