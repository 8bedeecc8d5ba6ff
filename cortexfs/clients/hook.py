"""How other programs are asked to run our hook, and how we know it again."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

SCRIPT = "hooks/note_event.py"
"""How the path of our hook ends, whichever cortexfs has put it there."""


def hook_command(
    python: str, script: str, spool: str, needles: Sequence[str], wake: Sequence[str]
) -> str:
    """Give the hook's shell command: always the same bytes, as equal commands run only once."""
    for path in (python, script, spool):
        if not path.startswith("/"):
            raise Refused(f"the hook needs absolute paths, and `{path}` is none")
    command = shlex.join([python, "-I", "-S", script, spool, *needles, "--", *wake])
    if any("\ud800" <= sign <= "\udfff" for sign in command):
        raise Refused(f"settings are UTF-8, and a path of the hook is not: {command!a}")
    return f"{command} || exit 0"


def needles(root: str, real: str) -> list[str]:
    """Give the words of which a payload about the tree holds one, plain and as JSON has them."""
    plain = [path.rstrip("/") or "/" for path in (root, real)]
    plain += ["/".join(plain[0].strip("/").split("/")[-2:]) or "/"]
    return list(dict.fromkeys(plain + [json.dumps(w, ensure_ascii=False)[1:-1] for w in plain]))


def is_ours(hook: object) -> bool:
    """Know our hook by its script, in a command that names cortex somewhere."""
    command = hook.get("command") if isinstance(hook, dict) else None
    return isinstance(command, str) and SCRIPT in command and "cortex" in command.lower()
