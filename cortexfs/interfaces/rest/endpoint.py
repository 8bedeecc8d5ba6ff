"""One route as a row: method, path, the function that answers, and the document it answers with."""

from __future__ import annotations

from enum import StrEnum
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan import ExecutionMode
from cortexfs.core.changes.plan_diff import format_plan_diffs
from cortexfs.core.text.sanitize import truncate_line
from cortexfs.interfaces.json.plans import FORMAT_VERSION, last_commit_id, to_plan_json

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cortexfs.core.changes.plan import Outcome, Plan
    from cortexfs.session.session import Session

NOWHERE = "/"
"""The working directory of a request: it belongs to no project."""
MAX_MESSAGE_CHARS = 300
"""Maximum length of the message of a planned commit."""


class Call(NamedTuple):
    """What a route works on: the tree, and how far a change goes."""

    session: Session
    mode: ExecutionMode = ExecutionMode.COMMIT

    @property
    def memory_mode(self) -> ExecutionMode:
        """How far a change of memories goes: they are saved often, and share commits."""
        return self.mode if self.mode.is_dry_run else ExecutionMode.DEFER


class Answer(NamedTuple):
    """A document with its headers, or a whole response where it is a stream.

    `plan` is the answer to a dry run, where that is not what the session has planned.
    """

    document: object
    headers: Mapping[str, str] = {}
    plan: Plan | None = None


class Effect(StrEnum):
    """What a request does to the tree."""

    READ = "read"
    CHANGE = "change"
    """Can be tried with `dry-run`."""
    CHANGE_ATOM = "change-atom"
    """Also takes `If-Match` with the ETag of the atom that its path names."""
    READ_ALL = "read-all"
    """Reads all atoms: requests of the same second share the answer."""
    DELETE_THREAD = "delete-thread"
    """Deletes a private file, outside git: there is no plan."""
    STREAM = "stream"
    """Answers with server-sent events."""


class Endpoint(NamedTuple):
    """A route. The first parameter of `run` is a `Call`; the others are those of the request."""

    method: str
    path: str
    run: Callable[..., Answer]
    answer: object
    """The type of the document."""
    effect: Effect = Effect.READ
    status: int = 200

    @property
    def is_original(self) -> bool:
        """Whether it is a route of the original, with its errors."""
        return not self.path.startswith("/api/v1/")


def make_document(**content: object) -> Answer:
    """Return a document of the API, without the keys whose value is None."""
    kept = {key: value for key, value in content.items() if value is not None}
    return Answer({"format": FORMAT_VERSION, **kept})


def make_result(
    outcome: Outcome | None, document: Mapping[str, object], *, changed: bool = True
) -> Answer:
    """Return what was done, with the commit that has it; a dry run has its plan instead."""
    return make_document(**document, commit=last_commit_id(outcome) if changed else None)


def make_planned(plans: Sequence[Plan]) -> Answer:
    """Return the answer to a dry run: the messages of the plans, and a diff for each file."""
    messages = "; ".join(dict.fromkeys(plan.message for plan in plans))
    diffs = chain.from_iterable(map(format_plan_diffs, plans))
    return make_document(plan=to_plan_json(truncate_line(messages, MAX_MESSAGE_CHARS), diffs))


def make_etag(text: str) -> str:
    """Return the ETag of an atom with this text."""
    return f'"{sha256(text.encode(errors="surrogateescape")).hexdigest()[:32]}"'
