"""A tree with its guard, run as a process or called in this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cortexfs.clients.hook_command import format_path_needles
from cortexfs.interfaces.hooks.guard import answer_event
from cortexfs.operations.own_commands import list_package_folders

HOOK = Path(__file__).parents[2] / "hooks/guard.py"
RECORDED = Path(__file__).parent / "recorded"
BEFORE, AFTER = "PreToolUse", "PostToolUse"
PATIENCE = 60
"""Seconds after which a silent process is ended."""


def event(when: str, path: str | Path, *, cwd: str = "/", **request: Any) -> bytes:
    """Return the JSON of an event as a client sends it."""
    request = {"file_path": str(path), **request}
    document = {"cwd": cwd, "hook_event_name": when, "tool_name": "Write", "tool_input": request}
    return json.dumps(document, ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class Guard:
    """The guard of one tree."""

    root: Path

    def read_denial(self, path: str | Path, *, cwd: str = "/", **request: Any) -> str:
        """Return why a write is denied; empty if it is not."""
        document = self.answer(BEFORE, path, cwd=cwd, **request)
        decision = document.get("hookSpecificOutput", {})
        assert decision.get("permissionDecision", "deny") == "deny", "to allow is not ours"
        return str(decision.get("permissionDecisionReason", ""))

    def read_user_message(self, path: str | Path, *, cwd: str = "/", **request: Any) -> str:
        """Return the message to the user about a write that is let through."""
        document = self.answer(BEFORE, path, cwd=cwd, **request)
        assert document.keys() <= {"systemMessage"}
        return str(document.get("systemMessage", ""))

    def read_agent_message(self, path: str | Path, **request: Any) -> str:
        """Return the message to the agent about a written file."""
        document = self.answer(AFTER, path, **request).get("hookSpecificOutput", {})
        assert document.get("hookEventName", AFTER) == AFTER
        return str(document.get("additionalContext", ""))

    def answer(
        self, when: str, path: str | Path, *, cwd: str = "/", **request: Any
    ) -> dict[str, Any]:
        """Return the answer to an event, computed in this process."""
        full = path if str(path).startswith(("/", "~")) or cwd != "/" else self.root / path
        return read(answer_event(str(self.root), event(when, full, cwd=cwd, **request)))

    def run(self, message: bytes, **options: Any) -> dict[str, Any]:
        """Run the hook, which must exit with 0 and an empty stderr; return its answer."""
        code, out, err = self.run_raw(message, **options)
        assert (code, err) == (0, "")
        return read(out)

    def run_raw(self, message: bytes, **options: Any) -> tuple[int, str, str]:
        words = options.pop("words", [*self.words, "--", *list_package_folders()])
        before = options.pop("before", [])
        command = [*before, sys.executable, "-I", "-S", str(HOOK), *words]
        done = subprocess.run(
            command, input=message, capture_output=True, check=False, timeout=PATIENCE, **options
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    @property
    def words(self) -> list[str]:
        root = str(self.root)
        return [root, *format_path_needles(root, os.path.realpath(root))]


def read(out: str) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(out) if out else {}
    return document
