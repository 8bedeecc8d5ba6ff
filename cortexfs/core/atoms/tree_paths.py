"""Where things stand in a tree: paths below the root, and what they can be."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from cortexfs.core.atoms.kinds import Kind, Kinds

INDEX_MD = "index.md"
CORTEX_MD = "CORTEX.md"
OVERVIEW_MD = "OVERVIEW.md"
OWN = ".cortexfs"
"""Where a tree keeps what is not knowledge: lock, catalog, spool. Git does not see it."""
DRAFT = ".cortexfs-draft."
"""What the names of unfinished files begin with; the leading dot hides them from indexes."""
_NO_ATOMS = frozenset({INDEX_MD, CORTEX_MD, "CORTEX.local.md"})
LOG_FOLDER = "_meta"
ACCESS_LOG = "access-log.jsonl"

_PROJECT = r"[a-z0-9][a-z0-9._-]{0,63}"
_DEVICE = r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?"
_SEGMENT = r"access-log(\.[0-9]{4}-[0-9]{2})?\.jsonl"
_DEEP = 4
"""Steps of `projects/<project>/<folder>/<name>`."""


class AtomPath(NamedTuple):
    """What a path says of a file: its project (empty at the root), folder, kind and name."""

    project: str
    folder: str
    kind: Kind
    file_name: str

    @property
    def claimed_id(self) -> str | None:
        """The id that the file's name claims."""
        return self.kind.parse_file_id(self.file_name.removesuffix(".md"))


def parse_atom_path(path: str, kinds: Kinds) -> AtomPath | None:
    """Tell what stands at a path below the root; None where no atom can stand."""
    steps = path.split("/")
    if not is_atom_name(steps[-1]):
        return None
    if len(steps) == _DEEP and steps[0] == "projects":
        kind = kinds.find_by_folder(steps[2])
        return AtomPath(steps[1], "/".join(steps[:3]), kind, steps[3]) if kind else None
    if len(steps) == _DEEP - 2:
        kind = kinds.find_by_folder(steps[0], scope="root")
        return AtomPath("", steps[0], kind, steps[1]) if kind else None
    return None


def is_atom_name(name: str) -> bool:
    """Tell whether a file of that name is taken for an atom where atoms stand."""
    return name.endswith(".md") and name[0] not in "_." and name not in _NO_ATOMS


def has_generated_part(path: str) -> bool:
    """Tell whether a file is a list that is kept true, beside what people write in it."""
    return path == OVERVIEW_MD or path.rpartition("/")[2] == CORTEX_MD


def is_project_name(name: str) -> bool:
    """Tell whether a project may be called that, on every file system."""
    return bool(
        re.fullmatch(_PROJECT, name) and not name.endswith(".") and not re.fullmatch(_DEVICE, name)
    )


def is_access_log_name(name: str) -> bool:
    """Tell whether a file of `_meta/` is the access log or one of its months."""
    return name == ACCESS_LOG or bool(re.fullmatch(_SEGMENT, name))


def is_access_log(path: str) -> bool:
    """Tell whether a path is that of an access log, or of one of its months."""
    folder, _, name = path.rpartition("/")
    return is_access_log_name(name) and folder == f"projects/{project_from_path(path)}/{LOG_FOLDER}"


def kind_folder(project: str, kind: Kind) -> str:
    """Where a kind's atoms stand: `projects/flywheel/experiments`, or `ideas`."""
    return f"projects/{project}/{kind.folder}" if project else kind.folder


def access_log_path(project: str) -> str:
    """Where a project's looks are written down."""
    return f"projects/{project}/{LOG_FOLDER}/{ACCESS_LOG}"


def project_from_path(path: str) -> str:
    """Tell the project that a path lies in; empty outside `projects/`."""
    top, _, below = path.partition("/")
    project, inside, _ = below.partition("/")
    return project if top == "projects" and inside else ""
