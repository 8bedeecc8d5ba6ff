"""`setup claude-code`: what it asks and writes, and how it keeps edits of the user."""

from __future__ import annotations

import json
import os
import pty
from typing import TYPE_CHECKING, Any

import pytest
from command_server import start_forked, wait_for
from terminal import read_terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from place import Place

COMMANDS = "Bash(cortexfs:*)"
TOOLS = "mcp__cortexfs"


def read_settings(world: Path) -> Any:
    return json.loads((world / ".claude/settings.json").read_text())


def list_allowed(world: Path) -> list[str]:
    return list(read_settings(world)["permissions"]["allow"])


def format_rules(place: Place) -> tuple[str, str]:
    return f"Read(/{place.root}/**)", f"Edit(/{place.root}/**)"


def talk(
    place: Place, *words: str, answers: list[tuple[str, str | Callable[[], str]]]
) -> tuple[int, str]:
    """Run a command on a terminal; answer each question when it is asked."""
    ours, its = pty.openpty()
    argv = ("--root", str(place.root), *words)
    running = start_forked(argv, str(place.root), dict(os.environ), [its] * 3)
    os.close(its)
    text = b""
    while chunk := read_terminal(ours):
        text += chunk
        while answers and answers[0][0].encode() in text:
            question, answer = answers.pop(0)
            os.write(ours, (answer if isinstance(answer, str) else answer()).encode())
            text = text.partition(question.encode())[2]
    os.close(ours)
    assert not answers, (answers, text)
    return wait_for(running), text.decode()


def test_without_options_agents_may_read_only(tree: Place, world: Path) -> None:
    tree.ok("setup", "claude-code", "--yes")
    assert list_allowed(world) == [format_rules(tree)[0]]
    assert read_settings(world)["hooks"].keys() == {
        "SessionStart",
        "UserPromptSubmit",
        "PreCompact",
        "SubagentStop",
        "PreToolUse",
        "PostToolUse",
        "Stop",
        "SessionEnd",
    }


def test_options_let_agents_write_and_run_commands_and_removal_takes_exactly_these(
    tree: Place, world: Path
) -> None:
    before = '{\n\t"permissions": {"allow": ["WebFetch"]},\r\n "x":1}'
    settings = world / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_bytes(before.encode())
    tree.ok("setup", "claude-code", "--yes", "--allow-write", "--allow-commands")
    assert list_allowed(world) == ["WebFetch", *format_rules(tree), COMMANDS, TOOLS]
    tree.ok("setup", "claude-code", "--yes")
    assert list_allowed(world) == ["WebFetch", *format_rules(tree), COMMANDS, TOOLS], (
        "what was allowed stays"
    )
    tree.ok("setup", "claude-code", "--remove", "--yes")
    assert settings.read_bytes() == before.encode()


def test_a_rule_removed_by_the_user_is_not_added_again(tree: Place, world: Path) -> None:
    tree.ok("setup", "claude-code", "--yes", "--allow-write", "--allow-commands")
    settings = world / ".claude/settings.json"
    settings.write_text(settings.read_text().replace(f'"{format_rules(tree)[1]}",', ""))
    tree.ok("setup", "claude-code", "--yes")
    assert list_allowed(world) == [format_rules(tree)[0], COMMANDS, TOOLS]


def test_each_permission_is_asked_once_on_a_terminal(tree: Place, world: Path) -> None:
    questions = [("write to this tree", "y\n"), ("run cortexfs commands", "\n"), ("Write", "y\n")]
    code, _ = talk(tree, "setup", "claude-code", answers=[*questions])
    assert (code, list_allowed(world)) == (0, [*format_rules(tree)])
    code, output = talk(tree, "setup", "claude-code", answers=[("run cortexfs commands", "n\n")])
    assert code == 0
    assert "nothing to change" in output


def test_an_edit_between_question_and_answer_is_shown_and_kept(tree: Place, world: Path) -> None:
    settings = world / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text("{}\n")

    def edit() -> str:
        settings.write_text('{"model": "mine"}\n')
        return "y\n"

    code, _ = talk(
        tree,
        "setup",
        "claude-code",
        "--allow-write",
        "--allow-commands",
        answers=[("Write this?", edit), ('"model": "mine"', ""), ("Write this?", "y\n")],
    )
    assert (code, read_settings(world)["model"], len(list_allowed(world))) == (0, "mine", 4)
    tree.ok("setup", "claude-code", "--remove", "--yes")
    assert settings.read_text() == '{"model": "mine"}\n'


def test_answering_no_to_the_second_diff_changes_nothing(tree: Place, world: Path) -> None:
    settings = world / ".claude/settings.json"
    settings.parent.mkdir()

    def edit() -> str:
        settings.write_text('{"model": "mine"}\n')
        return "y\n"

    words = ("setup", "claude-code", "--allow-write", "--allow-commands")
    code, output = talk(tree, *words, answers=[("Write this?", edit), ("Write this?", "n\n")])
    assert (code, settings.read_text()) == (0, '{"model": "mine"}\n')
    assert "not written" in output
    assert not list((world / ".cortex").glob("hooks/*"))


@pytest.mark.parametrize("dry", [True, False])
def test_settings_with_a_second_hard_link_are_refused_before_anything_is_written(
    tree: Place, world: Path, *, dry: bool
) -> None:
    settings = world / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    (world / "dotfile").hardlink_to(settings)
    ran = tree.run("setup", "claude-code", "--yes", *["--dry-run"] * dry)
    assert (ran.code, "2 hard links" in ran.err) == (3, True)
    assert settings.read_text() == "{}"
    assert not (world / ".cortex/hooks").exists()


@pytest.mark.parametrize(
    "words",
    [("claude-code",), ("claude-code", "--json"), ("schedule", "--using", "systemd")],
)
def test_where_nobody_can_answer_nothing_is_written_without_yes(
    tree: Place, world: Path, words: tuple[str, ...]
) -> None:
    ran = tree.run("setup", *words)
    assert ran.code == 3
    assert "--yes" in ran.out + ran.err
    assert not (world / ".claude").exists()
    assert not (world / ".cortex").exists()
    assert not (world / ".config").exists()


def test_nothing_to_change_needs_no_answer(tree: Place) -> None:
    tree.ok("setup", "claude-code", "--yes")
    ran = tree.run("setup", "claude-code")
    assert (ran.code, "nothing to change" in ran.err) == (0, True)


def test_an_earlier_setup_is_reported_and_replaced_and_removed_without_a_trace(
    tree: Place, world: Path
) -> None:
    before = '{"x": 1}\n'
    settings = world / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text(before)
    tree.ok("setup", "claude-code", "--yes")
    document = read_settings(world)
    for event in ("SessionStart", "UserPromptSubmit", "PreCompact", "SubagentStop"):
        del document["hooks"][event]
    settings.write_text(json.dumps(document))
    assert "of an earlier version" in tree.run("doctor").out
    tree.ok("setup", "claude-code", "--yes")
    assert "SessionStart" in read_settings(world)["hooks"]
    assert "of an earlier version" not in tree.run("doctor").out
    compiled = world / ".cortex/hooks/__pycache__"
    compiled.mkdir()
    for name in ("hook_files.cpython-311.pyc", "prompt_matches.cpython-313.pyc"):
        (compiled / name).touch()
    tree.ok("setup", "claude-code", "--remove", "--yes")
    assert json.loads(settings.read_text()) == {"x": 1}
    assert list((world / ".cortex/hooks").iterdir()) == []
