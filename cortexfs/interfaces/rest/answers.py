"""What a route answers with: a document, the result of a change, or the plan of a dry run."""

from __future__ import annotations

from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan_diff import format_plan_diffs
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.interfaces.json.plans import FORMAT_VERSION, last_commit_id, to_plan_json

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome, Plan

MAX_MESSAGE_CHARS = 300
"""Maximum length of the message of a planned commit."""


class Answer(NamedTuple):
    """A document with its headers, or a whole response where it is a stream.

    `plan` is the answer to a dry run, where that is not what the session has planned.
    """

    document: object
    headers: Mapping[str, str] = {}
    plan: Plan | None = None


def make_document(**content: object) -> Answer:
    """Return a document of the API, without the keys whose value is None."""
    kept = {key: value for key, value in content.items() if value is not None}
    return Answer({"format": FORMAT_VERSION, **kept})


def make_result(
    outcome: Outcome | None, document: Mapping[str, object], *, changed: bool = True
) -> Answer:
    """Return what was done, with the commit that has it, or why there is none.

    A dry run has its plan instead.
    """
    commit = last_commit_id(outcome) if changed else None
    reason = outcome.why_uncommitted if outcome and changed and not commit else ""
    return make_document(**document, commit=commit, uncommitted=reason or None)


def make_planned(plans: Sequence[Plan]) -> Answer:
    """Return the answer to a dry run: the messages of the plans, and a diff for each file."""
    messages = "; ".join(dict.fromkeys(plan.message for plan in plans))
    diffs = chain.from_iterable(map(format_plan_diffs, plans))
    return make_document(plan=to_plan_json(truncate_line(messages, MAX_MESSAGE_CHARS), diffs))


def make_etag(text: str) -> str:
    """Return the ETag of an atom with this text."""
    return f'"{sha256(text.encode(errors="surrogateescape")).hexdigest()[:32]}"'
