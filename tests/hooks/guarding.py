"""A tree with its guard, as the client runs it and as tests ask it."""

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
from cortexfs.operations.setup import list_package_folders

HOOK = Path(__file__).parents[2] / "hooks/guard.py"
RECORDED = Path(__file__).parent / "recorded"
BEFORE, AFTER = "PreToolUse", "PostToolUse"
PATIENCE = 60
"""Seconds until a process that says nothing is taken for dead."""


def event(when: str, path: str | Path, *, cwd: str = "/", **asked: Any) -> bytes:
    """Write an event as a client does."""
    asked = {"file_path": str(path), **asked}
    said = {"cwd": cwd, "hook_event_name": when, "tool_name": "Write", "tool_input": asked}
    return json.dumps(said, ensure_ascii=False).encode()


@dataclass(frozen=True, slots=True)
class Guard:
    """The guard of one tree."""

    root: Path

    def denied(self, path: str | Path, *, cwd: str = "/", **asked: Any) -> str:
        """Give why a write is denied; empty where it is not."""
        said = self.said(BEFORE, path, cwd=cwd, **asked)
        decided = said.get("hookSpecificOutput", {})
        assert decided.get("permissionDecision", "deny") == "deny", "to allow is not ours"
        return str(decided.get("permissionDecisionReason", ""))

    def told(self, path: str | Path, *, cwd: str = "/", **asked: Any) -> str:
        """Give what the person is told about a write that goes on."""
        said = self.said(BEFORE, path, cwd=cwd, **asked)
        assert said.keys() <= {"systemMessage"}
        return str(said.get("systemMessage", ""))

    def found(self, path: str | Path, **asked: Any) -> str:
        """Give what the agent is told about a file that was written."""
        told = self.said(AFTER, path, **asked).get("hookSpecificOutput", {})
        assert told.get("hookEventName", AFTER) == AFTER
        return str(told.get("additionalContext", ""))

    def said(self, when: str, path: str | Path, *, cwd: str = "/", **asked: Any) -> dict[str, Any]:
        """Ask without a process."""
        full = path if str(path).startswith(("/", "~")) or cwd != "/" else self.root / path
        return read(answer_event(str(self.root), event(when, full, cwd=cwd, **asked)))

    def run(self, said: bytes, **options: Any) -> dict[str, Any]:
        """Run the hook, which must end well and complain of nothing."""
        code, out, err = self.ran(said, **options)
        assert (code, err) == (0, "")
        return read(out)

    def ran(self, said: bytes, **options: Any) -> tuple[int, str, str]:
        words = options.pop("words", [*self.words, "--", *list_package_folders()])
        before = options.pop("before", [])
        command = [*before, sys.executable, "-I", "-S", str(HOOK), *words]
        done = subprocess.run(
            command, input=said, capture_output=True, check=False, timeout=PATIENCE, **options
        )
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    @property
    def words(self) -> list[str]:
        root = str(self.root)
        return [root, *format_path_needles(root, os.path.realpath(root))]


def read(out: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(out) if out else {}
    return said
