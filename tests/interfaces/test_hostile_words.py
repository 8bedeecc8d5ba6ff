"""Hostile options change only what was asked for, and a refusal changes nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak
from test_hostile_text import HARMFUL

if TYPE_CHECKING:
    from place import Place

SIGNS = (
    *("\x1b[31m", "\x1b]52;c;aGk=\x07", "\x9b31m", "\u202e", "\u2066", "\U000e0041", "\x85", "\r"),
    *("[red]", "[/]", "a | b", "`c", "\\", "-->", "&a *a !!python", "# x", "it's", '"', "漢字 🙂"),
)
TEXT = f"```\udcff one\n\n## Next steps\n\n---\nCortexfs-Change: 0 {' '.join(SIGNS)}"

CHANGES = (
    "mark driftwood/EXP-011 invalidated --reason {}",
    "decision accept DR-0003 --reason {}",
    "decision new -p lighthouse -s s -t t --alternative 1{} --alternative 2{} --decision {}",
    "idea new -s s -t t --idea {} --why-now {} --next-step {}",
    "idea promote IDEA-001 tides --goal {}",
    "project new sundial --goal {}",
    "project archive driftwood --reason {}",
    "status set -p greenhouse --phase {} --progress {} --blocker {} --next {}",
    "issue add {} --problem {} --when {} --investigation {} -p driftwood",
    "roadmap add -p driftwood --phase {} --milestone {} --item {}",
    "scan new --scope {} --body-file scans/2026-05-04.md",
    "user learn Spelling {}",
    "task add {} -p driftwood --why {} --done-when {} --plan {} --owner {}",
    "task block 51e0 --by {}",
    "task done 51e0 --note {}",
    "task split b07c {} {} --done-when {}",
    "task lock -p driftwood --note {} --owner {}",
)
"""Every free text option of the commands."""

NAMING = (
    *("mark {} stale", "mark driftwood/EXP-010 {}", "mark driftwood/EXP-010 superseded --by {}"),
    *("restore {}", "restore driftwood/EXP-009 --at {}", "idea promote IDEA-001 {}", "log {}"),
    *("issue resolve {} -p driftwood", "roadmap tick {} -p driftwood", "user learn k v --type {}"),
    *("task claim {}", "task claim -p {}", "task add x -p driftwood --depends-on {}"),
)


def _words(command: str, typed: str) -> list[str]:
    return [word.replace("{}", typed) for word in command.split()]


@pytest.mark.parametrize("command", leave_to_soak(CHANGES, every=4))
def test_hostile_text_in_any_option_stays_text(sample: Place, command: str) -> None:
    words = _words(command, TEXT)
    planned = sample.run(*words, "--dry-run")
    assert (planned.code, sample.git("status", "--porcelain")) == (0, "")
    assert HARMFUL.findall(planned.out + planned.err) == []
    done = sample.run(*words, "--json")
    assert done.code == 0, done
    assert json.loads(done.out)["format"] == 1
    assert sample.git("status", "--porcelain") == ""
    assert sample.git("rev-list", "--count", "HEAD") == "2\n"
    message = sample.git("log", "-1", "--format=%B").strip()
    assert len(message.splitlines()) == 3, "a subject, nothing, and our trailer"
    changed = sample.git("show", "--format=%B", "-U0", "HEAD")
    assert HARMFUL.findall(changed.replace("\r\n", "\n")) == []


@pytest.mark.parametrize(
    "name", leave_to_soak(["\udcff", f"../../etc/{'9' * 40}\x1b[2J\u202e[/]"], every=2)
)
def test_an_unknown_hostile_name_is_refused_and_nothing_is_changed(
    sample: Place, name: str
) -> None:
    for command in NAMING:
        ran = sample.run(*_words(command, name))
        assert ran.code in {1, 2, 3}, (command, ran)
        assert HARMFUL.findall(ran.out + ran.err) == [], command
    assert sample.git("status", "--porcelain") == ""
    assert sample.git("rev-list", "--count", "HEAD") == "1\n"
