"""The generated part of a CORTEX.md: the contents of its folder. Other text is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.kinds import BUILT_IN
from cortexfs.core.atoms.tree_paths import CORTEX_MD
from cortexfs.core.text.sanitize import format_cell, format_link

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
    "patterns.md": "answers to what `cortexfs patterns` found",
    "cortexfs.yaml": "settings of this tree",
    "projects": "one folder a project",
    "chats": "the records of chats, word for word",
    "scans": "reports of looking around",
    "user": "how the user likes to work",
    **{kind.folder: kind.purpose for kind in BUILT_IN},
}
"""Descriptions of the file and folder names of the format."""

PURPOSE_WIDTHS = (120, 60, 20, 1)
"""Maximum characters of a description; the first is taken with which the list fits."""
MAX_CONTENTS_BYTES = 6144
"""Maximum bytes of a list; its file is limited to 8 KiB."""
MAX_CONTENTS_ROWS = 90
"""Maximum names in a list; the last ones are kept, the newest if names are numbered."""


def is_cortex_md_folder(folder: str) -> bool:
    """Return whether a folder (`projects/flywheel`, `ideas`) should have a CORTEX.md."""
    top, _, below = folder.partition("/")
    if top != "projects":
        return not below and top in {"", "decisions", "ideas", "scans", "user"}
    return below.count("/") == 0 or (below.count("/") == 1 and below.endswith("/decisions"))


def render_contents(
    names: Iterable[str], summaries: Mapping[str, str], folders: Mapping[str, str]
) -> str:
    """Return the table of a folder's contents.

    `summaries` has the descriptions of atoms by file name, `folders` the page to link to for each
    name that is a folder; hidden names and names that begin with `_` are left out.
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
        rows = (_format_row(name, summaries, folders, width) for name in shown[-MAX_CONTENTS_ROWS:])
        text = f"| What | For |\n|---|---|\n{older}{''.join(rows)}"
        if len(text.encode(errors="replace")) <= MAX_CONTENTS_BYTES:
            break
    return text


def _format_row(
    name: str, summaries: Mapping[str, str], folders: Mapping[str, str], width: int
) -> str:
    from urllib.parse import quote  # noqa: PLC0415 - the guard only removes a list

    shown, target = (f"{name}/", folders[name]) if name in folders else (name, name)
    purpose = summaries.get(name, PURPOSES.get(name, ""))
    link = format_link(shown, target, quote(target))
    return f"| {link} | {format_cell(purpose, width)} |\n"


def remove_contents(path: str, text: str) -> str:
    """Return a page without the generated list, if it is a CORTEX.md."""
    if path.rpartition("/")[2] != CORTEX_MD:
        return text
    head, begin, rest = text.partition(CONTENTS_BEGIN)
    _, end, tail = rest.partition(CONTENTS_END)
    return f"{head}\n{tail}" if begin and end else text


def replace_contents(text: str, contents: str) -> str:
    """Return a text with the generated part between its markers; unchanged without markers."""
    head, begin, rest = text.partition(CONTENTS_BEGIN)
    _, end, tail = rest.partition(CONTENTS_END)
    if not (begin and end):
        return text
    newline = "\r\n" if rest.startswith("\r\n") else "\n"
    return f"{head}{begin}{newline}{contents.replace(chr(10), newline)}{end}{tail}"
