"""`rename` and `move` change the name of an atom or a project, and every ref to it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak

if TYPE_CHECKING:
    from place import Place

PROJECT = "projects/driftwood"
CODE = "```\nEXP-012 stays in code\n```\n"


def _errors(place: Place) -> list[str]:
    document = json.loads(place.run("check", "--json").out)["findings"]
    return [f"{one['path']}: {one['message']}" for one in document if one["severity"] == "error"]


def _list_reads(place: Place) -> dict[str, tuple[int, str]]:
    atoms = json.loads(place.ok("access", "top", "-n", "1000", "--json"))["atoms"]
    return {atom["ref"]: (atom["refs"], atom.get("last-ref", "")) for atom in atoms}


def _head(place: Place) -> str:
    return place.git("rev-parse", "HEAD")


def _changed(place: Place) -> set[str]:
    """Return the lines that the last commit removed, except those of the index."""
    diff = place.git("diff", "HEAD~1", "-U0", "-M", "--", ".", ":!*/index.md")
    return {line[1:] for line in diff.splitlines() if line.startswith("-") and line[:3] != "---"}


def test_a_rename_updates_every_ref_in_one_commit(sample: Place) -> None:
    assert _list_reads(sample)["driftwood/EXP-012"][0] > 0
    before, count = _list_reads(sample), int(sample.git("rev-list", "--count", "HEAD"))
    output = sample.ok("rename", "driftwood/EXP-012", "EXP-042").splitlines()
    assert output[0] == f"driftwood/EXP-042\t{PROJECT}/experiments/EXP-042.md"
    assert int(sample.git("rev-list", "--count", "HEAD")) == count + 1
    assert sample.git("log", "-1", "--format=%s") == (
        "rename driftwood/EXP-012 to driftwood/EXP-042\n"
    )
    assert sample.git("status", "--porcelain") == ""
    assert _errors(sample) == []
    after = _list_reads(sample)
    assert after.pop("driftwood/EXP-042") == before.pop("driftwood/EXP-012")
    assert after == before
    assert sample.run("index", "regen", "--all", "--check").code == 0


def test_a_rename_changes_only_refs_that_mean_the_atom(sample: Place) -> None:
    other = "projects/lighthouse/STATUS.md"
    sample.write(other, f"{sample.read(other)}\nSee driftwood/EXP-012, not EXP-012.\n\n{CODE}")
    sample.ok("commit", "-m", "more")
    sample.ok("rename", "driftwood/EXP-012", "EXP-042")
    text = sample.read(other)
    assert "See driftwood/EXP-042, not EXP-012.\n" in text
    assert text.endswith(CODE)
    assert [line for line in _changed(sample) if "EXP-012" not in line and line[0] != "|"] == []


def test_a_rename_updates_links_paths_and_causes(sample: Place) -> None:
    note = f"{PROJECT}/knowledge/K-009.md"
    words = (
        "[[EXP-012]], [[exp-012|gaps]], [[driftwood/EXP-012.md#Results]], "
        "[[EXP-012\\|escaped]], [[EXP-012#Results\\|escaped]], "
        "[it](../experiments/EXP-012.md#results), [code](../../../src/EXP-012.md), "
        "`projects/driftwood/experiments/EXP-012.md:7`, experiments/EXP-012.md, EXP-012.md, "
        "XEXP-012, EXP-0121\n\n[ref]: <../experiments/EXP-012.md>\n"
    )
    sample.write(note, sample.read(note) + words)
    sample.ok("mark", "driftwood/EXP-011", "superseded", "--by", "driftwood/EXP-012")
    sample.ok("commit", "-m", "more")
    sample.ok("rename", "driftwood/EXP-012", "EXP-042")
    kept = "[code](../../../src/EXP-012.md)"
    expected = words.replace("EXP-012", "EXP-042").replace("exp-012", "EXP-042")
    expected = expected.replace("XEXP-042, EXP-0421", "XEXP-012, EXP-0121")
    expected = expected.replace("[code](../../../src/EXP-042.md)", kept)
    assert sample.read(note).endswith(expected)
    assert "status: superseded:EXP-042\n" in sample.read(f"{PROJECT}/experiments/EXP-011.md")


def test_refs_inside_a_moved_atom_keep_their_meaning(sample: Place) -> None:
    atom = f"{PROJECT}/experiments/EXP-014.md"
    link = "[k](../knowledge/K-006.md) and [mission](../mission.md)\n"
    sample.write(atom, sample.read(atom) + link)
    sample.ok("commit", "-m", "more")
    before = _list_reads(sample)
    sample.ok("move", "driftwood/EXP-014", "lighthouse")
    moved = sample.read("projects/lighthouse/experiments/EXP-014.md")
    assert "project: lighthouse\n" in moved
    assert "links: [driftwood/EXP-012, driftwood/K-006, greenhouse/EXP-005]" in moved
    far = "[k](../../driftwood/knowledge/K-006.md) and [mission](../../driftwood/mission.md)\n"
    assert moved.endswith(far)
    assert "evidence: [EXP-012, lighthouse/EXP-014]" in sample.read(f"{PROJECT}/knowledge/K-008.md")
    assert "(lighthouse/EXP-014)" in sample.read(f"{PROJECT}/TASKS.yaml")
    assert "(lighthouse/EXP-014)" in sample.read(f"{PROJECT}/roadmap.md")
    assert _errors(sample) == []
    after = _list_reads(sample)
    assert after.pop("lighthouse/EXP-014") == before.pop("driftwood/EXP-014")
    assert after == before


def test_wiki_links_to_and_in_a_moved_atom_keep_their_meaning(sample: Place) -> None:
    atom, note = f"{PROJECT}/experiments/EXP-014.md", f"{PROJECT}/knowledge/K-009.md"
    far = "projects/greenhouse/STATUS.md"
    title = json.loads(sample.ok("show", "driftwood/EXP-014", "--json"))["atom"]["summary"]
    inside = "[[EXP-013|before]], [[EXP-014]]\n\n| [[K-006\\|fact]] | [[OVERVIEW]] |\n"
    sample.write(atom, sample.read(atom) + inside)
    sample.write(note, f"{sample.read(note)}[[EXP-014|it]] [[EXP-014]] [[{title}]]\n")
    sample.write(far, f"{sample.read(far)}\n[[driftwood/EXP-014]]\n")
    sample.ok("commit", "-m", "more")
    before, findings = sample.ok("backlinks", "driftwood/EXP-014"), sample.run("check").out
    sample.ok("move", "driftwood/EXP-014", "lighthouse")
    new = inside.replace("EXP-013", "driftwood/EXP-013").replace("K-006", "driftwood/K-006")
    assert sample.read("projects/lighthouse/experiments/EXP-014.md").endswith(new)
    links = f"[[lighthouse/EXP-014|it]] [[lighthouse/EXP-014]] [[{title}]]\n"
    assert sample.read(note).endswith(links)
    assert sample.read(far).endswith("\n[[lighthouse/EXP-014]]\n")
    assert sample.run("check").out == findings
    assert sample.ok("backlinks", "lighthouse/EXP-014") == before


def test_a_move_to_a_used_id_takes_the_next_free_one(sample: Place) -> None:
    output = sample.ok("move", "driftwood/EXP-009", "lighthouse").split()
    assert output[:2] == ["lighthouse/EXP-012", "projects/lighthouse/experiments/EXP-012.md"]
    assert sample.read(output[1]).startswith("---\nid: EXP-012\n")
    assert _errors(sample) == []


def test_a_title_in_a_file_name_is_kept(sample: Place) -> None:
    output = sample.ok("rename", "driftwood/DR-0004", "DR-0040").split()
    assert output[1] == f"{PROJECT}/decisions/0040-zstd-after-packing.md"
    assert "0040-zstd-after-packing.md" in sample.read(f"{PROJECT}/decisions/CORTEX.md")
    assert _errors(sample) == []


def test_reads_that_only_the_index_knows_are_kept(sample: Place) -> None:
    for name in ("access-log.jsonl", "access-log.2026-03.jsonl"):
        sample.write(f"{PROJECT}/_meta/{name}", "")
    sample.ok("commit", "-m", "no log")
    before = _list_reads(sample)["driftwood/EXP-012"]
    assert before[0] > 0
    sample.ok("move", "driftwood/EXP-012", "lighthouse")
    assert _list_reads(sample)["lighthouse/EXP-012"] == before


@pytest.mark.parametrize(
    ("words", "hint"),
    leave_rows_to_soak(
        [
            (("rename", "driftwood/EXP-012", "EXP-013"), "next: EXP-017"),
            (("rename", "driftwood/EXP-012", "K-099"), "the next one is EXP-017"),
            (("rename", "driftwood/EXP-012", "../EXP-099"), "not an id of kind"),
            (
                ("rename", "driftwood/EXP-012", "Start page"),
                "`cortexfs edit driftwood/EXP-012 -s TEXT`",
            ),
            (("rename", "driftwood", "lighthouse"), "exists"),
            (("rename", "driftwood", "../up"), "cannot be the name of a project"),
            (("move", "driftwood/EXP-012", "driftwood"), "already"),
            (("move", "driftwood/EXP-012", "nowhere"), "no project named"),
            (("move", "IDEA-001", "driftwood"), "belongs to no project"),
        ],
        every=3,
    ),
)
def test_an_impossible_rename_is_refused_and_changes_nothing(
    sample: Place, words: tuple[str, ...], hint: str
) -> None:
    head = _head(sample)
    ran = sample.run(*words)
    assert (ran.code, hint in ran.err) == (3, True), ran
    assert _head(sample) == head
    assert sample.git("status", "--porcelain") == ""


def test_a_locked_task_file_is_not_changed(sample: Place) -> None:
    sample.ok("task", "lock", "-p", "driftwood", "--owner", "bob")
    head = _head(sample)
    ran = sample.run("rename", "driftwood/EXP-014", "EXP-042")
    assert (ran.code, "locked by bob" in ran.err) == (4, True)
    assert _head(sample) == head


def test_renaming_a_project_moves_its_folder_refs_and_reads(sample: Place) -> None:
    before = _list_reads(sample)
    sample.ok("rename", "driftwood", "oakum")
    assert not (sample.root / PROJECT).exists()
    assert _errors(sample) == []
    assert "project: oakum\n" in sample.read("projects/oakum/experiments/EXP-012.md")
    assert sample.read("projects/oakum/STATUS.md").startswith("# oakum Status\n")
    assert "| oakum | **Phase 3" in sample.read("OVERVIEW.md")
    assert "[oakum/](oakum/CORTEX.md)" in sample.read("projects/CORTEX.md")
    assert "links: [oakum/EXP-004]" in sample.read("projects/lighthouse/experiments/EXP-003.md")
    expected = {ref.replace("driftwood/", "oakum/"): reads for ref, reads in before.items()}
    assert _list_reads(sample) == expected
    assert sample.run("index", "regen", "--all", "--check").code == 0
    assert sample.git("status", "--porcelain") == ""


def test_five_files_that_still_mention_a_project_are_printed_and_all_on_demand(
    sample: Place,
) -> None:
    words = ("rename", "driftwood", "oakum")
    every = sample.run(*words, "--dry-run", "--all").err.splitlines()
    assert "user/USER.md: still mentions `driftwood`; check it" in every
    more = f"{len(every) - 5} more of {len(every)} files still mention `driftwood`; --all shows all"
    assert sample.run(*words, "--dry-run").err.splitlines() == [*every[:5], more]
    left = json.loads(sample.ok(*words, "--json"))["left"]
    assert [f"{path}: still mentions `driftwood`; check it" for path in left] == every


def test_undo_reverts_a_rename_byte_for_byte(sample: Place) -> None:
    for words in (("rename", "driftwood", "oakum"), ("move", "driftwood/EXP-014", "lighthouse")):
        tree = sample.git("rev-parse", "HEAD^{tree}")
        sample.ok(*words)
        sample.ok("undo")
        assert sample.git("rev-parse", "HEAD^{tree}") == tree


def test_a_dry_run_touches_nothing_and_the_json_document_names_the_changes(sample: Place) -> None:
    head = _head(sample)
    shown = sample.ok("rename", "driftwood/EXP-012", "EXP-042", "--dry-run")
    assert "+id: EXP-042\n" in shown
    assert _head(sample) == head
    assert sample.git("status", "--porcelain") == ""
    document = json.loads(sample.ok("rename", "driftwood/EXP-012", "EXP-042", "--json"))
    path = f"{PROJECT}/experiments/EXP-042.md"
    assert document["renamed"] == {
        "from": "driftwood/EXP-012",
        "to": "driftwood/EXP-042",
        "path": path,
    }
    assert f"{PROJECT}/knowledge/K-008.md" in document["changed"]
    assert document["commit"] == _head(sample).strip()
