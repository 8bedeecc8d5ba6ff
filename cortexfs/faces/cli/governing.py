"""What the commands about governance files share: where a text comes from, how an end is told."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.errors import CortexError, Refused
from cortexfs.faces.cli import voice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.faces.cli.voice import Voice
    from cortexfs.verbs.governed import Governed

BodyFile = Annotated[
    str | None, typer.Option("--body-file", metavar="FILE", help="The text; `-` is stdin.")
]
Words = list[str] | None


def written(body_file: str | None, before: str) -> tuple[str, str | None]:
    """Give the text that a person wants, and the one that he has seen (None: he did not look).

    It comes from a file, from stdin, or from his editor, where it begins as `before`.
    """
    if body_file is not None:
        return read(body_file), None
    from cortexfs.faces.cli.editor import edited

    return edited(before), before


def read(path: str) -> str:
    """Read a text from a file, or from stdin where it is called `-`."""
    try:
        if path == "-":
            return sys.stdin.buffer.read().decode()
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
    except UnicodeDecodeError:
        raise Refused(f"what stands in {path} is not UTF-8") from None


@contextmanager
def kept(text: str) -> Iterator[None]:
    """Keep what somebody has written where it is refused: the hint says where."""
    try:
        yield
    except CortexError as error:
        number, path = tempfile.mkstemp(prefix="cortexfs-", suffix=".md")
        with os.fdopen(number, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        where = f"what you wrote is kept in {path}"
        error.hint = f"{error.hint}; {where}" if error.hint else where
        raise


def tell(say: Voice, done: Governed) -> None:
    """Say what became of a governance file."""
    if done.outcome is None:
        say.plan(done.plan)
        return
    say.outcome(done.outcome)
    say.document(
        path=done.path,
        changed=done.changed,
        message=done.plan.summary,
        commit=voice.last_commit(done.outcome) if done.changed else None,
    )
    if done.own_changes:
        say.talk(f"{done.path}: what you had changed in it is committed too")
    say.lines(done.plan.summary if done.changed else "nothing to change")
