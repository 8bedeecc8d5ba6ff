"""Shared parts of the commands about governance files: reading a new text, printing the result."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.operations.shared.governance_file import GovernanceChangeResult

    WriteText = Callable[[str, str | None], GovernanceChangeResult]
    """A function that writes a text; the second argument is the text that the author edited."""


MAX_BODY_BYTES = 16 * 1024 * 1024
"""Maximum size of a text from a file or stdin, in bytes; no text of a tree may be larger."""


def replace_file_text(
    output: OutputPrinter,
    body_file: str | None,
    before: str,
    write: WriteText,
    name: str = "text.md",
) -> None:
    """Replace the text of a file by one from the user; if it is refused, save the text.

    It comes from a file, from stdin, or from the editor, which starts with `before`, the text that
    the user has seen, under the file name `name`. For a text from a file or stdin the present text
    is not checked.
    """
    if body_file is not None:
        text, seen = read_body_file(body_file), None
    else:
        from cortexfs.interfaces.cli.editor import edit_text

        text, seen = edit_text(before, name=name), before
    with keep_refused_text(text):
        done = write(text, seen)
    print_governance_change(output, done)


def read_body_file(path: str, too_large_hint: str = "shorten the text") -> str:
    """Return the text of a regular file, or of stdin for `-`; raises `Refused` for others."""
    if path == "-":
        return _read_body(sys.stdin.buffer, "stdin", too_large_hint)
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    number = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(number).st_mode):
        os.close(number)
        raise Refused(f"{path} is not a regular file", hint="`-` in its place reads stdin")
    with open(number, "rb") as file:
        return _read_body(file, path, too_large_hint)


def _read_body(file: BinaryIO, name: str, too_large_hint: str) -> str:
    content = file.read(MAX_BODY_BYTES + 1)
    if len(content) > MAX_BODY_BYTES:
        raise Refused(f"{name} is larger than {MAX_BODY_BYTES} bytes", hint=too_large_hint)
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise Refused(f"{name} is not UTF-8", hint="convert it to UTF-8 first") from None


@contextmanager
def keep_refused_text(text: str) -> Iterator[None]:
    """Save a text that was refused; the error's hint names the file."""
    try:
        yield
    except CortexError as error:
        where = f"your text is saved in {_save_refused_text(text)}"
        error.hint = f"{error.hint}; {where}" if error.hint else where
        raise
    except (OSError, KeyboardInterrupt):
        sys.stderr.write(f"your text is saved in {_save_refused_text(text)}\n")
        raise


def _save_refused_text(text: str) -> str:
    from cortexfs.interfaces.cli.editor import save_text

    return save_text(text.encode(errors="surrogateescape"))


def print_governance_change(output: OutputPrinter, done: GovernanceChangeResult) -> None:
    """Print the result of a change to a governance file."""
    from cortexfs.interfaces.json.projects import to_governance_change_json

    document = to_governance_change_json(done)
    if not output.print_result(done.plan, done.outcome, document, changed=done.changed):
        return
    output.print_own_changes([done.path] if done.own_changes else [])
    output.print_lines(done.plan.message if done.changed else "nothing to change")
