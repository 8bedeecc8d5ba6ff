"""Let a person write a text in the editor of their choice."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile

from cortexfs.errors import Refused


def edited(text: str) -> str:
    """Open a text in $VISUAL or $EDITOR; give what it reads when the editor is closed."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="cortexfs-") as folder:
        path = os.path.join(folder, "atom.md")
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        try:
            done = subprocess.run([*shlex.split(editor), path], check=False)
        except OSError as error:
            raise Refused(f"`{editor}` does not start: {error.strerror}") from None
        if done.returncode:
            raise Refused(f"`{editor}` ended with {done.returncode}", hint="nothing was made")
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()
