"""Find Markdown files in a tree that are not part of it: notes that could become atoms."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.atoms.kinds import Kinds

ORIGIN_KEY = "imported-from"
"""The field of an atom with the note that it was imported from: `vault/Daily/2026-05-06.md`."""
TREE_SOURCE_NAME = "."
"""The source name of notes that are in the tree itself: `./notes/a.md`."""
_KNOWN_FILES = frozenset(
    {
        "agents.md",
        "changelog.md",
        "claude.md",
        "contributing.md",
        "cortex.local.md",
        "cortex.md",
        "gemini.md",
        "index.md",
        "license.md",
        "overview.md",
        "readme.md",
    }
)
"""Files about the root or about a project, in lower case."""
_GOVERNANCE_FILES = frozenset(
    {"status.md", "issues.md", "mission.md", "roadmap.md", "tasks-archive.md"}
)
_OWN_FOLDERS = frozenset({"scans", "user", "templates"})
_PROJECT_FILE_DEPTH = 3
"""Number of parts of `projects/<project>/<name>`."""


def is_loose_note(path: str, kinds: Kinds) -> bool:
    """Return whether a Markdown file below the root is neither an atom nor a file of the tree."""
    steps = path.split("/")
    name = steps[-1].lower()
    if not name.endswith(".md") or any(step[0] in "._" for step in steps):
        return False
    if steps[0] == "projects":
        return _is_loose_in_project(steps, name, kinds)
    if len(steps) == 1:
        return name not in _KNOWN_FILES
    return (
        steps[0].lower() not in _OWN_FOLDERS
        and kinds.find_by_folder(steps[0], scope="root") is None
    )


def _is_loose_in_project(steps: Sequence[str], name: str, kinds: Kinds) -> bool:
    if len(steps) < _PROJECT_FILE_DEPTH:
        return False
    if len(steps) == _PROJECT_FILE_DEPTH:
        return name not in _KNOWN_FILES | _GOVERNANCE_FILES
    return kinds.find_by_folder(steps[2]) is None


def report_loose_notes(paths: Sequence[str]) -> list[Finding]:
    """Return one finding about all loose notes, at the path of the first."""
    if not paths:
        return []
    are = "is not an atom" if len(paths) == 1 else "are not atoms"
    return [Finding(paths[0], "loose-notes", f"{format_count(len(paths), 'Markdown file')} {are}")]
