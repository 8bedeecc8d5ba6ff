"""`rm` removes an atom that git keeps; `renumber` separates two with one id."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

UNCITED = "projects/lighthouse/experiments/EXP-011.md"
FOLDER = "projects/driftwood/experiments"
TWIN = f"{FOLDER}/EXP-012 (1).md"


def _create_uncited_atom(place: Place) -> str:
    """Create an atom that no other cites; return its path."""
    created = place.ok("new", "experiment", "-p", "lighthouse", "-s", "Alone", "-t", "x")
    return created.split()[1]


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD").strip()


def _errors(place: Place) -> list[str]:
    document = json.loads(place.run("check", "--json").out)["findings"]
    return [f"{one['path']}: {one['message']}" for one in document if one["severity"] == "error"]


def test_an_uncited_atom_is_removed_and_restored_byte_for_byte(sample: Place) -> None:
    path = _create_uncited_atom(sample)
    text = sample.read(path)
    output = sample.ok("rm", "lighthouse/EXP-012")
    assert output == (
        "removed lighthouse/EXP-012; `cortexfs restore lighthouse/EXP-012` brings it back\n"
    )
    assert not (sample.root / path).exists()
    assert "EXP-012" not in sample.read("projects/lighthouse/experiments/index.md")
    assert sample.git("log", "-1", "--format=%s") == "rm lighthouse/EXP-012\n"
    sample.ok("restore", "lighthouse/EXP-012")
    assert sample.read(path) == text
    tree = sample.git("rev-parse", "HEAD^{tree}")
    sample.ok("rm", "lighthouse/EXP-012")
    sample.ok("undo")
    assert sample.git("rev-parse", "HEAD^{tree}") == tree


def test_a_cited_atom_is_removed_only_by_force(sample: Place) -> None:
    head = _head(sample)
    ran = sample.run("rm", "driftwood/EXP-014")
    assert ran.code == 3
    assert "projects/driftwood/knowledge/K-008.md" in ran.err
    assert "cortexfs mark driftwood/EXP-014 invalidated" in ran.err
    assert _head(sample) == head
    ran = sample.run("rm", "driftwood/EXP-014", "--force")
    assert (ran.code, "K-008.md: still mentions driftwood/EXP-014" in ran.err) == (0, True)


@pytest.mark.parametrize(
    "name", leave_to_soak(["[[EXP-012]]", "[x](EXP-012.md)", "[[Alone]]"], every=3)
)
def test_a_link_counts_as_a_citation(sample: Place, name: str) -> None:
    _create_uncited_atom(sample)
    sample.write(UNCITED, f"{sample.read(UNCITED)}\nSee {name}.\n")
    assert sample.run("rm", "lighthouse/EXP-012").code == 3


def test_an_uncommitted_atom_is_committed_before_it_is_removed(sample: Place) -> None:
    path = _create_uncited_atom(sample)
    text = sample.read(path) + "A line of mine.\n"
    sample.write(path, text)
    sample.ok("rm", "lighthouse/EXP-012")
    assert sample.git("show", f"HEAD~1:{path}") == text
    sample.ok("restore", "lighthouse/EXP-012")
    assert sample.read(path) == text


def test_without_a_commit_an_uncommitted_atom_is_not_removed(sample: Place) -> None:
    path = _create_uncited_atom(sample)
    sample.write(path, sample.read(path) + "A line of mine.\n")
    ran = sample.run("rm", "lighthouse/EXP-012", "--no-commit")
    assert (ran.code, "would be lost" in ran.err) == (3, True)
    assert (sample.root / path).exists()


def test_a_removed_atom_is_reported_with_its_commit_and_the_restore_command(sample: Place) -> None:
    _create_uncited_atom(sample)
    sample.ok("rm", "lighthouse/EXP-012")
    removed = _head(sample)[:7]
    for words in (("show",), ("mark", "stale"), ("edit", "-s", "x"), ("open",), ("rm",)):
        ran = sample.run(words[0], "lighthouse/EXP-012", *words[1:])
        assert ran.code == 3
        assert f"`lighthouse/EXP-012` was removed in {removed}" in ran.err, ran
        assert "hint: `cortexfs restore lighthouse/EXP-012`" in ran.err
    document = json.loads(sample.run("show", "lighthouse/EXP-012", "--json").out)["error"]
    assert document["kind"] == "atom-removed"


def test_a_renamed_atom_is_reported_with_its_new_name(sample: Place) -> None:
    sample.ok("rename", "driftwood/EXP-012", "EXP-042")
    ran = sample.run("show", "driftwood/EXP-012")
    assert (ran.code, "was renamed to driftwood/EXP-042 in" in ran.err) == (3, True)


def test_a_dry_run_touches_nothing_and_the_json_document_names_the_atom(sample: Place) -> None:
    path, head = _create_uncited_atom(sample), ""
    head = _head(sample)
    assert f"--- {path}\n+++ /dev/null\n" in sample.ok("rm", "lighthouse/EXP-012", "--dry-run")
    assert _head(sample) == head
    document = json.loads(sample.ok("rm", "lighthouse/EXP-012", "--json"))
    assert document["removed"] == {"ref": "lighthouse/EXP-012", "path": path}
    assert (document["named-by"], document["commit"]) == ([], _head(sample))


def test_renumber_gives_one_of_two_the_next_id_and_lists_ambiguous_refs(sample: Place) -> None:
    sample.write(TWIN, sample.read(f"{FOLDER}/EXP-012.md"))
    assert any("EXP-012" in error for error in _errors(sample))
    assert "cortexfs renumber PATH" in sample.run("check").out
    ran = sample.run("renumber", TWIN)
    assert ran.code == 0, ran
    assert ran.out.splitlines()[0] == f"driftwood/EXP-017\t{FOLDER}/EXP-017.md"
    assert "projects/driftwood/knowledge/K-008.md:7: may refer to either" in ran.err
    assert sample.read(f"{FOLDER}/EXP-017.md").startswith("---\nid: EXP-017\n")
    assert not (sample.root / TWIN).exists()
    assert sample.read("projects/driftwood/knowledge/K-008.md").count("EXP-012") == 2
    assert _errors(sample) == []


def test_an_ambiguous_ref_is_refused_with_both_paths(sample: Place) -> None:
    sample.write(TWIN, sample.read(f"{FOLDER}/EXP-012.md"))
    ran = sample.run("renumber", "driftwood/EXP-012")
    assert (ran.code, TWIN in ran.err) == (3, True)
    assert "cortexfs renumber" in sample.run("rename", TWIN, "EXP-050").err


def test_a_unique_id_is_not_renumbered(sample: Place) -> None:
    head = _head(sample)
    ran = sample.run("renumber", "driftwood/EXP-012")
    assert (ran.code, "cortexfs rename driftwood/EXP-012 NEW-ID" in ran.err) == (3, True)
    assert _head(sample) == head


def test_purge_explains_how_to_rewrite_the_history_and_rewrites_nothing(sample: Place) -> None:
    _create_uncited_atom(sample)
    sample.ok("rename", "lighthouse/EXP-012", "EXP-020")
    before = _head(sample)
    output = sample.ok("rm", "lighthouse/EXP-020", "--purge")
    folder = "projects/lighthouse/experiments"
    assert (
        f"\ngit filter-repo --invert-paths --path {folder}/EXP-020.md --path {folder}/EXP-012.md\n"
    ) in output
    assert "clone the repository again" in output
    assert "a secret that was committed is known" in output
    assert sample.git("rev-parse", "HEAD^").strip() == before
    sample.ok("restore", "lighthouse/EXP-020")
    shown = sample.ok("rm", "lighthouse/EXP-020", "--purge", "--dry-run")
    assert "filter-repo" not in shown
    document = json.loads(sample.ok("rm", "lighthouse/EXP-020", "--purge", "--json"))
    assert document["purge"].startswith("git filter-repo --invert-paths --path ")


def test_purge_explains_the_same_for_an_atom_that_was_removed_earlier(sample: Place) -> None:
    _create_uncited_atom(sample)
    sample.ok("rename", "lighthouse/EXP-012", "EXP-020")
    removed, _, explained = sample.ok("rm", "lighthouse/EXP-020", "--purge").partition("\n")
    assert removed.startswith("removed lighthouse/EXP-020")
    head = _head(sample)
    assert sample.ok("rm", "lighthouse/EXP-020", "--purge") == explained
    assert _head(sample) == head
    ran = sample.run("rm", "lighthouse/EXP-020")
    assert (ran.code, "was removed in" in ran.err) == (3, True)
