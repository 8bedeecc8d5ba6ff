"""The layout of a tree: paths below the root, and what each path can hold."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.kind import Kind
    from cortexfs.core.atoms.kinds import Kinds

INDEX_MD = "index.md"
CORTEX_MD = "CORTEX.md"
OVERVIEW_MD = "OVERVIEW.md"
BULLETIN_MD = "BULLETIN.md"
"""The bulletin of the tree at its root: derived, ignored by git, and no page of the tree."""
LOCAL_FOLDER = ".cortexfs"
"""The folder for lock, catalog and spool; git ignores it."""
DAEMON_SOCKET, CHANGES_SOCKET = "daemon.sock", "changes.sock"
"""Sockets in it: of the daemon, and of the process that knows by events what has changed."""
DRAFT_PREFIX = ".cortexfs-draft."
"""The name prefix of files being written; the leading dot hides them from indexes."""
_UNSTAMPED_NAMES = frozenset({CORTEX_MD, "CORTEX.local.md"})
_NON_ATOM_NAMES = _UNSTAMPED_NAMES | {INDEX_MD}
LOG_FOLDER = "_meta"
USER_FOLDER = "user"
"""The folder for what concerns the user alone."""
_PERSONAL_PREFIX = f"{USER_FOLDER}/observations/"
ACCESS_LOG = "access-log.jsonl"

_PROJECT_NAME = r"[a-z0-9][a-z0-9._-]{0,63}"
_DEVICE_NAME = r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?"
_ACCESS_LOG_NAME = r"access-log(\.[0-9]{4}-[0-9]{2})?\.jsonl"
_PROJECT_ATOM_DEPTH = 4
"""The number of steps in `projects/<project>/<folder>/<name>`."""


class AtomPath(NamedTuple):
    """The parts of an atom's path: project (empty at the root), folder, kind and file name."""

    project: str
    folder: str
    kind: Kind
    file_name: str

    @property
    def claimed_id(self) -> str | None:
        """The id in the file name; None if there is none."""
        return self.kind.parse_file_id(self.file_name.removesuffix(".md"))

    def make_ref(self, ident: str) -> Ref:
        """Return the full ref of an atom with this id in the same project."""
        return Ref(f"{self.project}/{ident}" if self.project else ident)


def parse_atom_path(path: str, kinds: Kinds) -> AtomPath | None:
    """Return the place of an atom's path below the root; None if it cannot be an atom's."""
    steps = path.split("/")
    if not is_atom_name(steps[-1]):
        return None
    if len(steps) == _PROJECT_ATOM_DEPTH and steps[0] == "projects":
        kind = kinds.find_by_folder(steps[2])
        return AtomPath(steps[1], "/".join(steps[:3]), kind, steps[3]) if kind else None
    if len(steps) == _PROJECT_ATOM_DEPTH - 1 and steps[0] == USER_FOLDER:
        kind = kinds.find_by_folder(steps[1], scope="user")
        return AtomPath("", f"{USER_FOLDER}/{steps[1]}", kind, steps[2]) if kind else None
    if len(steps) == _PROJECT_ATOM_DEPTH - 2:
        kind = kinds.find_by_folder(steps[0], scope="root")
        return AtomPath("", steps[0], kind, steps[1]) if kind else None
    return None


def is_atom_name(name: str) -> bool:
    """Return whether a file of that name, in a folder of atoms, is an atom."""
    return name.endswith(".md") and name[0] not in "_." and name not in _NON_ATOM_NAMES


def is_atom_or_index_name(name: str) -> bool:
    """Return whether a file of that name, in a folder of atoms, is an atom or the index."""
    return name.endswith(".md") and name[0] not in "_." and name not in _UNSTAMPED_NAMES


def has_generated_part(path: str) -> bool:
    """Return whether a file has a generated part beside hand-written text."""
    return path == OVERVIEW_MD or path.rpartition("/")[2] == CORTEX_MD


def is_project_name(name: str) -> bool:
    """Return whether a name is valid for a project on every file system."""
    return bool(
        re.fullmatch(_PROJECT_NAME, name)
        and not name.endswith(".")
        and not re.fullmatch(_DEVICE_NAME, name)
    )


def is_access_log_name(name: str) -> bool:
    """Return whether a file name in `_meta/` is that of the access log or of a month file."""
    return name == ACCESS_LOG or bool(re.fullmatch(_ACCESS_LOG_NAME, name))


def is_access_log(path: str) -> bool:
    """Return whether a path is that of an access log or of a month file."""
    folder, _, name = path.rpartition("/")
    return is_access_log_name(name) and folder == f"projects/{project_from_path(path)}/{LOG_FOLDER}"


def kind_folder(project: str, kind: Kind) -> str:
    """Return the folder of a kind's atoms: `projects/flywheel/experiments`, or `ideas`."""
    return f"projects/{project}/{kind.folder}" if project else kind.folder


def personal_folder(kind: Kind) -> str:
    """Return the path of the folder for personal atoms of a kind: `user/observations`."""
    return f"{USER_FOLDER}/{kind.folder}"


def is_personal_path(path: str) -> bool:
    """Return whether a file is a personal observation, or their index: it stays on this machine."""
    return path.startswith(_PERSONAL_PREFIX)


def access_log_path(project: str) -> str:
    """Return the path of a project's access log."""
    return f"projects/{project}/{LOG_FOLDER}/{ACCESS_LOG}"


def project_from_path(path: str) -> str:
    """Return the project that a path is in; an empty string outside `projects/`."""
    top, _, below = path.partition("/")
    project, inside, _ = below.partition("/")
    return project if top == "projects" and inside else ""
