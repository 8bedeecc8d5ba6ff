"""`bridge` takes over what clients remember and gives them a digest: never in a circle."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from command_server import run_forked

from cortexfs.core.bridge.parse_client_memories import encode_folder

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place

OBS = "projects/flywheel/observations"
TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
MINE = "# Memory\n\n## Debugging\n\n- Use the strobe\n"


@pytest.fixture
def code(world: Path) -> Path:
    """The folder of the project's code, which Claude Code has opened."""
    folder = world / "src" / "flywheel"
    (folder / ".git").mkdir(parents=True)
    memory = world / ".claude" / "projects" / encode_folder(str(folder)) / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text(MINE)
    (memory / "balance.md").write_text("# Balance\n\nWeights go opposite each other\n")
    return folder


@pytest.fixture
def index(world: Path, code: Path) -> Path:
    return world / ".claude" / "projects" / encode_folder(str(code)) / "memory" / "MEMORY.md"


def run_in(place: Place, folder: Path, *words: str) -> tuple[int, str, str]:
    """Run a command in a folder outside of the tree."""
    done = run_forked(("--root", str(place.root), *words), str(folder), dict(os.environ))
    return done.returncode, done.stdout, done.stderr


def bridge(place: Place, folder: Path, *words: str) -> Any:
    code, out, err = run_in(place, folder, "bridge", *words, "--json")
    assert code == 0, (out, err)
    return json.loads(out)["bridge"]


def results(document: Any) -> list[tuple[str, str]]:
    return [(each["ref"], each["result"]) for each in document["in"]["entries"]]


def write_memory(place: Place, number: int, title: str) -> None:
    place.write(
        f"{OBS}/OBS-{number:03d}.md",
        f'---\nid: OBS-{number:03d}\ndate: 2026-05-01\nproject: flywheel\nsummary: "{title}"\n'
        f"tags: [a]\ntype: decision\ncreated: 2026-05-01T00:00:0{number}Z\n---\n\n{title}.\n",
    )


def test_the_memories_of_claude_code_become_observations(tree: Place, code: Path) -> None:
    assert results(bridge(tree, code)) == [
        ("flywheel/OBS-001", "imported"),
        ("flywheel/OBS-002", "imported"),
    ]
    text = tree.read(f"{OBS}/OBS-001.md")
    assert text.endswith("---\n\n- Use the strobe\n")
    folder = encode_folder(str(code))
    assert f"origin: claude-code:~/.claude/projects/{folder}/memory/MEMORY.md:debugging#" in text
    assert tree.git("log", "-1", "--format=%s") == (
        "bridge claude-code, codex, gemini: 2 observations\n"
    )
    assert tree.git("status", "--porcelain") == ""


def test_an_edited_memory_updates_its_observation(tree: Place, code: Path, index: Path) -> None:
    bridge(tree, code)
    assert {result for _, result in results(bridge(tree, code))} == {"unchanged"}
    index.write_text(MINE.replace("strobe", "strobe at night"))
    assert results(bridge(tree, code)) == [
        ("flywheel/OBS-001", "updated"),
        ("flywheel/OBS-002", "unchanged"),
    ]
    assert tree.read(f"{OBS}/OBS-001.md").endswith("\n- Use the strobe at night\n")


def test_in_and_out_again_and_again_change_nothing(tree: Place, code: Path, index: Path) -> None:
    write_memory(tree, 1, "Bearings are steel")
    tree.ok("commit")
    bridge(tree, code, "--in", "--out", "--client", "claude-code")
    given, head = index.read_text(), tree.git("rev-parse", "HEAD")
    assert given.startswith(f"{MINE}\n<!-- cortexfs:begin -->\n")
    assert given.endswith(
        "\n- Bearings are steel (decision, 2026-05-01) [flywheel/OBS-001]\n<!-- cortexfs:end -->\n"
    )
    for _ in range(2):
        again = bridge(tree, code, "--in", "--out", "--client", "claude-code")
        assert {result for _, result in results(again)} == {"unchanged"}
        assert [each["changed"] for each in again["out"]] == [False]
    assert (index.read_text(), tree.git("rev-parse", "HEAD")) == (given, head)


def test_the_digest_is_removed_to_the_byte(tree: Place, code: Path, index: Path) -> None:
    write_memory(tree, 1, "Bearings are steel")
    for text in (MINE, "without a line end", ""):
        index.write_text(text)
        bridge(tree, code, "--out", "--client", "claude-code")
        assert "Bearings" in index.read_text()
        bridge(tree, code, "--remove", "--client", "claude-code")
        assert (index.read_text() if index.exists() else "") == text


def test_a_digest_is_bounded_and_counts_the_rest(tree: Place, code: Path, index: Path) -> None:
    for number in range(1, 10):
        write_memory(tree, number, f"Bearing {number} is made of steel")
    bridge(tree, code, "--out", "--client", "claude-code", "--max-chars", "300")
    block = index.read_text().partition("<!-- cortexfs:begin -->\n")[2].partition("\n<!--")[0]
    assert len(block) <= 300
    assert block.splitlines()[2].startswith("- Bearing 9 is made of steel")
    assert block.endswith("more: `cortexfs list observation`")


def test_a_dry_run_shows_the_change_and_makes_none(tree: Place, code: Path, index: Path) -> None:
    write_memory(tree, 1, "Bearings are steel")
    tree.ok("commit")
    head = tree.git("rev-parse", "HEAD")
    words = ("bridge", "--in", "--out", "--client", "claude-code", "--dry-run")
    code_, out, err = run_in(tree, code, *words)
    assert code_ == 0
    assert "+- Bearings are steel (decision, 2026-05-01) [flywheel/OBS-001]\n" in out
    assert err == "dry run: 2 memories imported from claude-code\n"
    assert (index.read_text(), tree.git("rev-parse", "HEAD")) == (MINE, head)


