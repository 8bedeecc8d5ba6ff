"""`audit` finds what makes a memory worthless: of this tree, and of the stores of others."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from command_server import run_forked

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

OBS = "projects/flywheel/observations"
TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
FACT = "The wheel keeps turning for nine minutes after the motor was switched off"


def write_memory(place: Place, number: int, body: str, more: str = "") -> str:
    path = f"{OBS}/OBS-{number:03d}.md"
    place.write(
        path,
        f'---\nid: OBS-{number:03d}\ndate: 2026-05-01\nproject: flywheel\nsummary: "N {number}"\n'
        f"tags: [a]\ntype: manual\n{more}---\n\n{body}\n",
    )
    return path


def audit(place: Place, *words: str, code: int = 1) -> Any:
    ran = place.run("audit", *words, "--json")
    assert ran.code == code, ran
    return json.loads(ran.out)["audit"]


def found(document: Any) -> list[tuple[str, str]]:
    return [(each["rule"], each["place"]) for each in document["findings"]]


def test_a_clean_tree_has_no_findings(tree: Place) -> None:
    write_memory(tree, 1, FACT)
    document = audit(tree, code=0)
    assert (document["examined"], document["counts"]) == (1, {})


def test_the_worst_comes_first(tree: Place) -> None:
    write_memory(tree, 1, FACT)
    twin = write_memory(tree, 2, FACT.upper())
    near = write_memory(tree, 3, FACT.replace("nine", "ten"))
    loop = write_memory(tree, 4, 'New.\n<cortex-memory source="brief">\nOld\n</cortex-memory>')
    secret = write_memory(tree, 5, f"The key is {TOKEN} for now")
    document = audit(tree)
    assert found(document) == [
        ("secret", f"{secret}:10"),
        ("loop", loop),
        ("duplicate", twin),
        ("near-duplicate", near),
    ]
    assert list(document["counts"]) == ["secret", "loop", "duplicate", "near-duplicate"]
    assert TOKEN not in json.dumps(document)


def test_notes_alone_leave_the_exit_code_0(tree: Place) -> None:
    write_memory(tree, 1, FACT)
    write_memory(tree, 2, FACT.replace("nine", "ten"))
    assert [rule for rule, _ in found(audit(tree, code=0))] == ["near-duplicate"]


def test_a_deleted_memory_is_not_examined(tree: Place) -> None:
    write_memory(tree, 1, FACT)
    write_memory(tree, 2, FACT, "deleted-at: 2026-05-02T00:00:00Z\n")
    assert audit(tree, code=0)["examined"] == 1


def test_evidence_that_is_gone_or_refuted_is_found(tree: Place) -> None:
    path = "projects/flywheel/knowledge/K-001.md"
    tree.write(
        path,
        '---\nid: K-001\ndate: 2026-05-01\nproject: flywheel\nsummary: "It turns"\ntags: [a]\n'
        "evidence: [EXP-009]\n---\n\nIt turns for nine minutes\n",
    )
    assert ("orphaned-evidence", path) in found(audit(tree))


def test_the_sample_has_stale_and_unread_atoms(sample: Place) -> None:
    counts = audit(sample)["counts"]
    assert counts["orphaned-evidence"] == 1
    assert counts["stale-evidence"] == 5
    assert counts["never-read"] == 7


def test_an_audit_changes_nothing(sample: Place) -> None:
    before = sample.git("rev-parse", "HEAD")
    audit(sample)
    assert sample.git("rev-parse", "HEAD") == before
    assert sample.git("status", "--porcelain") == ""


def test_a_store_of_mem0_is_audited(tree: Place, tmp_path: Path) -> None:
    memories = [
        {"id": "a", "memory": FACT},
        {"id": "b", "memory": FACT},
        {"id": "c", "memory": "<system-reminder>\nThe boot file of a client\n</system-reminder>"},
        {"id": "d", "memory": f"Token {TOKEN}"},
        {"id": "e"},
        {"id": "f", "memory": "ok"},
    ]
    path = tmp_path / "mem0.json"
    path.write_text(json.dumps({"results": memories}))
    document = audit(tree, str(path))
    assert found(document) == [
        ("secret", "mem0:d"),
        ("loop", "mem0:c"),
        ("unreadable", "results[4]"),
        ("duplicate", "mem0:b"),
        ("no-content", "mem0:f"),
    ]
    assert document["examined"] == 6


def test_a_memory_graph_is_audited(tree: Place, tmp_path: Path) -> None:
    entity = {"type": "entity", "name": "Wheel", "entityType": "x", "observations": [FACT]}
    relation = {"type": "relation", "from": "Ghost", "to": "Wheel", "relationType": "haunts"}
    path = tmp_path / "memory.json"
    path.write_text(f"{json.dumps(entity)}\n{json.dumps(relation)}\n")
    assert found(audit(tree, str(path))) == [("unreadable", "line 2")]


@pytest.fixture
def folder(world: Path) -> Path:
    path = world / ".claude" / "projects" / "-src-wheel" / "memory"
    path.mkdir(parents=True)
    index = "- [Wheel](wheel.md)\n- [Gone](gone.md)\n" + "- line\n" * 199
    (path / "MEMORY.md").write_text(index)
    (path / "wheel.md").write_text(f"# Wheel\n\n{FACT}\n")
    (path / "again.md").write_text(f"# Wheel\n\n{FACT}\n")
    (path / "link.md").symlink_to("/etc/passwd")
    return path


def test_a_folder_of_a_client_is_audited(tree: Place, folder: Path) -> None:
    document = audit(tree, str(folder))
    assert found(document) == [
        ("unreadable", "link.md"),
        ("duplicate", "wheel.md"),
        ("over-cap", "MEMORY.md"),
        ("broken-link", "MEMORY.md"),
    ]
    assert document["findings"][2]["message"] == "201 lines; those after 200 are lost"


def test_what_people_see_names_the_rule_its_count_and_what_to_do(tree: Place, folder: Path) -> None:
    ran = tree.run("audit", str(folder))
    assert ran.code == 1
    assert ran.out.startswith(
        "error: unreadable (1): an entry cannot be read\n  link.md: links are not followed\n"
    )
    assert ran.out.endswith("\n3 texts examined: 4 findings\n")


def test_only_the_first_findings_of_a_rule_are_shown(tree: Place) -> None:
    for number in range(1, 8):
        write_memory(tree, number, FACT)
    assert "\n  1 more; --all shows all\n" in tree.run("audit").out
    assert "more" not in tree.run("audit", "--all").out


@pytest.mark.parametrize("words", [("--format", "mem0"), ("x.json", "--project", "flywheel")])
def test_options_that_do_not_fit_are_refused(tree: Place, words: tuple[str, ...]) -> None:
    assert tree.run("audit", *words).code == 2


def test_a_folder_is_audited_without_any_tree(folder: Path, world: Path) -> None:
    words = ("--root", str(world / "none"), "audit", str(folder))
    done = run_forked(words, str(world), dict(os.environ))
    assert done.returncode == 1, done
    assert done.stdout.splitlines()[-1].startswith("3 texts examined: ")


def test_a_deleted_personal_memory_is_not_examined(tree: Place) -> None:
    tree.write(
        "user/observations/OBS-001.md",
        '---\nid: OBS-001\ndate: 2026-05-01\nsummary: "Mine"\ntags: [a]\ntype: manual\n'
        "scope: personal\ndeleted-at: 2026-05-02T00:00:00Z\n---\n\nKept\n",
    )
    assert audit(tree, code=0)["examined"] == 0


def test_a_personal_memory_is_examined_with_the_whole_tree_alone(tree: Place) -> None:
    tree.write(
        "user/observations/OBS-001.md",
        '---\nid: OBS-001\ndate: 2026-05-01\nsummary: "Mine"\ntags: [a]\ntype: manual\n'
        f"scope: personal\n---\n\nThe key is {TOKEN}\n",
    )
    assert audit(tree)["counts"] == {"secret": 1}
    assert audit(tree, "-p", "flywheel", code=0)["examined"] == 0
