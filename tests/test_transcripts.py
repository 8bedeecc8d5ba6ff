"""What the pages show is what the program prints; `pytest --accept` rewrites the pages.

Every ```console block of README, docs/ and tests/transcripts/ is played in order, a page on a
fresh copy of the sample tree: lines after `$ ` are run by the shell, what they print stands
below, `[3]` last where they end with 3. A ```mermaid block is drawn by the command in the comment
above it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from shell_line import run_line

from cortexfs.errors import format_extra_hint

REPOSITORY = Path(__file__).parent.parent
PAGES = [
    page
    for page in sorted(
        [
            *REPOSITORY.glob("*.md"),
            *(REPOSITORY / "docs").glob("*.md"),
            *(REPOSITORY / "tests" / "transcripts").glob("*.md"),
        ]
    )
    if "```console\n" in page.read_text()
]
BLOCK = re.compile(
    r"(?<=^```console\n)(?P<played>.*?)(?=^```$)"
    r"|(?P<comment>^<!-- (?P<drawn>cortexfs [^\n]*) -->\n\n```mermaid\n).*?(?=^```$)",
    re.MULTILINE | re.DOTALL,
)
NOW = "2026-05-06T20:31:10+00:00"
OUR_BUG = 70
COMMIT = "3f9a6c1e8b2d4f705a1c9e3b7d6f08142a5c8e90"


@pytest.fixture
def tree(world: Path) -> Path:
    """A copy of the sample tree where a tree is by default, all of it committed."""
    root = world / ".cortex" / "context"
    shutil.copytree(REPOSITORY / "sample-context", root)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "start"]):
        subprocess.run(["git", *words], cwd=root, check=True)
    return root


def named(page: Path) -> str:
    return str(page.relative_to(REPOSITORY))


@pytest.mark.parametrize("page", PAGES, ids=named)
def test_a_page_shows_what_the_program_prints(
    page: Path, tree: Path, request: pytest.FixtureRequest
) -> None:
    shown = page.read_text()
    printed = replay_page(shown, tree)
    if request.config.getoption("--accept"):
        page.write_text(printed)
    else:
        assert printed == shown, "`pytest --accept tests/test_transcripts.py` rewrites the page"


def test_the_pages_with_transcripts_have_blocks() -> None:
    names = {named(page) for page in PAGES}
    assert names >= {"README.md", "docs/commands.md", "docs/json.md", "docs/format.md"}


def test_a_wrong_transcript_is_detected(tree: Path) -> None:
    honest = "Text.\n```console\n$ cortexfs hook status\nwaiting: 0 notes\n```\nMore text.\n"
    assert replay_page(honest, tree) == honest
    assert replay_page(honest.replace("0 notes", "7 notes"), tree) == honest


def test_a_transcript_shows_errors_and_exit_codes(tree: Path) -> None:
    page = replay_page("```console\n$ cortexfs show K-999\n```\n", tree)
    assert "\nerror: no atom named `K-999`\n" in page
    assert page.endswith("\n[3]\n```\n")


def test_blocks_of_a_page_run_in_order(tree: Path) -> None:
    page = "```console\n$ touch mark\n```\nbetween\n```console\n$ ls mark\nmark\n```\n"
    assert replay_page(page, tree) == page


def test_a_wrong_picture_is_detected(tree: Path) -> None:
    page = "<!-- cortexfs graph driftwood/K-005 --format mermaid -->\n\n```mermaid\npie\n```\n"
    drawn = replay_page(page, tree)
    assert "flowchart" in drawn
    assert replay_page(drawn, tree) == drawn


def replay_page(page: str, tree: Path) -> str:
    """Give a page with every transcript as it is now."""

    def now(block: re.Match[str]) -> str:
        if block["drawn"]:
            return block["comment"] + _run(block["drawn"], tree)
        return _played(block["played"], tree)

    return BLOCK.sub(now, page)


def _played(block: str, tree: Path) -> str:
    commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
    assert commands, f"a console block without a command: {block!r}"
    return "".join(f"$ {command}\n{_run(command, tree)}" for command in commands)


def _run(command: str, tree: Path) -> str:
    """Give what a command prints, on both streams, and its exit code where that is not 0."""
    done = run_line(command, tree, CORTEXFS_NOW=NOW, COLUMNS="80")
    assert done.returncode != OUR_BUG, done.stdout.decode()
    lines = [line.rstrip() for line in _steady(done.stdout.decode(), tree).splitlines()]
    assert not any(line.startswith(("$ ", "```")) for line in lines), lines
    code = [f"[{done.returncode}]"] if done.returncode else []
    return "".join(f"{line}\n" for line in [*lines, *code])


def _steady(text: str, tree: Path) -> str:
    """Put the names of a made-up machine in place of those that differ from run to run."""
    home = tree.parent.parent
    for path in (sys.executable, os.path.realpath(sys.executable)):
        text = re.sub(rf"{re.escape(os.path.dirname(path))}/python[\d.]*", "/usr/bin/python3", text)
    text = text.replace(str(home), "/home/ada")
    # the tests have the model off; a reader has installed none
    text = text.replace("unset CORTEXFS_VECTORS, which is `off`", format_extra_hint("vectors"))
    text = text.replace("vectors are switched off", "no model is installed")
    text = re.sub(r"-- \S+/nice -n 19 ", "-- /usr/bin/nice -n 19 ", text)
    lib = r"\1/usr/lib/python3/dist-packages \2"
    text = re.sub(r"(guard\.py [^\n|]* -- )[^\n|]*(\|\| exit 0)", lib, text)
    text = re.sub(r"\b3\.\d+\.\d+ at /usr", "3.11.9 at /usr", text)
    text = re.sub(r"\b[0-9a-f]{40}\b", COMMIT, text)
    text = re.sub(
        r"^[0-9a-f]{10} \d{4}-\d\d-\d\d ", f"{COMMIT[:10]} 2026-05-06 ", text, flags=re.MULTILINE
    )
    text = re.sub(
        r"^[0-9a-f]{10}\t[\d-]{10}T[\d:]+Z\t",
        f"{COMMIT[:10]}\t2026-05-06T20:31:10Z\t",
        text,
        flags=re.MULTILINE,
    )
    text = re.sub(
        r"\b(since|in|as of) [0-9a-f]{10} [\d-]{10} ", rf"\1 {COMMIT[:10]} 2026-05-06 ", text
    )
    text = re.sub(r'("when": ")[^"]+', r"\g<1>2026-05-06T20:31:10+00:00", text)
    text = re.sub(r"cortexfs-regen-[0-9a-f]{8}", "cortexfs-regen-7e4c1a90", text)
    return re.sub(r"\b(\d{19})\.\d+\b", r"\1.4711", text)
