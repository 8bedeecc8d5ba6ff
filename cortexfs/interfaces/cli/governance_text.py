"""What the commands about governance files share: where a text comes from, how an end is told."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from cortexfs.interfaces.cli.console import Voice
    from cortexfs.operations.shared.governance_file import Governed

    Put = Callable[[str, str | None], Governed]
    """Put a text where it belongs; the other is the one that its author has seen."""


def rewrite(
    say: Voice, body_file: str | None, before: str, put: Put, name: str = "text.md"
) -> None:
    """Put a text that a person gives in a file's place; where that is refused, keep the text.

    It comes from a file, from stdin, or from his editor, where it begins as `before`: the text
    that he has seen. Whoever gives a file did not look. The editor shows it as `name`.
    """
    if body_file is not None:
        text, seen = read(body_file), None
    else:
        from cortexfs.interfaces.cli.editor import edited

        text, seen = edited(before, name=name), before
    with kept(text):
        done = put(text, seen)
    tell(say, done)


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
    """Keep what somebody has written where it cannot be used: the hint says where."""
    try:
        yield
    except CortexError as error:
        where = f"what you wrote is kept in {_keep(text)}"
        error.hint = f"{error.hint}; {where}" if error.hint else where
        raise
    except (OSError, KeyboardInterrupt):
        sys.stderr.write(f"what you wrote is kept in {_keep(text)}\n")
        raise


def _keep(text: str) -> str:
    from cortexfs.interfaces.cli.editor import keep

    return keep(text.encode(errors="surrogateescape"))


def tell(say: Voice, done: Governed) -> None:
    """Say what became of a governance file."""
    said = {"path": done.path, "changed": done.changed, "message": done.plan.summary}
    if not say.done(done.plan, done.outcome, said, changed=done.changed):
        return
    if done.own_changes:
        say.talk(f"{done.path}: what you had changed in it is committed too")
    say.lines(done.plan.summary if done.changed else "nothing to change")
