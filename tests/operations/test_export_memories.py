"""`export` loses nothing: importing it again makes an equal tree."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from soak_cases import leave_rows_to_soak

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

OBS = "projects/flywheel/observations"
FIRST = (
    "---\nid: OBS-001\ndate: 2026-01-31\nproject: flywheel\nsummary: 'Quoted: so' # why\n"
    "tags: [a, b]\ntype: decision\nscope: project\nrevision: 2\ncreated: 2026-01-31T09:30:00Z\n"
    "relations: [supersedes OBS-002 0.5]\norigin: engram:41\nmine: {deep: [x]}\n---\n\nBody  \n\n\n"
)
SECOND = (
    '---\nid: OBS-002\ndate: 2026-01-31\nproject: flywheel\nsummary: "Plain"\ntags: [a]\n'
    "type: manual\nscope: project\n---\n\nBody without end"
)
PERSONAL = (
    '---\nid: OBS-003\ndate: 2026-01-31\nsummary: "Mine"\ntags: [a]\ntype: manual\n'
    "scope: personal\n---\n\nKept\n"
)
SESSION = (
    '---\nid: SES-001\ndate: 2026-01-31\nproject: flywheel\nsummary: "Worked"\ntags: [session]\n'
    "status: ended\nsession: s1\ncreated: 2026-01-31T09:00:00Z\n---\n\nWorked\n"
)
LOG = '{"file":"OBS-001.md","tool":"Read","ts":"2026-02-01T00:00:00.000Z","note":"n1"}\n'
OTHER_LOG = '{"file":"EXP-001.md","tool":"Read","ts":"2026-02-01T00:00:00.000Z","note":"n2"}\n'


@pytest.fixture
def filled(tree: Place) -> Place:
    tree.write(f"{OBS}/OBS-001.md", FIRST)
    tree.write(f"{OBS}/OBS-002.md", SECOND)
    tree.write("user/observations/OBS-003.md", PERSONAL)
    tree.write("projects/flywheel/sessions/SES-001.md", SESSION)
    tree.write("projects/flywheel/_meta/access-log.jsonl", LOG + OTHER_LOG)
    return tree


def export(place: Place, *words: str) -> Any:
    return json.loads(place.ok("export", *words))


def make_tree(path: Path, place: Place) -> Place:
    other = type(place)(path)
    path.mkdir()
    other.ok("init", str(path))
    other.ok("project", "new", "flywheel", "--goal", "Spin")
    return other


def test_importing_an_export_makes_an_equal_tree(filled: Place, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    filled.ok("export", str(file), "--include-personal")
    other = make_tree(tmp_path / "other", filled)
    other.ok("import", str(file))
    for path, text in (
        (f"{OBS}/OBS-001.md", FIRST),
        (f"{OBS}/OBS-002.md", SECOND),
        ("user/observations/OBS-003.md", PERSONAL),
        ("projects/flywheel/sessions/SES-001.md", SESSION),
        ("projects/flywheel/_meta/access-log.jsonl", LOG),
    ):
        assert other.read(path) == text
    one, two = (export(each, "--include-personal") for each in (filled, other))
    assert one | {"exported_at": two["exported_at"]} == two
    assert "OBS-003" not in other.git("ls-files")
    head = other.git("rev-parse", "HEAD")
    other.ok("import", str(file))
    assert other.git("rev-parse", "HEAD") == head
    assert other.read("projects/flywheel/_meta/access-log.jsonl") == LOG


def test_personal_memories_are_exported_only_when_included(filled: Place) -> None:
    paths = [each["path"] for each in export(filled)["atoms"]]
    assert paths == [
        f"{OBS}/OBS-001.md", f"{OBS}/OBS-002.md", "projects/flywheel/sessions/SES-001.md",
    ]  # fmt: skip


def test_a_field_is_readable_in_the_export(filled: Place) -> None:
    plain = export(filled)["atoms"][1]
    assert plain["fields"]["summary"] == "Plain"
    assert plain["body"] == "\nBody without end"
    assert "frontmatter" not in plain


def test_a_taken_number_is_given_to_no_second_memory(filled: Place, tmp_path: Path) -> None:
    file = tmp_path / "export.json"
    filled.ok("export", str(file))
    other = make_tree(tmp_path / "other", filled)
    taken = SECOND.replace("OBS-002", "OBS-001").replace("Plain", "Other")
    other.write(f"{OBS}/OBS-001.md", taken.replace("2026-01-31", "2026-03-03"))
    done = json.loads(other.ok("import", str(file), "--json"))["imported"]["entries"]
    assert [(each["ref"], each["result"]) for each in done] == [
        ("flywheel/OBS-002", "imported"),
        ("flywheel/SES-001", "imported"),
        ("flywheel/OBS-003", "imported"),
    ]
    assert "origin: cortexfs:flywheel/OBS-001#" in other.read(f"{OBS}/OBS-003.md")
    again = json.loads(other.ok("import", str(file), "--json"))["imported"]["entries"]
    assert {each["result"] for each in again} == {"unchanged"}


def test_of_two_versions_the_one_with_the_higher_revision_stays(
    filled: Place, tmp_path: Path
) -> None:
    file = tmp_path / "export.json"
    filled.ok("export", str(file))
    newer = FIRST.replace("revision: 2", "revision: 3").replace("Body", "Newer")
    filled.write(f"{OBS}/OBS-001.md", newer)
    filled.ok("commit")
    filled.ok("import", str(file))
    assert filled.read(f"{OBS}/OBS-001.md") == newer
    filled.write(f"{OBS}/OBS-001.md", newer.replace("revision: 3", "revision: 1"))
    filled.ok("commit")
    filled.ok("import", str(file))
    assert filled.read(f"{OBS}/OBS-001.md") == FIRST


@pytest.mark.parametrize(
    ("path", "text"),
    leave_rows_to_soak(
        [
            ("../../x.md", FIRST),
            ("projects/flywheel/observations/../../x.md", FIRST),
            ("projects/flywheel/knowledge/K-001.md", FIRST),
            ("projects/Flywheel/observations/OBS-001.md", FIRST),
            ("projects/flywheel/observations/index.md", FIRST),
            ("cortexfs.yaml", "kinds: []"),
            ("projects/flywheel/observations/OBS-009.md", FIRST),
            ("projects/flywheel/observations/OBS-001.md", "no frontmatter"),
        ],
        every=3,
    ),
)
def test_only_sound_files_in_the_folders_of_memories_are_imported(
    tree: Place, tmp_path: Path, path: str, text: str
) -> None:
    front, end, body = text.rpartition("---\n")
    atom = {"path": path, "frontmatter": front + end, "body": body}
    (tmp_path / "x.json").write_text(json.dumps({"cortexfs-export": 1, "atoms": [atom, 7]}))
    before = tree.git("status", "--porcelain"), sorted(tmp_path.rglob("*.md"))
    done = json.loads(tree.ok("import", str(tmp_path / "x.json"), "--json"))["imported"]
    assert (done["entries"], len(done["skipped"])) == ([], 2)
    assert (tree.git("status", "--porcelain"), sorted(tmp_path.rglob("*.md"))) == before


def test_an_export_for_engram_is_imported_again_as_duplicates(
    filled: Place, tmp_path: Path
) -> None:
    document = export(filled, "--format", "engram")
    assert [each["id"] for each in document["observations"]] == [1, 2]
    assert (document["version"], document["sessions"][0]["id"]) == ("0.1.0", "s1")
    (tmp_path / "e.json").write_text(json.dumps(document))
    done = json.loads(filled.ok("import", str(tmp_path / "e.json"), "--json"))["imported"]
    assert {each["result"] for each in done["entries"]} <= {"duplicate", "unchanged"}


def test_an_existing_file_is_overwritten_only_by_force(filled: Place, tmp_path: Path) -> None:
    file = tmp_path / "mine.txt"
    file.write_text("mine")
    ran = filled.run("export", str(file))
    assert (ran.code, file.read_text()) == (3, "mine")
    filled.ok("export", str(file), "--force")
    assert json.loads(file.read_text())["cortexfs-export"] == 1


def test_a_pipe_is_never_replaced_by_an_export(filled: Place, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for words in ((), ("--force",)):
        assert filled.run("export", str(tmp_path / "pipe"), *words).code == 3
    assert (tmp_path / "pipe").is_fifo()


def test_a_file_that_cannot_be_exported_is_named(filled: Place, tmp_path: Path) -> None:
    (filled.root / OBS / "OBS-004.md").symlink_to(filled.root / OBS / "OBS-001.md")
    (filled.root / OBS / "OBS-005.md").write_bytes(b"\xff")
    ran = filled.run("export", str(tmp_path / "e.json"))
    skipped = [line for line in ran.err.splitlines() if line.startswith("skipped: ")]
    assert [line.split(": ")[1] for line in skipped] == [f"{OBS}/OBS-004.md", f"{OBS}/OBS-005.md"]
    document = json.loads(filled.ok("export", str(tmp_path / "f.json"), "--json"))["exported"]
    assert [each["entry"] for each in document["skipped"]] == [
        f"{OBS}/OBS-004.md",
        f"{OBS}/OBS-005.md",
    ]


def test_an_export_is_not_imported_into_one_project(filled: Place, tmp_path: Path) -> None:
    filled.ok("export", str(tmp_path / "e.json"))
    assert filled.run("import", str(tmp_path / "e.json"), "-p", "flywheel").code == 2


def test_logged_reads_with_secrets_or_of_any_length_are_not_imported(
    filled: Place, tmp_path: Path
) -> None:
    document = export(filled)
    note = '{{"file":"OBS-001.md","ts":"2026-02-02T00:00:00Z","note":"{}"}}'
    secret = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
    lines = [note.format(text) for text in (secret, "x" * 9999, "\x1b[31m", "good")]
    document["reads"]["flywheel"] += lines
    (tmp_path / "e.json").write_text(json.dumps(document))
    other = make_tree(tmp_path / "other", filled)
    other.ok("import", str(tmp_path / "e.json"))
    log = other.read("projects/flywheel/_meta/access-log.jsonl")
    assert log == f"{LOG}{lines[-1]}\n"
