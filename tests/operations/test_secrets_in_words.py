"""No command accepts a secret in its options; a committed one stops no change."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from place import Place

TOKEN = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
IN = ("-p", "driftwood")
COMMANDS = [
    ("mark", "driftwood/EXP-013", "invalidated", "--by", "driftwood/EXP-015", "--reason", TOKEN),
    ("status", "set", *IN, "--next", TOKEN),
    ("issue", "add", TOKEN, "--problem", "It is slow", *IN),
    ("issue", "add", "Slow", "--problem", TOKEN, *IN),
    ("roadmap", "add", *IN, "--phase", "4", "--item", TOKEN),
    ("user", "learn", "Spelling", TOKEN),
    ("project", "archive", "greenhouse", "--reason", TOKEN),
    ("project", "new", "kelp", "--goal", TOKEN),
    ("task", "add", TOKEN, *IN),
    ("task", "add", "Time it", "--why", TOKEN, *IN),
    ("task", "claim", "51e0", "--owner", TOKEN),
    ("task", "block", "51e0", "--by", TOKEN),
    ("task", "done", "51e0", "--note", TOKEN),
    ("task", "lock", *IN, "--note", TOKEN),
]


@pytest.mark.parametrize("words", leave_to_soak(COMMANDS, every=5), ids=" ".join)
def test_a_secret_in_an_option_is_refused_and_nothing_is_written(
    sample: Place, words: tuple[str, ...]
) -> None:
    for more in (("--dry-run",), ()):
        ran = sample.run(*words, *more)
        assert ran.code == 3
        assert "a token of GitHub" in ran.err
        assert TOKEN not in ran.out + ran.err
    assert sample.git("status", "--porcelain") == ""
    assert sample.git("log", "--format=%s") == "start\n"


def test_an_uncommitted_secret_in_a_file_is_not_committed_with_a_change(
    sample: Place,
) -> None:
    path = "projects/driftwood/ISSUES.md"
    text = f"{sample.read(path)}\n## Notes\n\n{TOKEN}\n"
    sample.write(path, text)
    ran = sample.run("issue", "add", "Slow", "--problem", "It is slow", *IN)
    assert ran.code == 3
    line = text.count("\n")
    assert f"{path}:{line}: a token of GitHub" in ran.err
    assert TOKEN not in ran.out + ran.err
    assert sample.read(path) == text
    assert sample.git("log", "--format=%s") == "start\n"


def test_a_committed_secret_does_not_stop_a_change(sample: Place) -> None:
    path = "projects/driftwood/STATUS.md"
    sample.write(path, f"{sample.read(path)}\n## Notes\n\n{TOKEN}\n")
    sample.git("commit", "-qam", "by hand")
    sample.ok("status", "set", *IN, "--phase", "Release")
    assert TOKEN in sample.read(path)
    assert "Release" in sample.read(path)


def test_a_second_secret_in_a_file_is_refused(sample: Place) -> None:
    path = "projects/driftwood/STATUS.md"
    sample.write(path, f"{sample.read(path)}\n## Notes\n\n{TOKEN}\n")
    assert sample.run("status", "set", *IN, "--phase", f"{TOKEN[:-2]}Zz").code == 3


def test_restore_brings_back_a_committed_secret(sample: Place) -> None:
    path = "projects/driftwood/STATUS.md"
    leaked = sample.read(path) + f"\n## Notes\n\n{TOKEN}\n"
    sample.write(path, leaked)
    sample.git("commit", "-qam", "by hand")
    clean = sample.root / "clean.txt"
    clean.write_text("# driftwood: status\n\n## Current phase\n\nClean.\n")
    sample.ok("status", "edit", *IN, "--body-file", str(clean))
    assert TOKEN not in sample.read(path)
    clean.unlink()
    sample.ok("undo")
    assert sample.read(path) == leaked


RENAMES = [
    ("rename", "driftwood/EXP-013", "EXP-033"),
    ("move", "driftwood/EXP-013", "greenhouse"),
    ("rename", "driftwood", "seawood"),
]


@pytest.mark.parametrize("words", leave_to_soak(RENAMES, every=3), ids=" ".join)
def test_an_uncommitted_secret_is_not_committed_under_another_name(
    sample: Place, words: tuple[str, ...]
) -> None:
    path = "projects/driftwood/experiments/EXP-013.md"
    text = f"{sample.read(path)}\n{TOKEN}\n"
    sample.write(path, text)
    ran = sample.run(*words)
    assert ran.code == 3
    assert "a token of GitHub" in ran.err
    assert TOKEN not in ran.out + ran.err + sample.git("log", "-p")
    assert sample.read(path) == text
    sample.git("commit", "-qam", "by hand")
    assert sample.run(*words).code == 0, "git has it already"


def test_an_index_shows_no_secret_of_an_atom(sample: Place) -> None:
    folder = "projects/driftwood/experiments"
    text = sample.read(f"{folder}/EXP-013.md")
    for name, old in (("EXP-013", "summary: "), ("EXP-015", "tags: ")):
        atom = sample.read(f"{folder}/{name}.md")
        start = atom.index(old)
        value = f"{old}[{TOKEN}]" if old == "tags: " else f"{old}{'x' * 90} {TOKEN}"
        sample.write(
            f"{folder}/{name}.md", atom.replace(atom[start : atom.index("\n", start)], value)
        )
    sample.write(f"{folder}/{TOKEN}.md", text.replace("EXP-013", "EXP-099"))
    sample.write(f"{folder}/broken-{TOKEN}.md", f"---\n{TOKEN}: 1\n{TOKEN}: 2\n---\n")
    sample.ok("index", "regen", "--all")
    index = sample.read(f"{folder}/index.md")
    assert TOKEN[:20] not in index + sample.git("log", "-p")
    assert index.count(r"\[secret\]") >= 4
    before = sample.git("rev-parse", "HEAD")
    sample.ok("index", "regen", "--all")
    assert sample.git("rev-parse", "HEAD") == before
    found = sample.run("check", "--json").out
    assert f"{folder}/EXP-013.md" in found
    assert '"secret"' in found


@pytest.mark.soak
def test_no_message_repeats_a_secret(sample: Place) -> None:
    folder = "projects/driftwood/experiments"
    sample.write(f"{folder}/EXP-098.md", f"---\n{TOKEN}: 1\n{TOKEN}: 2\n---\n")
    sample.write(f"{folder}/{TOKEN}.md", "---\nid: [\n---\n")
    sample.write("projects/driftwood/TASKS.yaml", f"tasks:\n  - *{TOKEN}\n")
    sample.write("notes/a.md", f"Use {TOKEN}.\n")
    sample.write(f"notes/{TOKEN}.md", "Mine.\n")
    sample.git("commit", "--allow-empty", "-qm", f"use {TOKEN}")
    notes = str(sample.root / "notes")
    words = [
        ("check", "--all"),
        ("task", "list"),
        ("task", "lint"),
        ("log",),
        ("import", notes, "-p", "driftwood"),
        ("commit", "--dry-run"),
    ]
    for command in words:
        for more in ((), ("--json",)):
            ran = sample.run(*command, *more)
            assert TOKEN not in ran.out + ran.err, command


def test_commit_holds_back_a_secret_in_any_file_or_name(sample: Place) -> None:
    folder = "projects/driftwood"
    contents = {
        f"{folder}/a.bin": b"\0\xff" + TOKEN.encode(),
        f"{folder}/b.txt": TOKEN.encode("utf-16"),
        f"{folder}/c.md": b"\0" + TOKEN.encode(),
        f"{folder}/{TOKEN}.md": b"Mine.\n",
        f"{folder}/{TOKEN}/a.md": b"Mine.\n",
        ".gitattributes": b"# " + TOKEN.encode(),
        "projects/greenhouse/_meta/access-log.jsonl": f'{{"session":"{TOKEN}"}}\n'.encode(),
    }
    for path, content in contents.items():
        file = sample.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    (sample.root / folder / "link").symlink_to(f"nowhere-{TOKEN}")
    sample.write("fine.bin", "\0 fine\n")
    document = json.loads(sample.run("commit", "--json").out)
    assert len(document["held-back"]) == len(contents) + 1
    assert document["committed"] == ["fine.bin"]
    committed = sample.git("log", "-p", "-a", "--name-only") + sample.git("log", "-p", "-a")
    assert TOKEN not in committed.replace("\0", "")