def test_no_digest_has_a_personal_memory(tree: Place, code: Path, index: Path) -> None:
    write_memory(tree, 1, "Weights")
    text = tree.read(f"{OBS}/OBS-001.md")
    tree.write(f"{OBS}/OBS-002.md", text.replace("OBS-001", "OBS-002").replace("Weights", "Open"))
    tree.write(f"{OBS}/OBS-001.md", text.replace("type:", "scope: personal\ntype:"))
    bridge(tree, code, "--out", "--client", "claude-code")
    assert "- Open " in index.read_text()
    assert "Weights" not in index.read_text()


def test_memories_about_all_projects_are_personal(tree: Place, code: Path, world: Path) -> None:
    (world / ".codex" / "memories").mkdir(parents=True)
    (world / ".codex" / "memories" / "MEMORY.md").write_text("## Style\n\nShort names\n")
    (world / ".codex" / "memories" / "raw_memories.md").write_text("## Style\n\nShort names\n")
    (world / ".gemini").mkdir()
    (world / ".gemini" / "GEMINI.md").write_text("## Gemini Added Memories\n- Prefers tabs\n")
    found = results(bridge(tree, code, "--client", "codex", "--client", "gemini"))
    assert found == [("OBS-001", "imported"), ("OBS-002", "imported")]
    assert "OBS-00" not in tree.git("ls-files")
    named = bridge(tree, code, "--client", "gemini", "--project", "flywheel", "--dry-run")
    assert results(named) == [("OBS-002", "unchanged")]


@pytest.mark.parametrize(("client", "path"), [
    ("codex", ".codex/memories/MEMORY.md"), ("gemini", ".gemini/GEMINI.md"),
])  # fmt: skip
def test_a_digest_for_a_client_without_a_file_makes_one_and_removes_it(
    tree: Place, code: Path, world: Path, client: str, path: str
) -> None:
    write_memory(tree, 1, "Bearings are steel")
    (world / path).parent.parent.mkdir(exist_ok=True)
    (world / path.partition("/")[0]).mkdir(exist_ok=True)
    bridge(tree, code, "--out", "--client", client)
    assert "Bearings are steel" in (world / path).read_text()
    assert results(bridge(tree, code, "--client", client)) == []
    bridge(tree, code, "--remove", "--client", client)
    assert not (world / path).exists()


def test_no_link_is_followed_and_the_other_files_are_read(
    tree: Place, code: Path, index: Path, tmp_path: Path
) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("Not yours")
    index.unlink()
    index.symlink_to(outside)
    document = bridge(tree, code)
    assert results(document) == [("flywheel/OBS-001", "imported")]
    assert [each["message"] for each in document["in"]["skipped"]] == [
        "it is not a regular file, or not readable"
    ]
    code_, _, err = run_in(tree, code, "bridge", "--out", "--client", "claude-code")
    assert (code_, "it is not a regular file" in err) == (3, True)
    assert outside.read_text() == "Not yours"


def test_a_memory_with_a_secret_is_reported_and_the_rest_is_taken(
    tree: Place, code: Path, index: Path
) -> None:
    index.write_text(f"{MINE}\n## Access\n\nThe token is {TOKEN}\n")
    document = bridge(tree, code)
    assert len(results(document)) == 2
    assert document["in"]["skipped"][0]["message"] == "it contains a token of GitHub"
    assert TOKEN not in json.dumps(document)


def test_a_folder_that_the_client_does_not_know_gets_no_digest(tree: Place, tmp_path: Path) -> None:
    code_, _, err = run_in(tree, tmp_path, "bridge", "--out", "--client", "claude-code",
                           "-p", "flywheel")  # fmt: skip
    assert (code_, "claude-code has no memory folder for" in err) == (3, True)


@pytest.mark.parametrize("words", [("--out",), ("--in", "--remove"), ("--client", "cursor")])
def test_wrong_options_are_refused(tree: Place, words: tuple[str, ...]) -> None:
    assert tree.run("bridge", *words).code == 2


def test_a_memory_of_personal_scope_is_in_no_digest(tree: Place, code: Path, index: Path) -> None:
    write_memory(tree, 1, "Everybody may know")
    write_memory(tree, 2, "Mine alone")
    path = f"{OBS}/OBS-002.md"
    tree.write(path, tree.read(path).replace("type:", "scope: personal\ntype:"))
    bridge(tree, code, "--out", "--client", "claude-code", "--project", "flywheel")
    assert ("Everybody" in index.read_text(), "Mine" in index.read_text()) == (True, False)


def test_a_digest_is_of_the_project_that_the_memories_of_the_folder_go_to(
    tree: Place, world: Path
) -> None:
    folder = world / "src" / "lens"
    memory = world / ".claude" / "projects" / encode_folder(str(folder)) / "memory"
    memory.mkdir(parents=True)
    folder.mkdir(parents=True)
    (memory / "a.md").write_text("Grind the lens slowly.\n")
    ((ref, _),) = results(bridge(tree, folder))
    assert ref == "src-lens/OBS-001"
    tree.write(
        "projects/src-lens/observations/OBS-002.md",
        '---\nid: OBS-002\ndate: 2026-05-01\nproject: src-lens\nsummary: "Polish it"\n'
        "tags: [a]\ntype: decision\n---\n\nPolish it.\n",
    )
    bridge(tree, folder, "--out", "--client", "claude-code")
    assert "- Polish it (decision, 2026-05-01) [src-lens/OBS-002]" in (
        (memory / "MEMORY.md").read_text()
    )
