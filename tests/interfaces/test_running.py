"""The options that all commands share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import typer
from test_docs import ALL
from typer.core import TyperGroup
from typer.main import get_command

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.cli.command_context import (
    CommandContext,
    change_command,
    dry_run_command,
    make_group,
    read_command,
)
from cortexfs.interfaces.cli.console import OutputPrinter

if TYPE_CHECKING:
    from collections.abc import Callable

READING = ["root", "as_json", "quiet"]
CHANGING = [*READING, "dry_run", "no_commit"]


def look(run: CommandContext, seed: str) -> None:
    """Print the seed."""
    run.output.print_text(seed)


def params(command: Callable[..., None]) -> list[str]:
    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command()(command)
    return [str(each.name) for each in get_command(app).params]


def test_the_run_gets_the_shared_options_and_the_command_the_rest() -> None:
    seen = []

    @change_command
    def sow(run: CommandContext, seed: str, depth: int = 2) -> None:
        seen.append((run, seed, depth))

    app = typer.Typer(rich_markup_mode=None, add_completion=False)
    app.command()(sow)
    typed = ["wheat", "--root", "/field", "--json", "-q", "--dry-run", "--no-commit"]
    get_command(app)(typed, standalone_mode=False)
    get_command(app)(["rye", "--depth", "3"], standalone_mode=False)
    output = OutputPrinter(as_json=True, quiet=True)
    assert seen == [
        (CommandContext(output, "/field", ExecutionMode.DRY_RUN_WRITE), "wheat", 2),
        (CommandContext(OutputPrinter(), None, ExecutionMode.COMMIT), "rye", 3),
    ]


def test_the_shared_options_of_a_command_follow_from_what_it_may_do() -> None:
    assert params(read_command(look)) == ["seed", *READING]
    assert params(dry_run_command(look)) == ["seed", *CHANGING[:-1]]
    assert params(change_command(look)) == ["seed", *CHANGING]


def test_a_group_of_one_command_is_still_a_group() -> None:
    app = make_group("The field: sow.")
    app.command()(read_command(look))
    command = get_command(app)
    assert isinstance(command, TyperGroup)
    assert command.help == "The field: sow."


@pytest.mark.parametrize("name", ALL)
def test_every_command_has_the_shared_options_last_in_one_order(name: str) -> None:
    shared = [each.name for each in ALL[name].params if each.name in CHANGING]
    serving = ["root", "quiet"]  # what runs until it is ended prints no document
    if name == "cortexfs help":  # it opens no tree
        assert shared == []
        return
    servers = {"mcp", "serve", "ui", "tui", "story serve"}
    is_server = name.removeprefix("cortexfs ") in servers
    assert (shared == serving) if is_server else shared in (READING, CHANGING[:-1], CHANGING)
    assert [each.name for each in ALL[name].params][-len(shared) :] == shared
