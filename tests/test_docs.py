"""What the pages say of commands is what the commands do; links lead somewhere."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
from importlib import import_module
from typing import TYPE_CHECKING

import pytest
from for_each import for_each
from pages import PAGES, REPOSITORY, name_of, page, rows, section, words
from shell_line import run_line
from soak_cases import leave_to_soak
from typer.core import TyperGroup
from typer.main import get_command

from cortexfs.interfaces.cli import app as cli

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from place import Place
    from typer._click import Command

ENDS_WITH = {
    "cortexfs daemon start": 3,
    "cortexfs daemon status": 1,
    "cortexfs import": 3,
    "cortexfs embed": 3,
    "cortexfs ui": 3,
    "cortexfs tui": 3,
    "cortexfs story import": 3,
    "cortexfs story append": 3,
    "cortexfs story rebuild": 3,
    "cortexfs story consolidate": 3,
    "cortexfs story explain": 3,
    "cortexfs story recall": 3,
    "cortexfs story render": 3,
    "cortexfs story show": 3,
    "cortexfs story correct": 3,
    "cortexfs story rename": 3,
    "cortexfs story rm": 3,
}
"""Examples that end otherwise than with 0 in a fresh home, as their help says."""
SERVER = "cortexfs story serve"
"""The command of which the example runs until it is interrupted."""
FOLDERS = "tests|cortexfs|hooks|bench|docs|templates|sample-context"


def commands(command: Command, *path: str) -> Iterator[tuple[str, Command]]:
    """Give every command that does something, with its full name."""
    if isinstance(command, TyperGroup):
        context = command.make_context("cortexfs", [], resilient_parsing=True)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner, name
            yield from commands(inner, *path, name)
    else:
        yield " ".join(("cortexfs", *path)), command


TOP = get_command(cli.app)
ALL = dict(commands(TOP))
EXAMPLES = {
    name: re.findall(r"^Example: (.*)$", command.help or "", re.MULTILINE)
    for name, command in {"cortexfs": TOP, **ALL}.items()
}
ENDING = [name for name in EXAMPLES if name != SERVER]


def options(command: Command) -> set[str]:
    """Name the options of a command, but for those that all have in a short form."""
    given = (p for p in command.params if p.opts[0].startswith("-"))
    return {flag for p in given for flag in (*p.opts, *p.secondary_opts)} - {"-q", "--help", "-h"}


@for_each(ALL)
def test_every_option_of_a_command_is_documented_and_no_other(name: str) -> None:
    said = section(page("docs/commands.md"), f"## `{name}`").partition("```console")[0]
    explained = {flag[0] for word in words(said) if (flag := re.match(r"--?[a-z][a-z-]*", word))}
    assert explained == options(ALL[name])


@for_each(ALL)
def test_every_command_has_an_example_in_the_docs(name: str) -> None:
    said = section(page("docs/commands.md"), f"## `{name}`")
    assert re.search(rf"^\$ .*{re.escape(name)}\b", said, re.MULTILINE)


def test_every_global_option_is_documented() -> None:
    said = words(section(page("docs/commands.md"), "## For all commands"))
    assert options(TOP) <= {word.partition(" ")[0] for word in said}


@for_each(cli.COMMANDS)
def test_the_list_of_commands_quotes_their_help(name: str) -> None:
    module = import_module(f"cortexfs.interfaces.cli.commands.{name}")
    first = (get_command(module.app).help or "").partition("\n")[0]
    assert first == cli.COMMANDS[name]


@for_each(EXAMPLES)
def test_every_help_text_has_one_example_of_its_command(name: str) -> None:
    assert [example.startswith(name) for example in EXAMPLES[name]] == [True]


@pytest.mark.parametrize("name", leave_to_soak(ENDING, every=3))
def test_the_example_of_a_help_text_works_on_the_sample(name: str, sample: Place) -> None:
    if name == "cortexfs watch":  # it ends after the first change
        (sample.root / "projects" / "greenhouse" / "patterns" / "index.md").unlink()
    if name == "cortexfs undo":  # of what a person has committed there is nothing to undo
        sample.ok("new", "idea", "-s", "A short thought", "-t", "codec")
    if name == "cortexfs redo":
        sample.ok("new", "idea", "-s", "A short thought", "-t", "codec")
        sample.ok("undo")
    if name == "cortexfs renumber":  # of an id that only one atom has there is nothing to do
        atom = sample.read("projects/driftwood/experiments/EXP-012.md")
        sample.write("projects/driftwood/experiments/EXP-012-copy.md", atom)
    done = run_line(EXAMPLES[name][0], sample.root)
    assert done.returncode == ENDS_WITH.get(name, 0), done


def test_the_example_of_a_server_serves_until_it_is_interrupted(sample: Place) -> None:
    words = (*shlex.split(EXAMPLES[SERVER][0])[1:], "--port", "0")
    command = [sys.executable, "-m", "cortexfs", *words]
    with subprocess.Popen(command, cwd=sample.root, stderr=subprocess.PIPE, text=True) as server:
        assert server.stderr
        assert "http://127.0.0.1:" in server.stderr.readline()
        server.send_signal(signal.SIGINT)
        server.stderr.read()
    assert server.returncode in {0, 130}


@for_each([name.removeprefix("cortexfs ") for name in ALL])
def test_the_overview_names_every_command(name: str) -> None:
    table = rows(section(page("docs/commands.md"), "## All commands"))
    assert name in {word.removeprefix("cortexfs ") for cells in table for word in words(cells[1])}


def test_the_overview_names_only_existing_commands() -> None:
    table = rows(section(page("docs/commands.md"), "## All commands"))
    named = {word.removeprefix("cortexfs ") for cells in table for word in words(cells[1])}
    assert {f"cortexfs {name}" for name in named} == set(ALL)


@for_each(ALL)
def test_every_command_shows_its_json(name: str) -> None:
    shown = re.search(rf"^\$ {re.escape(name)}\b.* --json", page("docs/json.md"), re.MULTILINE)
    assert bool(shown) == ("--json" in options(ALL[name]))


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_links_between_pages_exist(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"https?:", target):
            name, _, anchor = target.partition("#")
            there = (path.parent / name).resolve() if name else path
            assert there.exists(), target
            assert not anchor or anchor in anchors(there.read_text()), target


def anchors(text: str) -> set[str]:
    """Give the anchors that a forge makes of headings."""
    heads = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_files_named_by_a_page_exist(path: Path) -> None:
    named = (
        word for word in words(path.read_text()) if re.fullmatch(rf"({FOLDERS})/[\w./-]*", word)
    )
    assert [word for word in named if not (REPOSITORY / word).exists()] == []


@pytest.mark.parametrize("path", PAGES, ids=name_of)
def test_a_page_has_no_placeholder_and_names_no_machine(path: Path) -> None:
    text = path.read_text()
    assert not re.search(r"\b(TODO|FIXME|TBD|XXX)\b", text)
    assert not re.search(r"(?<![\w.~])/(work|tmp|root|Users|home/(?!ada\b))\b", text)
