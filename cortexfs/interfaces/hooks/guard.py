"""The guard for the client of an agent: takes a hook event, returns the answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.guards.write_request import BEFORE, parse_write_requests
from cortexfs.core.text.sanitize import strip_unprintable
from cortexfs.session.payload_path_resolver import make_path_resolver, open_tree_files

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.guards.judge_size_and_secrets import Verdict
    from cortexfs.core.guards.write_request import WriteRequest
    from cortexfs.session.annotation_types import Tree

MAX_FINDINGS = 20
"""Maximum number of findings listed for one file; `check` lists all."""
MAX_CHARACTERS = 9000
"""Maximum characters of an answer; clients pass on 10,000 of them."""


def answer_event(root: str, event: bytes) -> str:
    """Return the JSON answer for the client; empty if there is nothing to report."""
    requests = parse_write_requests(event)
    if not requests or (tree := open_tree_files(root)) is None:
        return ""
    relative_path = make_path_resolver(tree, Kinds()).to_tree_path
    answers = (
        _answer_request(tree, path, request)
        for request in requests
        # no file of a tree has a backslash in its name
        if (path := relative_path(request.path.replace("\\", "/"), request.cwd))
    )
    return next(filter(None, answers), "")


def _answer_request(tree: Tree, path: str, request: WriteRequest) -> str:
    if not request.is_before:
        from cortexfs.operations.guards.check_written_file import (
            check_written_file,
            near_cap_notice,
        )

        return _format_report(
            request.event_name, path, check_written_file(tree, path), near_cap_notice(tree, path)
        )
    from datetime import UTC, datetime

    from cortexfs.interfaces.owner_name import find_owner_name
    from cortexfs.operations.guards.judge_write import judge_write

    return _format_verdict(
        request.event_name, judge_write(tree, path, request, find_owner_name, datetime.now(UTC))
    )


def _format_verdict(event: str, verdict: Verdict) -> str:
    """Return a denial, or a notice for the user; empty if the write is allowed.

    An explicit `allow` would make the client skip its own question to the user.
    """
    if not verdict.denial:
        return json.dumps({"systemMessage": _limit_text(verdict.notice)}) if verdict.notice else ""
    if event != BEFORE:  # Gemini CLI's, and what our plugin of OpenCode throws
        return json.dumps({"decision": "deny", "reason": _limit_text(verdict.denial)})
    decision = {
        "permissionDecision": "deny",
        "permissionDecisionReason": _limit_text(verdict.denial),
    }
    return json.dumps({"hookSpecificOutput": {"hookEventName": BEFORE, **decision}})


def _format_report(event: str, path: str, findings: Sequence[Finding], notice: str) -> str:
    """Return findings, and how full the file is, as an answer for the agent."""
    parts = [_format_findings(path, findings)] if findings else []
    parts += [f"cortexfs: {notice}"] if notice else []
    if not parts:
        return ""
    context = {"hookEventName": event, "additionalContext": _limit_text("\n".join(parts))}
    return json.dumps({"hookSpecificOutput": context})


def _format_findings(path: str, findings: Sequence[Finding]) -> str:
    from cortexfs.core.checks.finding_codes import get_hint, get_severity
    from cortexfs.core.text.sanitize import to_one_line

    lines = [
        f"- line {f.line}: {get_severity(f.code)}: {to_one_line(f.message)} [{f.code}];"
        f" {get_hint(f.code)}"
        for f in findings[:MAX_FINDINGS]
    ]
    more = len(findings) - len(lines)
    if more:
        lines.append(f"- and {more} more: run `cortexfs check`")
    return "\n".join([f"cortexfs has checked {to_one_line(path)}:", *lines])


def _limit_text(text: str) -> str:
    return strip_unprintable(text)[:MAX_CHARACTERS]
