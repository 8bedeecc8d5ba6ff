"""The generated part of a CORTEX.md: what lies in its folder. What stands around it stays."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from cortexfs.core.atoms.tree_paths import CORTEX_MD
from cortexfs.core.text.sanitize import format_cell

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONTENTS_BEGIN = "<!-- cortexfs:files -->"
CONTENTS_END = "<!-- /cortexfs:files -->"

PURPOSES = {
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


PURPOSE_WIDTHS = (120, 60, 20, 1)
"""Characters that are said of a name: as many as fit into the room."""
MAX_CONTENTS_BYTES = 6144
"""Bytes that a list may take of the 8 KiB of its file."""
MAX_CONTENTS_ROWS = 90
"""Names that a list holds; of more the last ones, which are the newest where they are numbered."""


def is_cortex_md_folder(folder: str) -> bool:
    """Tell whether a folder (`projects/flywheel`, `ideas`) ought to have a CORTEX.md."""
    top, _, below = folder.partition("/")
    if top != "projects":
        return not below and top in {"", "decisions", "ideas", "scans", "user"}
    return below.count("/") == 0 or (below.count("/") == 1 and below.endswith("/decisions"))


def render_contents(
    names: Iterable[str], summaries: Mapping[str, str], folders: Mapping[str, str]
) -> str:
    """Write the table of a folder's contents.

    `summaries` are what is to be said of files that are atoms, `folders` the names that
    are folders, each with the page of it that a reader should open first; hidden names and
    those that begin with `_` are left out.
    """
    shown = [name for name in sorted(names) if name[0] not in "._" and name != CORTEX_MD]
    if not shown:
        return "_Nothing yet._\n"
    older = (
        f"| … | {len(shown) - MAX_CONTENTS_ROWS} more, by name before these |\n"
        if len(shown) > MAX_CONTENTS_ROWS
        else ""
    )
    text = ""
    for width in PURPOSE_WIDTHS:
        rows = (_row(name, summaries, folders, width) for name in shown[-MAX_CONTENTS_ROWS:])
        text = f"| What | For |\n|---|---|\n{older}{''.join(rows)}"
        if len(text.encode(errors="replace")) <= MAX_CONTENTS_BYTES:
            break
    return text


def _row(name: str, summaries: Mapping[str, str], folders: Mapping[str, str], width: int) -> str:
    shown, target = (f"{name}/", folders[name]) if name in folders else (name, name)
    said = summaries.get(name, PURPOSES.get(name, ""))
    return f"| [{format_cell(shown)}]({quote(target)}) | {format_cell(said, width)} |\n"


def human_part(path: str, text: str) -> str:
    """Return a page without the list that is generated in a CORTEX.md."""
    if path.rpartition("/")[2] != CORTEX_MD:
        return text
    head, begin, rest = text.partition(CONTENTS_BEGIN)
    _, end, tail = rest.partition(CONTENTS_END)
    return f"{head}\n{tail}" if begin and end else text


def replace_contents(text: str, contents: str) -> str:
    """Put the generated part between its markers; a text without them stays as it is."""
    head, begin, rest = text.partition(CONTENTS_BEGIN)
    _, end, tail = rest.partition(CONTENTS_END)
    if not (begin and end):
        return text
    newline = "\r\n" if rest.startswith("\r\n") else "\n"
    return f"{head}{begin}{newline}{contents.replace(chr(10), newline)}{end}{tail}"
