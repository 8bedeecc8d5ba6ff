"""`import` of a store: observations, sessions and prompts in one commit, none twice."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

OBS = "projects/flywheel/observations"
TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"


def observation(number: int, content: str = "It spins.", **fields: object) -> dict[str, object]:
    return {
        "id": number,
        "session_id": "s1",
        "type": "bugfix",
        "title": f"Fact {number}",
        "content": f"{content} ({number})",
        "project": "Flywheel",
        "scope": "project",
        "created_at": f"2026-01-{number:02d} 09:30:00",
        **fields,
    }


def engram(*observations: dict[str, object]) -> dict[str, object]:
    return {
        "version": "0.1.0",
        "sessions": [
            {"id": "s1", "project": "Flywheel", "started_at": "2026-01-01 09:00:00",
             "summary": "Done."}
        ],
        "observations": list(observations),
        "prompts": [
            {"id": 1, "session_id": "s1", "content": "Fix it", "project": "Flywheel",
             "created_at": "2026-01-01 09:01:00"}
        ],
    }  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> Path:
    path = tmp_path / "store.json"
    save(path, engram(observation(1), observation(2)))
    return path


def save(path: Path, document: object) -> None:
    path.write_text(json.dumps(document))


def run_import(place: Place, *words: str) -> Any:
    return json.loads(place.ok("import", *words, "--json"))


def results(document: Any) -> dict[str, tuple[str, str]]:
    return {
        each["origin"]: (each["ref"], each["result"]) for each in document["imported"]["entries"]
    }


def test_a_store_becomes_atoms_in_one_commit(tree: Place, store: Path) -> None:
    before = tree.git("rev-parse", "HEAD").strip()
    document = run_import(tree, str(store))
    assert results(document) == {
        "engram:1": ("flywheel/OBS-001", "imported"),
        "engram:2": ("flywheel/OBS-002", "imported"),
        "session s1": ("flywheel/SES-001", "imported"),
        "prompt": ("flywheel/PRM-0001", "imported"),
    }
    assert tree.git("rev-list", f"{before}..HEAD").split() == [document["commit"]]
    subject = "import store.json: 2 observations, 1 session, 1 prompt"
    assert tree.git("log", "-1", "--format=%s").strip() == subject
    assert tree.git("status", "--porcelain") == ""
    assert tree.ok("check") == "0 errors, 0 warnings\n"
    assert "Fact 2" in tree.read(f"{OBS}/index.md")


def test_importing_twice_changes_nothing(tree: Place, store: Path) -> None:
    tree.ok("import", str(store))
    head = tree.git("rev-parse", "HEAD")
    document = run_import(tree, str(store))
    assert {result for _, result in results(document).values()} == {"unchanged"}
    assert "commit" not in document
    assert tree.git("rev-parse", "HEAD") == head


def test_a_longer_and_edited_store_adds_and_updates(tree: Place, store: Path) -> None:
    tree.ok("import", str(store))
    save(store, engram(observation(3), observation(2, "It hums."), observation(1)))
    done = results(run_import(tree, str(store)))
    assert done["engram:3"] == ("flywheel/OBS-003", "imported")
    assert done["engram:2"] == ("flywheel/OBS-002", "updated")
    assert done["engram:1"] == ("flywheel/OBS-001", "unchanged")
    assert tree.read(f"{OBS}/OBS-002.md").endswith("\nIt hums. (2)\n")
    assert "\nrevision: 2\n" in tree.read(f"{OBS}/OBS-002.md")


def test_a_dry_run_touches_nothing(tree: Place, store: Path) -> None:
    head = tree.git("rev-parse", "HEAD")
    ran = tree.run("import", str(store), "--dry-run")
    assert "engram:1\tflywheel/OBS-001\tFact 1\n" in ran.out
    assert ran.err.endswith("dry run: 4 entries imported from store.json\n")
    assert tree.git("rev-parse", "HEAD") == head
    assert tree.git("status", "--porcelain") == ""


def test_one_broken_entry_never_stops_the_rest(tree: Place, store: Path) -> None:
    save(store, engram(observation(1, TOKEN), {"id": 2}, observation(3)))
    document = run_import(tree, str(store))
    assert results(document)["engram:3"] == ("flywheel/OBS-001", "imported")
    assert document["imported"]["skipped"] == [
        {"entry": "observations[1]", "message": "`title` is missing or empty"},
        {"entry": "engram:1", "message": "it contains a token of GitHub"},
    ]
    assert TOKEN not in tree.read(f"{OBS}/OBS-001.md")


@pytest.mark.parametrize(
    "field", leave_to_soak(["tags", "topic_key", "session_id", "type", "tool_name"], every=3)
)
def test_a_secret_in_any_field_stops_only_its_entry(tree: Place, store: Path, field: str) -> None:
    save(store, engram(observation(1, **{field: TOKEN}), observation(2)))
    document = run_import(tree, str(store))
    assert results(document)["engram:2"] == ("flywheel/OBS-001", "imported")
    assert document["imported"]["skipped"] == [
        {"entry": "engram:1", "message": "it contains a token of GitHub"}
    ]


def test_private_parts_are_never_written(tree: Place, store: Path) -> None:
    save(store, engram(observation(1, "Key <private>hunter2</private>")))
    tree.ok("import", str(store))
    assert tree.read(f"{OBS}/OBS-001.md").endswith("\nKey [REDACTED] (1)\n")


def test_what_was_recalled_is_not_imported_as_a_memory(tree: Place, store: Path) -> None:
    recalled = '<cortex-memory source="brief">\nOld fact\n</cortex-memory>'
    one = observation(1) | {"content": recalled}
    save(store, engram(one, observation(2, f"New fact\n{recalled}\n")))
    document = run_import(tree, str(store))
    assert document["imported"]["skipped"] == [
        {"entry": "engram:1", "message": "nothing is left of its text"}
    ]
    assert "Old fact" not in tree.read(f"{OBS}/OBS-001.md")


def test_personal_memories_stay_out_of_git(tree: Place, store: Path) -> None:
    save(store, engram(observation(1, scope="personal"), observation(2)))
    done = results(run_import(tree, str(store)))
    assert done["engram:1"] == ("OBS-001", "imported")
    assert "scope: personal\n" in tree.read("user/observations/OBS-001.md")
    assert "OBS-001" not in tree.git("ls-files")
    assert results(run_import(tree, str(store)))["engram:1"] == ("OBS-001", "unchanged")


def test_each_entry_goes_to_its_project_unless_one_is_named(tree: Place, store: Path) -> None:
    save(store, engram(observation(1, project="My Loom!"), observation(2, project="")))
    done = results(run_import(tree, str(store), "--dry-run"))
    assert done["engram:1"][0] == "my-loom/OBS-001"
    assert done["engram:2"][0] == "flywheel/OBS-002"
    done = results(run_import(tree, str(store)))
    assert done["session s1"][0] == "flywheel/SES-001"
    assert tree.ok("check", "--strict") == "0 errors, 0 warnings\n"


def test_an_undo_takes_the_import_back(tree: Place, store: Path) -> None:
    tree.ok("import", str(store))
    tree.ok("undo")
    assert not (tree.root / OBS / "OBS-001.md").exists()


@pytest.mark.parametrize("words", [("--kind", "idea"), ("--name", "x")])
def test_options_for_notes_are_refused_for_a_store(
    tree: Place, store: Path, words: tuple[str, str]
) -> None:
    ran = tree.run("import", str(store), *words)
    assert (ran.code, "are for notes, not for stores" in ran.err) == (2, True)


def test_what_is_no_regular_file_is_refused(tree: Place, store: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.json"
    link.symlink_to(store)
    ran = tree.run("import", str(link))
    assert (ran.code, "a symlink, which is not followed" in ran.err) == (3, True)
    (tmp_path / "folder.json").mkdir()
    assert tree.run("import", str(tmp_path / "folder.json")).code == 3
    assert tree.run("import", str(tmp_path / "none.json")).code == 3


def test_a_file_over_the_limit_is_refused_and_not_read(tree: Place, tmp_path: Path) -> None:
    with (tmp_path / "big.json").open("wb") as big:
        big.truncate(200 * 1024 * 1024 + 1)  # sparse
    ran = tree.run("import", str(tmp_path / "big.json"))
    assert (ran.code, "is larger than 200 MiB" in ran.err) == (3, True)


def test_conversations_become_sessions_and_only_learnings_become_memories(
    tree: Place, tmp_path: Path
) -> None:
    learned = "Done.\n\n## Key Learnings\n\n1. Flywheels need balanced weights at high speed\n2. No"
    messages = [{"sender": "human", "text": "Why?"}, {"sender": "assistant", "text": learned}]
    path = tmp_path / "conversations.json"
    save(path, [{"uuid": "c1", "name": "Wheels", "created_at": "2026-01-01T00:00:00Z",
                 "chat_messages": messages}])  # fmt: skip
    done = results(run_import(tree, str(path)))
    assert sorted(ref for ref, _ in done.values()) == ["flywheel/OBS-001", "flywheel/SES-001"]
    text = tree.read(f"{OBS}/OBS-001.md")
    assert "type: passive\n" in text
    assert text.endswith("\nFlywheels need balanced weights at high speed\n")
    assert {result for _, result in results(run_import(tree, str(path))).values()} == {"unchanged"}
