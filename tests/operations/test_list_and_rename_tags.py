"""Tags are counted and renamed; stats agree with the files."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import oracle

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place


def _atoms(place: Place) -> list[tuple[Path, dict[str, Any]]]:
    paths = [path for path in place.root.rglob("*.md") if oracle.fields_of(path).get("id")]
    return [(path, oracle.fields_of(path)) for path in sorted(paths)]


def _tags(fields: dict[str, Any]) -> list[str]:
    tags = fields.get("tags") or []
    return [tag.strip() for tag in tags.split(",")] if isinstance(tags, str) else tags


def test_tags_are_listed_with_the_atoms_that_have_them(sample: Place) -> None:
    truth = Counter(tag for _, fields in _atoms(sample) for tag in set(_tags(fields)))
    found = json.loads(sample.ok("tag", "list", "--json"))["tags"]
    assert {each["tag"]: each["atoms"] for each in found} == truth
    assert [each["atoms"] for each in found] == sorted(truth.values(), reverse=True)
    few = json.loads(sample.ok("tag", "list", "-p", "greenhouse", "-n", "2", "--json"))["tags"]
    assert len(few) == 2
    assert all(each["projects"] == ["greenhouse"] for each in few)


def test_a_tag_is_renamed_in_every_atom_in_one_commit_and_undone(sample: Place) -> None:
    before = {path: path.read_bytes() for path, _ in _atoms(sample)}
    sample.ok("tag", "rename", "residuals", "bit-packing")
    assert sample.git("rev-list", "--count", "HEAD").strip() == "2"
    for path, fields in _atoms(sample):
        assert "residuals" not in _tags(fields)
        if path.read_bytes() != before[path]:
            old = before[path].splitlines()
            new = path.read_bytes().splitlines()
            (changed,) = [n for o, n in zip(old, new, strict=True) if o != n]
            assert changed.startswith(b"tags:")
            assert _tags(fields).count("bit-packing") == 1
    assert "residuals" not in sample.read("projects/driftwood/experiments/index.md").split("|")
    sample.ok("undo")
    assert {path: path.read_bytes() for path, _ in _atoms(sample)} == before


def test_a_dry_run_of_a_rename_touches_nothing(sample: Place) -> None:
    output = sample.ok("tag", "rename", "residuals", "rest", "--dry-run")
    assert "+tags: [varint, delta, rest]" in output
    assert sample.git("status", "--porcelain") == ""


def test_a_rename_in_a_project_leaves_the_others(sample: Place) -> None:
    sample.ok("tag", "rename", "noise", "hum", "-p", "greenhouse")
    tags = {(fields.get("project"), tag) for _, fields in _atoms(sample) for tag in _tags(fields)}
    assert {("greenhouse", "hum"), ("lighthouse", "noise")} <= tags
    assert ("greenhouse", "noise") not in tags


def test_a_rename_that_means_nothing_is_refused(sample: Place) -> None:
    for words, hint in (
        (("residual", "rest"), "did you mean `residuals`?"),
        (("residuals", "residuals"), "cortexfs tag rename OLD NEW"),
        (("residuals", "a,b"), "without commas"),
    ):
        ran = sample.run("tag", "rename", *words)
        assert ran.code == 3
        assert hint in ran.err


def test_stats_count_what_the_files_hold(sample: Place) -> None:
    stats = json.loads(sample.ok("stats", "--json"))["stats"]
    atoms = json.loads(sample.ok("list", "--json"))["atoms"]
    assert stats["atoms"] == len(atoms) > 60
    assert stats["kinds"] == Counter(atom["kind"] for atom in atoms)
    assert stats["statuses"] == Counter(atom["status"].partition(":")[0] for atom in atoms)
    assert stats["reads"] == sum(atom["refs"] for atom in atoms)
    assert stats["hot"] == len(json.loads(sample.ok("list", "--hot", "--json"))["atoms"])
    tasks = json.loads(sample.ok("task", "list", "--json"))["tasks"]
    assert stats["open-tasks"] == len(tasks)
    assert stats["unreadable"] == 0


def test_stats_of_a_project_count_its_own_and_recent_reads(sample: Place) -> None:
    env = {"CORTEXFS_NOW": "2026-05-06T20:31:10+00:00"}
    stats = json.loads(sample.ok("stats", "-p", "driftwood", "--json", **env))["stats"]
    assert stats["projects"] == {"driftwood": stats["atoms"]}
    logged = sample.ok("access", "log", "-p", "driftwood", "--since", "30d", "-n", "999", **env)
    names = {path.name for path, _ in _atoms(sample) if "driftwood" in path.parts}
    read = {line for line in logged.splitlines() if line.rpartition("/")[2] in names}
    assert stats["recent-reads"] == len(read) > 0
