"""Format the commands of our hooks, and recognise them in other programs' settings."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Sequence

NOTE, GUARD = "hooks/note_event.py", "hooks/guard.py"
INJECT = "hooks/inject_context.py"
"""The last parts of our hooks' paths, in any installation of cortexfs."""


def format_hook_command(python: str, script: str, words: Sequence[str], rest: Sequence[str]) -> str:
    """Return a hook's shell command: always the same bytes, as equal commands run only once.

    `words` are the arguments of the script, with the path of the tree or the spool. `rest` is the
    command that it starts, or the folders of the packages that it imports.
    """
    place = next((word for word in words if not word.startswith("--")), "")
    for path in (python, script, place):
        if not path.startswith("/"):
            raise Refused(f"the hook needs absolute paths, and `{path}` is not absolute")
    command = shlex.join([python, "-I", "-S", script, *words, "--", *rest])
    if any("\ud800" <= character <= "\udfff" for character in command):
        raise Refused(f"settings are UTF-8, and a path of the hook is not: {command!a}")
    return f"{command} || exit 0"


def format_path_needles(root: str, real: str) -> list[str]:
    """Return the path strings that mark a payload as about the tree, plain and JSON-escaped."""
    plain = [path.rstrip("/") or "/" for path in (root, real)]
    plain += ["/".join(plain[0].strip("/").split("/")[-2:]) or "/"]
    return list(dict.fromkeys(plain + [json.dumps(w, ensure_ascii=False)[1:-1] for w in plain]))


def is_own_hook(hook: object) -> bool:
    """Return whether a hook is ours: it runs our script, and its command contains `cortex`."""
    command = hook.get("command") if isinstance(hook, dict) else None
    if not isinstance(command, str) or "cortex" not in command.lower():
        return False
    return any(script in command for script in (NOTE, GUARD, INJECT))


def is_own_server(server: object) -> bool:
    """Return whether an MCP server in a client's settings is ours: it runs `cortexfs … mcp`."""
    if not isinstance(server, dict):
        return False
    words: list[object] = []
    for part in (server.get("command"), server.get("args")):
        words += part if isinstance(part, list) else [part]
    strings = [word for word in words if isinstance(word, str)]
    return "mcp" in strings and any("cortexfs" in word for word in strings)
