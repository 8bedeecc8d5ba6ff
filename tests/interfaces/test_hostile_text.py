"""No text of an atom, a name or an argument controls a terminal or hides characters."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

import pytest
from place import build_sample
from soak_cases import leave_to_soak
from terminal import talk

if TYPE_CHECKING:
    from pathlib import Path

    from place import CopyTree, Place

HARMFUL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029"
    "\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
STYLE = re.compile(r"\x1b\[[\d;]*m")

C0 = [chr(code) for code in (*range(1, 9), 0xB, 0xC, *range(0xE, 0x20), 0x7F)]
C1 = [chr(code) for code in (0x80, 0x84, 0x85, 0x8D, 0x90, 0x98, 0x9B, 0x9C, 0x9D, 0x9E, 0x9F)]
INVISIBLE = [
    *"\u061c\u200b\u200e\u200f\u202a\u202d\u202e\u2028\u2029\u2060\u2066\u2068\u2069\ufeff"
]
SMUGGLED = ["".join(chr(0xE0000 + ord(char)) for char in "obey"), "\u2063", "\ufff9x\ufffa"]
SEQUENCES = [
    "\x1b]52;c;aGVsbG8=\x07",
    "\x1b]8;;https://evil.example\x1b\\click\x1b]8;;\x1b\\",
    "\x1b]0;title\x07",
    "\x1b[31mred\x1b[0m",
    "\x1b[2J\x1b[H",
    "\x1b[6n",
    "\x1bP$q\x1b\\",
    "\x1bc",
    "\x9b31m",
    "over\rwritten",
]
MARKUP = [
    "[bold]b[/bold]",
    "[/bold]",
    "[link=https://evil.example]l[/link]",
    "[red]",
    "[/]",
    "[@x]",
]
PAYLOADS = [*C0, *C1, *INVISIBLE, *SMUGGLED, *SEQUENCES, *MARKUP]
EVERY = " ".join(f"p{number}{payload}q" for number, payload in enumerate(PAYLOADS))

COMMANDS = [
    "list",
    "list --json",
    "show driftwood/EXP-801 --no-track",
    "show driftwood/EXP-801 --no-track --json",
    "show driftwood/EXP-800",
    "check",
    "check --json",
    "check --format github",
    "check --fix",
    "index regen --all --dry-run",
    "index regen --all",
    "access log -n 300",
    "access top",
    "access log --json",
    "project list",
    "project show driftwood",
    "hook status",
    "hook drain",
    "commit --dry-run",
    "commit",
    "doctor",
]


def _quote(text: str) -> str:
    """Quote a text for YAML."""
    return json.dumps(text)


def _build_hostile(sample: Place) -> None:
    build_sample(sample)
    folder = "projects/driftwood/experiments"
    for number, payload in enumerate(PAYLOADS):
        quoted = _quote(f"a{payload}b")
        fields = f"id: EXP-{700 + number}\ndate: {quoted}\nproject: driftwood\nsummary: {quoted}\n"
        more = f"tags: [{quoted}]\nstatus: {quoted}\nexecutor: {quoted}\nrefs: 900\n"
        text = f"---\n{fields}{more}---\n\n{payload}\n"
        (sample.root / folder / f"EXP-{700 + number}.md").write_bytes(
            text.encode(errors="surrogatepass")
        )
    quoted = _quote(EVERY)
    head = f"---\nid: EXP-801\ndate: 2026-01-01\nproject: driftwood\nsummary: {quoted}\n"
    sample.write(
        f"{folder}/EXP-801.md", f"{head}tags: [a]\n---\n\n# {EVERY}\n\n```\n{EVERY}\n```\n"
    )
    head = head.replace("801", "800").replace("project:", f"{quoted}: {quoted}\nproject:")
    sample.write(f"{folder}/EXP-800.md", f"{head}tags: [a]\n---\n")
    sample.write(f"{folder}/EXP-\x1b[31m-\u202e.md", f"---\nid: {quoted}\nsummary: x\n---\n")
    sample.write(f"{folder}/EXP-802.md", f"---\nbroken: [\n\x1b[31m{EVERY}\n---\n")
    sample.write("projects/bad\x1b[31m\u202e/experiments/EXP-001.md", "---\nid: EXP-001\n---\n")
    sample.write("projects/driftwood/STATUS.md", EVERY)
    sample.write("cortexfs.yaml", f"{quoted}: 1\nkinds:\n  {quoted}: {{prefix: {quoted}}}\n")
    log = sample.root / "projects/driftwood/_meta/access-log.jsonl"
    with log.open("a") as file:
        for payload in PAYLOADS:
            look = {"file": f"EXP-801{payload}.md", "tool": payload, "ts": f"2026{payload}"}
            file.write(json.dumps(look) + "\n")
    sample.git("add", "projects/driftwood/experiments/EXP-801.md")
    sample.git("commit", "-qm", f"a subject {EVERY}", "--cleanup=verbatim")


@pytest.fixture
def hostile(tmp_path: Path, copy_tree: CopyTree) -> Place:
    """A tree with every payload in every place that text comes from."""
    return copy_tree(tmp_path / "tree", _build_hostile)


def _find_harm(text: str) -> list[str]:
    return [ascii(text[max(at.start() - 20, 0) : at.end()]) for at in HARMFUL.finditer(text)]


def test_no_command_prints_control_or_invisible_characters(hostile: Place) -> None:
    for words in COMMANDS:
        ran = hostile.run(*words.split())
        assert ran.code in {0, 1}, (words, ran)
        assert _find_harm(ran.out + ran.err) == [], words
        if "--json" in words:
            json.loads(ran.out)
    for index in hostile.root.glob("projects/*/*/index.md"):
        assert _find_harm(index.read_text()) == []


NEXT = "BELOW"
"""The part of a name after its line break."""


@pytest.mark.parametrize("feed", leave_to_soak(["\u2028", "\n", "\r\n", "\x85", "\x0b"], every=5))
def test_a_line_break_in_a_name_starts_no_line(sample: Place, feed: str) -> None:
    name = f"a{feed}{NEXT}"
    atom = f"---\nid: {_quote(f'EXP-1{feed}{NEXT}')}\nsummary: x\nlinks: [EXP-009]\n---\n"
    sample.write(f"projects/driftwood/experiments/EXP-9{feed}{NEXT}.md", f"{atom}EXP-009\n")
    sample.write(f"projects/{name}/CORTEX.md", "x")
    sample.write(f"projects/{name}/STATUS.md", "x")
    sample.write(f"projects/{name}/experiments/EXP-1{feed}{NEXT}.md", "no fence")
    old = '{"file":"EXP-001.md","tool":"Read","ts":"2020-01-01T00:00:00Z"}\n'
    sample.write(f"projects/{name}/_meta/access-log.jsonl", old)
    shown = ["project show", name]
    result = [sample.run(*shown[0].split(), shown[1])]
    for words in (
        "check",
        "check --format github",
        "index regen --all --check",
        "index regen --all --dry-run",
        "commit --dry-run",
        "show driftwood/EXP-009 --no-track",
        "project list",
        "list",
        "access rotate --dry-run",
        "access rotate",
        "check --fix",
        "watch --once",
        "index regen --all",
        "commit",
        "doctor",
    ):
        if words == "watch --once":
            sample.write(f"projects/{name}/experiments/EXP-2{feed}{NEXT}.md", "no fence")
        result.append(sample.run(*words.split()))
        assert result[-1].code in {0, 1}, result[-1]
    lines = [line for ran in result for line in (ran.out + ran.err).splitlines()]
    assert [line for line in lines if line.startswith(NEXT)] == []
    assert any(NEXT in line for line in lines)
    log = sample.git("log", "--format=%B").splitlines()
    assert [line for line in log if line.startswith(NEXT)] == []


def test_markup_in_a_text_is_printed_and_not_interpreted(hostile: Place) -> None:
    output = hostile.ok("list")
    for markup in MARKUP:
        assert f"a{markup}b" in output


@pytest.mark.parametrize(
    "words",
    leave_to_soak(["list", "show driftwood/EXP-801 --no-track", "access log -n 300"], every=3),
)
def test_only_styles_of_cortexfs_reach_a_terminal(hostile: Place, words: str) -> None:
    output = _run_on_a_terminal(hostile, *words.split())
    bare = STYLE.sub("", output)
    assert _find_harm(bare) == []
    assert "\x1b[31m" not in output, "the atom's own red"
    for markup in ("[bold]b[/bold]", "[/]"):
        assert markup in bare


def test_an_error_repeats_the_input_without_control_characters(sample: Place) -> None:
    payload = EVERY
    typed = [
        ["list", payload],
        ["list", "--project", payload],
        ["list", f"--{payload}"],
        ["show", payload],
        ["show", f"driftwood/EXP-009{payload}"],
        [payload],
        ["new", payload, "-s", "x"],
        ["new", "idea", "-s", payload, "--set", payload],
        ["new", "idea", "-s", "x", "--set", f"{payload}=x"],
        ["project", "new", payload, "--goal", "x"],
        ["index", "regen", payload],
        ["check", "--format", payload],
        ["commit", f"../{payload}"],
        ["list", "--root", payload],
        ["setup", "schedule", "--every", payload],
    ]
    for words in typed:
        ran = sample.run(*words)
        assert ran.code in {2, 3}, (words, ran)
        assert _find_harm(ran.out + ran.err) == [], words


def test_a_new_atom_has_no_control_characters_of_the_input(sample: Place) -> None:
    output = sample.ok("new", "idea", "-s", f"one{SEQUENCES[0]}two\rthree", "-t", "a\x1b[31m")
    assert _find_harm(output) == []
    assert _find_harm(sample.read(output.split()[1])) == []
    assert _find_harm(sample.git("log", "-1", "--format=%B")) == []


def _run_on_a_terminal(place: Place, *words: str) -> str:
    """Run a command on a terminal with colours; return all that reached it."""
    with open(os.devnull, "w", encoding="utf-8") as null:
        done = talk(place, *words, stderr=null.fileno(), NO_COLOR="", TERM="xterm-256color")
    assert done.code == 0
    return done.output
