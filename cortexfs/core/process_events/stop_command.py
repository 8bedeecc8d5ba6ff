"""The user's command that stops a process: a program with arguments, without a shell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.process_events.agent_process import AgentProcess

MAX_WORDS = 32
_PLACEHOLDER = re.compile(r"\{(?:session|agent)\}")
_SAFE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,127}", re.ASCII)
"""An id that no program takes for an option, a path or code."""


def format_stop_command(template: Sequence[str], process: AgentProcess) -> list[str] | str:
    """Return the words of a command for a process, or the reason why it cannot be run.

    `{session}` and `{agent}` stand for the ids of the process, in any word but the program.
    """
    program = template[0] if template else ""
    if not program.startswith("/") or "{" in program or len(template) > MAX_WORDS:
        return "`stop-command` must be a list: the absolute path of a program, and its arguments"
    ids = {"{session}": process.session, "{agent}": process.agent}
    used = {name for word in template[1:] for name in ids if name in word}
    for name in sorted(used):
        if not _SAFE_ID.fullmatch(ids[name]):
            return f"the id for `{name}` has characters that no command is given"
    return [_PLACEHOLDER.sub(lambda found: ids[found[0]], word) for word in template]
