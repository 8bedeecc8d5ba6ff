"""`import` turns a folder of notes into atoms: in one commit, none twice, none lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_rows_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

K = "projects/flywheel/knowledge"
OBS = "projects/flywheel/observations"
TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
FILES = {
    "Alice Smith.md": "---\naliases: [Ali]\nid: 42\nstatus: in-progress\n---\nMet [[Flywheel]].\n",
    "Flywheel.md": (
        "---\ncreated: 2025-03-04\ntags: [Engine]\n---\n# The Flywheel\n\n[a](Alice%20Smith.md)\n"
    ),
    "Daily/2025-01-02.md": "- Called [[Ali]]. Then [[Nobody]]. #home\n",
    "decisions/use-git.md": "---\nstatus: accepted\ndate: 2025-02-02\n---\n# Use git\n",
    "img/a.png": "png",
    "board.canvas": "{}",
    ".obsidian/app.json": "{}",
    ".trash/gone.md": "gone",
    "Templates/daily.md": "# {{date}}",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    above = tmp_path / "vault"
    for path, text in FILES.items():
        write(above / path, text)
    return above


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (1_750_000_000, 1_750_000_000))  # 2025-06-15


def run_import(place: Place, *words: str) -> Any:
    return json.loads(place.ok("import", *words, "--json"))


def list_results(document: Any) -> dict[str, tuple[str, str]]:
    return {each["note"]: (each["ref"], each["result"]) for each in document["imported"]["notes"]}


def test_a_vault_becomes_atoms_in_date_order_in_one_commit(tree: Place, vault: Path) -> None:
    before = tree.git("rev-parse", "HEAD").strip()
    document = run_import(tree, str(vault))
    assert list_results(document) == {
        "Daily/2025-01-02.md": ("flywheel/OBS-001", "imported"),
        "decisions/use-git.md": ("flywheel/DR-0001", "imported"),
        "Flywheel.md": ("flywheel/K-001", "imported"),
        "Alice Smith.md": ("flywheel/K-002", "imported"),
    }
    assert tree.git("rev-list", f"{before}..HEAD").split() == [document["commit"]]
    assert tree.git("log", "-1", "--format=%s").strip() == "import vault: 4 notes"
    assert tree.git("status", "--porcelain") == ""
    assert [each["code"] for each in document["imported"]["skipped"]] == ["templates", "canvas"]
    assert document["imported"]["unresolved"] == [
        {"note": "Daily/2025-01-02.md", "line": 1, "target": "Nobody"}
    ]
    assert document["imported"]["statuses"] == [{"from": "in-progress", "to": "active", "notes": 1}]
    assert (document["imported"]["attachments"], document["imported"]["links"]) == (1, 3)


def test_imported_atoms_are_searchable_linked_and_checked(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault))
    alice = tree.read(f"{K}/K-002.md")
    assert "evidence: [vault/Alice Smith.md]\n" in alice
    assert "imported-from: vault/Alice Smith.md\n" in alice
    assert "source-id: 42\nsource-status: in-progress\n" in alice
    assert "\nMet [[K-001|Flywheel]].\n" in alice
    assert "[a](K-002.md)" in tree.read(f"{K}/K-001.md")
    assert "tags: [engine]\n" in tree.read(f"{K}/K-001.md")
    assert "Called [[K-002|Ali]]. Then [[Nobody]]." in tree.read(f"{OBS}/OBS-001.md")
    named = {line.split("\t")[0] for line in tree.ok("backlinks", "K-002").splitlines()}
    assert named == {"flywheel/K-001", "flywheel/OBS-001"}
    assert "flywheel/K-001" in tree.ok("find", "the flywheel", "-n", "1")
    findings = json.loads(tree.ok("check", "--json"))["findings"]
    assert {each["code"] for each in findings} == {"broken-link"}


def test_an_import_does_not_change_its_source(tree: Place, vault: Path) -> None:
    def state() -> dict[Path, tuple[bytes, int]]:
        every = (path for path in vault.rglob("*") if path.is_file())
        return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in every}

    before = state()
    tree.ok("import", str(vault))
    assert state() == before


def test_a_dry_run_prints_the_same_and_changes_nothing(tree: Place, vault: Path) -> None:
    before = tree.git("rev-parse", "HEAD")
    rehearsed = run_import(tree, str(vault), "--dry-run")
    assert tree.git("rev-parse", "HEAD") == before
    assert tree.git("status", "--porcelain") == ""
    assert list_results(rehearsed) == list_results(run_import(tree, str(vault)))


def test_one_undo_reverts_the_whole_import(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault), "--project", "notes")
    tree.ok("undo")
    assert not (tree.root / "projects/notes").exists()
    assert "notes" not in tree.read("OVERVIEW.md")
    assert tree.git("status", "--porcelain") == ""
    tree.ok("redo")
    assert (tree.root / "projects/notes/knowledge/K-002.md").exists()


def test_a_second_import_takes_only_new_and_changed_notes(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault))
    head = tree.git("rev-parse", "HEAD")
    again = run_import(tree, str(vault))
    assert {result for _, result in list_results(again).values()} == {"unchanged"}
    assert "commit" not in again
    assert tree.git("rev-parse", "HEAD") == head
    write(vault / "Nobody.md", "Now somebody.")
    (vault / "Flywheel.md").write_text(FILES["Flywheel.md"] + "More.\n")  # and a later mtime
    third = list_results(run_import(tree, str(vault)))
    assert third["Nobody.md"] == ("flywheel/K-003", "imported")
    assert third["Flywheel.md"] == ("flywheel/K-001", "updated")
    assert third["Daily/2025-01-02.md"] == ("flywheel/OBS-001", "updated")  # its link is resolved
    assert third["Alice Smith.md"] == ("flywheel/K-002", "unchanged")
    assert "[[K-003|Nobody]]" in tree.read(f"{OBS}/OBS-001.md")
    assert tree.read(f"{K}/K-001.md").endswith("More.\n")
    assert "date: 2025-03-04\n" in tree.read(f"{K}/K-001.md")


def test_an_edited_atom_is_not_overwritten(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault))
    edited = tree.read(f"{K}/K-001.md") + "My own line.\n"
    tree.write(f"{K}/K-001.md", edited)
    assert list_results(run_import(tree, str(vault)))["Flywheel.md"][1] == "unchanged"
    write(vault / "Flywheel.md", "# Another\n")
    ran = tree.run("import", str(vault))
    assert "changed on both sides: Flywheel.md: flywheel/K-001 was edited too" in ran.err
    assert "to take the note, restore the imported text" in ran.err
    assert tree.read(f"{K}/K-001.md") == edited


@pytest.mark.parametrize(
    ("words", "atom", "kept"),
    leave_rows_to_soak(
        [
            (("tag", "rename", "engine", "motor"), f"{K}/K-001.md", "tags: [motor]\n"),
            (("rename", "K-002", "K-033"), f"{K}/K-001.md", "[a](K-033.md)"),
            (("rename", "K-001", "K-033"), f"{K}/K-033.md", "id: K-033\n"),
            (
                ("rename", "flywheel", "wheel"),
                "projects/wheel/knowledge/K-001.md",
                "project: wheel\n",
            ),
            (
                ("mark", "K-001", "challenged", "--by", "K-002"),
                f"{K}/K-001.md",
                "challenged:K-002\n",
            ),
            (("mark", "K-002", "superseded", "--by", "K-001"), f"{K}/K-001.md", "links: [K-002]\n"),
            (
                ("move", "K-002", "other"),
                f"{K}/K-001.md",
                "[[other/K-002|a]]",
            ),
            (
                ("move", "K-001", "other"),
                "projects/other/knowledge/K-001.md",
                "project: other\n",
            ),
        ],
        every=4,
    ),
)
def test_a_changed_note_updates_an_atom_that_only_commands_changed(
    tree: Place, vault: Path, words: tuple[str, ...], atom: str, kept: str
) -> None:
    tree.ok("project", "new", "other", "--goal", "More")
    tree.ok("import", str(vault), "-p", "flywheel")
    tree.ok(*words)
    again = run_import(tree, str(vault), "-p", "flywheel") if words[1] != "flywheel" else {}
    assert "commit" not in again or words[0] == "move"
    (vault / "Flywheel.md").write_text(FILES["Flywheel.md"] + "Another line.\n")
    project = "wheel" if words[-1] == "wheel" else "flywheel"
    done = list_results(run_import(tree, str(vault), "-p", project))
    assert done["Flywheel.md"][1] == "updated"
    assert kept in tree.read(atom)
    assert tree.read(atom).endswith("Another line.\n")
    assert list_results(run_import(tree, str(vault), "-p", project))["Flywheel.md"][1] == (
        "unchanged"
    )


def test_a_kept_status_stays_over_several_updates(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault))
    tree.ok("mark", "K-001", "stale")
    for line in ("One.\n", "Two.\n"):
        (vault / "Flywheel.md").write_text(FILES["Flywheel.md"] + line)
        tree.ok("import", str(vault))
        assert "\nstatus: stale\n" in tree.read(f"{K}/K-001.md")
        assert tree.read(f"{K}/K-001.md").endswith(line)


def test_a_removed_atom_does_not_come_back_with_the_next_import(tree: Place, vault: Path) -> None:
    note = vault / "Daily/2025-01-02.md"
    tree.ok("import", str(vault))
    tree.ok("rename", "OBS-001", "OBS-020")
    tree.ok("rm", "OBS-020")
    ran = tree.run("import", str(vault))
    assert "0 notes imported into flywheel, 3 unchanged, 1 note removed here, " in ran.err
    assert "skipped: Daily" not in ran.err
    assert not (tree.root / OBS / "OBS-001.md").exists()
    rehearsed = run_import(tree, str(note), "--dry-run")
    assert list_results(rehearsed)["Daily/2025-01-02.md"][1] == "imported"  # it is named
    note.write_text("Changed since.\n")
    assert list_results(run_import(tree, str(vault)))["Daily/2025-01-02.md"][1] == "imported"


def test_an_import_that_was_undone_can_be_repeated(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault))
    tree.ok("undo")
    assert len(list_results(run_import(tree, str(vault)))) == 4


def test_the_age_of_an_unread_atom_counts_from_its_import(
    tree: Place, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def list_stale() -> str:
        report = tree.run("maintain", "-p", "flywheel").out
        return "\n".join(line for line in report.splitlines() if "without reads" in line)

    monkeypatch.setenv("CORTEXFS_NOW", "2026-05-06T20:31")
    write(vault / "own.md", "---\nimported-date: 2020-01-01\n---\n# Own\n")
    tree.ok("import", str(vault))
    assert "source-imported-date: 2020-01-01\n" in tree.read(f"{K}/K-003.md")
    assert "K-00" not in list_stale()
    assert tree.run("list", "--cold", "-p", "flywheel", "--kind", "knowledge").out == ""
    tree.ok("index", "regen", "--all")
    assert "(refs = 0, age > 14 days): none" in tree.read(f"{K}/index.md")
    monkeypatch.setenv("CORTEXFS_NOW", "2026-07-06T20:31")
    (vault / "Flywheel.md").write_text("# Another\n")
    tree.ok("import", str(vault))
    assert "\nimported-date: 2026-05-06\n" in tree.read(f"{K}/K-001.md")
    assert "K-001: 61 days without reads" in list_stale()


def test_notes_with_one_title_are_told_apart_by_their_folders(tree: Place, tmp_path: Path) -> None:
    for path in ("Overview.md", "Projects/Parser/Overview.md", "Areas/Overview.md", "Other.md"):
        write(tmp_path / "docs" / path, "Some text.\n")
    notes = run_import(tree, str(tmp_path / "docs"))["imported"]["notes"]
    assert {each["summary"] for each in notes} == {
        "Overview",
        "Overview (Projects/Parser)",
        "Overview (Areas)",
        "Other",
    }


def test_a_failed_experiment_has_a_tag(tree: Place, tmp_path: Path) -> None:
    for name, status in (("a", "Failed"), ("b", "running"), ("c", "in progress"), ("d", "odd")):
        write(tmp_path / f"experiments/{name}.md", f"---\nstatus: {status}\n---\n# {name}\n")
    ran = tree.run("import", str(tmp_path / "experiments"), "--kind", "experiment")
    assert [line for line in ran.err.splitlines() if line.startswith("status: ")] == [
        "status: `Failed` has no equivalent: `source-status` keeps it, with the tag `failed` (1)",
        "status: `in progress` became `active` (1)",
        "status: `odd` has no equivalent: `source-status` keeps it (1)",
        "status: `running` became `active` (1)",
    ]
    assert "flywheel/EXP-" in tree.ok("list", "--tag", "failed", "--kind", "experiment")


def test_superseded_by_names_the_successor_in_the_status(tree: Place, tmp_path: Path) -> None:
    old = '---\nstatus: superseded\nsuperseded_by: "[[Exp 03]]"\ndate: 2025-01-01\n---\n# Old\n'
    write(tmp_path / "lab/Exp 01.md", old)
    write(tmp_path / "lab/Exp 03.md", "---\ndate: 2025-02-02\n---\n# New\n")
    tree.ok("import", str(tmp_path / "lab"))
    assert "\nstatus: superseded:K-002\n" in tree.read(f"{K}/K-001.md")
    assert "\nlinks: [K-001]\n" in tree.read(f"{K}/K-002.md")
    assert json.loads(tree.ok("check", "--json"))["findings"] == []
    (tmp_path / "lab/Exp 03.md").write_text("# Newer\n")
    tree.ok("import", str(tmp_path / "lab"))
    assert "\nlinks: [K-001]\n" in tree.read(f"{K}/K-002.md")


def test_a_misspelt_project_is_not_created(tree: Place, vault: Path) -> None:
    ran = tree.run("import", str(vault), "-p", "flywheal")
    assert (ran.code, ran.err) == (
        3,
        "error: no project named `flywheal`\n hint: did you mean `flywheel`?\n",
    )
    assert "new project notes" in tree.run("import", str(vault), "-p", "notes").err


def test_the_help_says_that_a_dry_run_prints_a_report(tree: Place) -> None:
    assert "--dry-run           Print the same report and change nothing.\n" in tree.ok(
        "import", "--help"
    )


def test_a_read_atom_does_not_count_as_edited(tree: Place, vault: Path) -> None:
    tree.write("cortexfs.yaml", "access: {write_back: always}\n")
    tree.ok("import", str(vault))
    tree.ok("show", "K-001")
    tree.ok("index", "regen", "--all")
    assert "refs: 1" in tree.read(f"{K}/K-001.md")
    write(vault / "Flywheel.md", "# Another\n")
    assert list_results(run_import(tree, str(vault)))["Flywheel.md"][1] == "updated"


def test_a_changed_note_without_a_date_keeps_its_first_day(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault))
    (vault / "Alice Smith.md").write_text("# Alice\n\nNew.\n")  # of today
    tree.ok("import", str(vault))
    assert "date: 2025-06-15\n" in tree.read(f"{K}/K-002.md")


def test_part_of_a_vault_has_paths_from_its_top(tree: Place, vault: Path) -> None:
    tree.ok("import", str(vault / "Daily"))
    assert "imported-from: vault/Daily/2025-01-02.md\n" in tree.read(f"{OBS}/OBS-001.md")
    again = list_results(run_import(tree, str(vault)))
    assert again["Daily/2025-01-02.md"] == ("flywheel/OBS-001", "updated")


def test_two_sources_with_the_same_folder_name_get_different_names(
    tree: Place, tmp_path: Path
) -> None:
    for folder in ("a/notes", "b/notes"):
        write(tmp_path / folder / "x.md", f"# From {folder}\n")
    tree.ok("import", str(tmp_path / "a/notes"))
    tree.ok("import", str(tmp_path / "b/notes"), "--name", "other")
    assert "# From a/notes" in tree.read(f"{K}/K-001.md")
    assert "imported-from: other/x.md\n" in tree.read(f"{K}/K-002.md")


def test_without_a_project_one_is_created_and_named_after_the_folder(
    tmp_path: Path, vault: Path, tree: Place
) -> None:
    root = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "cortexfs", "init", str(root)], check=True)
    vault.rename(vault.with_name("My Väult"))
    fresh = type(tree)(root)
    ran = fresh.run("import", str(vault.with_name("My Väult")))
    assert ran.code == 0, ran
    assert "imported into the new project my-v-ult" in ran.err
    assert fresh.git("status", "--porcelain") == ""
    assert fresh.run("check").code == 0


@pytest.mark.parametrize(
    ("kind", "prefix"), [("knowledge", "K"), ("observation", "OBS"), ("idea", "IDEA")]
)
def test_the_kind_option_applies_to_all_notes(
    tree: Place, vault: Path, kind: str, prefix: str
) -> None:
    notes = run_import(tree, str(vault), "--kind", kind)["imported"]["notes"]
    assert {each["kind"] for each in notes} == {kind}
    assert all(each["ref"].rpartition("/")[2].startswith(f"{prefix}-") for each in notes)
    assert json.loads(tree.ok("check", "--json"))["errors"] == 0


def test_a_user_kind_takes_the_notes_with_its_fields(tree: Place, tmp_path: Path) -> None:
    tree.write("cortexfs.yaml", "kinds:\n  recipe:\n    required: [serves]\n")
    write(tmp_path / "food/soup.md", "---\ntype: recipe\nserves: 4\n---\n# Soup\n")
    write(tmp_path / "food/bread.md", "# Bread\n")
    notes = run_import(tree, str(tmp_path / "food"))["imported"]["notes"]
    assert {each["note"]: each["kind"] for each in notes} == {
        "soup.md": "recipe",
        "bread.md": "knowledge",
    }
    document = run_import(tree, str(tmp_path / "food"), "--kind", "recipe", "--name", "again")
    assert [each["code"] for each in document["imported"]["skipped"]] == ["missing-field"]


def test_an_impossible_import_is_refused_before_anything_is_written(
    tree: Place, vault: Path, tmp_path: Path
) -> None:
    before = tree.git("rev-parse", "HEAD")
    (tmp_path / "empty").mkdir()
    for words, code in (
        ((str(vault), "--kind", "pattern"), 3),
        ((str(vault), "--kind", "knowlege"), 3),
        ((str(tmp_path / "nowhere"),), 3),
        ((str(vault), "--project", "Bad Name"), 3),
        ((str(vault), "--name", "a/b"), 2),
        ((str(tmp_path / "empty"),), 1),
    ):
        assert tree.run("import", *words).code == code, words
    assert tree.git("rev-parse", "HEAD") == before


def test_a_note_with_a_secret_is_left_out_and_the_others_are_imported(
    tree: Place, vault: Path
) -> None:
    write(vault / "keys.md", f"# Keys\n\nmine: {TOKEN}\n")
    ran = tree.run("import", str(vault), "--json")
    assert TOKEN not in ran.out + ran.err
    document = json.loads(ran.out)["imported"]
    secret = next(each for each in document["skipped"] if each["code"] == "secret")
    assert (secret["note"], secret["line"]) == ("keys.md", 3)
    assert len(document["notes"]) == 4


def test_a_hostile_folder_is_read_without_harm(tree: Place, tmp_path: Path) -> None:
    above, outside = tmp_path / "hostile", tmp_path / "outside.md"
    write(outside, "# Outside\n")
    write(above / "good.md", "# Good\n")
    write(above / "deep.md", f"---\na: {'[' * 30_000}\n---\n# Deep\n")
    write(above / "escape.md", "# Title \x1b[31m with \u202e marks\n")
    write(above / "node_modules/x/readme.md", "# No\n")
    (above / "binary.md").write_bytes(b"PNG\0\x01")
    (above / "latin.md").write_bytes(b"caf\xe9")
    (above / os.fsdecode(b"n\xff.md")).write_bytes(b"x")
    (above / "back\\slash.md").write_text("x")
    (above / "two\nlines.md").write_text("x")
    with (above / "large.md").open("wb") as file:
        file.truncate(20 * 1024 * 1024)
    os.mkfifo(above / "pipe.md")
    (above / "loop").symlink_to(above)
    (above / "link.md").symlink_to(outside)
    (above / "folder.md").mkdir()
    document = run_import(tree, str(above))["imported"]
    assert {each["note"]: each["code"] for each in document["skipped"]} == {
        "binary.md": "not-text",
        "latin.md": "not-utf8",
        "n\\udcff.md": "bad-name",
        "back\\\\slash.md": "bad-name",
        "two\\nlines.md": "bad-name",
        "large.md": "file-too-large",
        "pipe.md": "not-a-file",
        "link.md": "symlink",
    }
    reasons = {each["message"] for each in document["skipped"] if each["code"] == "bad-name"}
    faults = ("is not UTF-8", "contains a backslash", "contains a line break")
    assert reasons == {f"the name {fault}" for fault in faults}
    assert {each["note"] for each in document["notes"]} == {"good.md", "deep.md", "escape.md"}
    assert [each["code"] for each in document["warnings"]] == ["frontmatter-too-deep"]
    shown = tree.ok("list", "-p", "flywheel")
    assert "\x1b" not in shown
    assert "\u202e" not in shown


def test_notes_inside_the_tree_become_atoms_and_stay_where_they_are(tree: Place) -> None:
    tree.write("notes/a.md", "# A\n\nSee [[b]].\n")
    tree.write("projects/flywheel/docs/b.md", "# B\n")
    tree.write("README.md", "# About this tree\n")
    checked = json.loads(tree.run("check", "--json").out)["findings"]
    loose = [each for each in checked if each["code"] == "loose-notes"]
    assert [(each["path"], each["message"]) for each in loose] == [
        ("notes/a.md", "2 Markdown files are not atoms")
    ]
    assert "1 Markdown file" not in tree.run("init").err
    document = run_import(tree, str(tree.root))
    assert document["imported"]["source"] == "."
    assert set(list_results(document)) == {"notes/a.md", "projects/flywheel/docs/b.md"}
    assert tree.read("notes/a.md") == "# A\n\nSee [[b]].\n"
    checked = json.loads(tree.run("check", "--json").out)["findings"]
    assert not [each for each in checked if each["code"] == "loose-notes"]


def test_a_note_that_git_ignores_is_no_loose_note(tree: Place) -> None:
    tree.write("drafts/a.md", "# A\n")
    tree.write("notes/b.md", "# B\n")
    tree.write(".gitignore", f"{tree.read('.gitignore')}drafts/\n*b.md\n")
    tree.git("add", "--force", "notes/b.md")
    checked = json.loads(tree.run("check", "--json").out)["findings"]
    assert [each["path"] for each in checked if each["code"] == "loose-notes"] == ["notes/b.md"]


def test_init_in_a_folder_of_notes_says_what_to_do(tree: Place, vault: Path) -> None:
    ran = type(tree)(vault).run("init")
    assert "3 Markdown files not imported; `cortexfs import .` creates atoms from notes" in ran.err
    document = json.loads(type(tree)(vault).run("init", "--json").out)
    assert document["loose-notes"] == 3


def test_words_that_look_like_refs_are_reported(tree: Place, tmp_path: Path) -> None:
    write(tmp_path / "docs/a.md", "K-700, DR-0001, MIL-188, `K-001` itself and `src/K-002.md`\n")
    warnings = run_import(tree, str(tmp_path / "docs"))["imported"]["warnings"]
    assert [(each["code"], each["message"].split()[0]) for each in warnings] == [
        ("dangling-ref", "`K-700`"),
        ("dangling-ref", "`DR-0001`"),
    ]
    found = json.loads(tree.run("check", "--json").out)["findings"]
    assert sorted(each["code"] for each in found) == ["dangling-ref", "dangling-ref"]


def test_one_file_can_be_imported(tree: Place, vault: Path) -> None:
    assert list_results(run_import(tree, str(vault / "Flywheel.md"))) == {
        "Flywheel.md": ("flywheel/K-001", "imported")
    }


def test_only_import_loads_its_libraries(tree: Place) -> None:
    for words in (("list",), ("check",), ("--help",)):
        program = (
            "import sys; from cortexfs.interfaces.cli import app\n"
            "try: app.main()\n"
            "finally: print(sorted({'frontmatter', 'ruamel'} & sys.modules.keys()))"
        )
        ran = subprocess.run(
            [sys.executable, "-c", program, *words],
            cwd=tree.root,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.stdout.endswith("[]\n"), ran
