"""Edit a text in the user's editor."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import tempfile
from typing import NamedTuple

from cortexfs.errors import Refused
from cortexfs.interfaces.cli.console import is_interactive

BODY_FILE_HINT = "--body-file FILE, or `--body-file -` for stdin"


def edit_text(text: str, *, name: str = "text.md", alternative: str = BODY_FILE_HINT) -> str:
    """Open a text in $VISUAL or $EDITOR; return it when the editor is closed.

    Raises `Refused` without a terminal, naming the `alternative` to use, and if the editor
    fails: the text is then saved in a file that the hint names.
    """
    if not is_interactive():
        raise Refused("an editor needs a terminal", hint=f"use {alternative}")
    before = text.encode(errors="surrogateescape")
    with tempfile.TemporaryDirectory(prefix="cortexfs-") as folder:
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(before)
        failure = _run_editor(path, alternative)
        after = _read_edited(path, before)
    if failure:
        kept = "" if after == before else f"; your text is saved in {save_text(after)}"
        raise Refused(failure.message, hint=f"{failure.hint}{kept}")
    try:
        return after.decode()
    except UnicodeDecodeError:
        hint = f"your text is saved in {save_text(after)}"
        raise Refused("the edited text is not UTF-8", hint=hint) from None


def save_text(content: bytes) -> str:
    """Save a text in a file that only its owner may read; return its path."""
    number, path = tempfile.mkstemp(prefix="cortexfs-", suffix=".md")
    with os.fdopen(number, "wb") as file:
        file.write(content)
    return path


class _EditorFailure(NamedTuple):
    """The reason why an editor returned no text, and the hint."""

    message: str
    hint: str = "nothing was changed"


def _run_editor(path: str, alternative: str) -> _EditorFailure | None:
    """Run the editor on a file; return the failure, if any."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    other = f"set EDITOR to another editor, or use {alternative}"
    try:
        command = shlex.split(editor) or ["vi"]
        code = _run_on_terminal([*command, path])
    except ValueError as error:
        return _EditorFailure(f"`{editor}` is not a command: {str(error).lower()}", other)
    except OSError as error:
        return _EditorFailure(f"`{editor}` does not start: {(error.strerror or '').lower()}", other)
    if code < 0:
        return _EditorFailure(f"`{editor}` was ended by signal {-code}")
    return _EditorFailure(f"`{editor}` exited with {code}") if code else None


def _run_on_terminal(command: list[str]) -> int:
    """Return the exit code of a program on the terminal; Ctrl-C goes to it, as in git."""
    before = signal.signal(signal.SIGINT, lambda *_: None)
    stdout = None if sys.stdout.isatty() else sys.stderr  # `edit REF --json | jq`
    try:
        return subprocess.run(command, check=False, stdout=stdout).returncode
    finally:
        signal.signal(signal.SIGINT, before)


def _read_edited(path: str, before: bytes) -> bytes:
    """Return the content after editing; a removed file counts as unwritten."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return before
