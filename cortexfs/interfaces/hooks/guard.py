"""The guards as a client of agents knows them: an event of its hooks in, what it is told out."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.guards.write_request import AFTER, BEFORE, read_asked
from cortexfs.core.text.sanitize import printable
from cortexfs.tree.hook_paths import around
from cortexfs.tree.locate import is_tree
from cortexfs.tree.tree import Tree

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.guards.verdict import Verdict
    from cortexfs.core.guards.write_request import Asked

SHOWN = 20
"""Findings that are told of one file; `check` tells all."""
LONGEST = 9000
"""Characters of an answer: clients hand over ten thousand, and hide the rest in a file."""


def answer(root: str, event: bytes) -> str:
    """Give the JSON that the client reads; empty where there is nothing to say."""
    asked = read_asked(event)
    if not asked or not is_tree(root):
        return ""
    tree = Tree(root)
    spelt = asked.path.replace("\\", "/")  # no file of a tree has a backslash in its name
    path = around(tree, Kinds()).below(spelt, asked.cwd)
    return _answer(tree, path, asked) if path else ""


def _answer(tree: Tree, path: str, asked: Asked) -> str:
    if asked.when == BEFORE:
        from cortexfs.operations.guards.before import before

        return _judged(before(tree, path, asked, _caller, datetime.now(UTC)))
    from cortexfs.operations.guards.after import after

    return _checked(path, after(tree, path))


def _judged(verdict: Verdict) -> str:
    """Deny, or tell the person at the screen; that a write is well must not be said.

    To the client `allow` would mean that its user need not be asked any more.
    """
    if verdict.denied:
        said = {"permissionDecision": "deny", "permissionDecisionReason": _said(verdict.denied)}
        return json.dumps({"hookSpecificOutput": {"hookEventName": BEFORE, **said}})
    return json.dumps({"systemMessage": _said(verdict.told)}) if verdict.told else ""


def _checked(path: str, findings: Sequence[Finding]) -> str:
    """Hand findings back to the agent."""
    if not findings:
        return ""
    from cortexfs.core.checks.finding_codes import hint, severity
    from cortexfs.core.text.sanitize import one_line

    lines = [
        f"- line {f.line}: {severity(f.code)}: {one_line(f.message)} [{f.code}]; {hint(f.code)}"
        for f in findings[:SHOWN]
    ]
    more = len(findings) - len(lines)
    if more:
        lines.append(f"- and {more} more: `cortexfs check` tells them")
    text = _said("\n".join([f"cortexfs has checked {one_line(path)}:", *lines]))
    return json.dumps({"hookSpecificOutput": {"hookEventName": AFTER, "additionalContext": text}})


def _said(text: str) -> str:
    return printable(text)[:LONGEST]


def _caller() -> str:
    """Name who runs the client, as `cortexfs task` does."""
    from getpass import getuser

    from cortexfs.core.tasks.file_lock import owner_of

    try:
        login = getuser()
    except (OSError, KeyError):
        login = f"uid {os.getuid()}"
    return owner_of(None, os.environ, login)
