"""The generated part of a CORTEX.md: what lies in its folder. What stands around it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.core.clean import cell
from cortexfs.core.places import LISTING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

BEGIN = "<!-- cortexfs:files -->"
END = "<!-- /cortexfs:files -->"

PURPOSES = {
    "CORTEX.md": "",
    "OVERVIEW.md": "one line a project",
    "mission.md": "goal, success conditions, scope",
    "roadmap.md": "phases and milestones, each with a checklist",
    "STATUS.md": "where it stands now; overwritten",
    "ISSUES.md": "what hinders the work; resolved ones are deleted",
    "TASKS.yaml": "the task queue",
    "tasks-archive.md": "tasks that are done",
    "USER.md": "language, style, working habits",
    "cortexfs.yaml": "settings of this tree",
    "projects": "one folder a project",
    "decisions": "why things are done as they are",
    "ideas": "directions that are not projects yet",
    "scans": "reports of looking around",
    "user": "how the user likes to work",
    "experiments": "what was tried, and what came of it",
    "knowledge": "what is known",
    "patterns": "what held true across experiments",
    "observations": "what agents noted on the way",
}
"""What the names of the format stand for."""


def listing(names: Iterable[str], summaries: Mapping[str, str], folders: Mapping[str, str]) -> str:
    """Write the table of a folder's contents.

    `summaries` are what is to be said of files that are atoms, `folders` the names that
    are folders, each with the page of it that a reader should open first; hidden names and
    those that begin with `_` are left out.
    """
    rows = []
    for name in sorted(names):
        if name.startswith((".", "_")) or name == LISTING:
            continue
        shown, target = (f"{name}/", folders[name]) if name in folders else (name, name)
        said = summaries.get(name, PURPOSES.get(name, ""))
        rows.append(f"| [{cell(shown)}]({quote(target)}) | {cell(said, 120)} |\n")
    return "| What | For |\n|---|---|\n" + "".join(rows) if rows else "_Nothing yet._\n"


def fill(text: str, part: str) -> str:
    """Put the generated part between its markers; a text without them stays as it is."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end):
        return text
    newline = "\r\n" if rest.startswith("\r\n") else "\n"
    return f"{head}{begin}{newline}{part.replace(chr(10), newline)}{end}{tail}"
