"""Find the project of the tree that a working folder belongs to."""

import posix

import hook_files

MAX_MAP_BYTES = 1 << 20
COLUMNS = len(("kind", "value", "project"))
MAX_NAME_CHARS = 100
MAX_DEPTH = 40
"""Maximum number of folders above the working folder that are looked at."""
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-_.")


class ProjectMap:
    """The prepared map: projects by name and by folder, and those that want no bulletin.

    Each line is `name`, `folder` or `off`, a name or folder, and the project, between tabs; an
    `off` without project is for the whole tree.
    """

    def __init__(self, root: str) -> None:
        path = ("injection", "projects")
        content = hook_files.read_private_file(root, MAX_MAP_BYTES, *path) or b""
        rows = [line.split("\t") for line in content.decode("utf-8", "replace").split("\n")]
        self.rows = [row for row in rows if len(row) == COLUMNS]
        self.off = {row[2] for row in self.rows if row[0] == "off"}

    def find_project(self, cwd: str, roots: "list[str]") -> str:
        """Return the project of a working folder; empty if it belongs to none.

        In this order: a project's folder in the tree, the folder that the user's settings name for
        a project, a project with the name of the working folder, or of the repository around it.
        """
        names = {row[1]: row[2] for row in self.rows if row[0] == "name"}
        for root in roots:
            if cwd.startswith(f"{root}/projects/"):
                return names.get(cwd[len(root) :].split("/")[2], "")
        folders = [row for row in self.rows if row[0] == "folder" and _is_inside(cwd, row[1])]
        if folders:
            return max(folders, key=lambda row: len(row[1]))[2]
        for name in (cwd.rpartition("/")[2], find_repository_name(cwd)):
            if normalize_name(name) in names:
                return names[normalize_name(name)]
        return ""


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def normalize_name(name: str) -> str:
    """Return the name that a project of this folder would have."""
    return name.lower().replace("_", "-").replace(" ", "-")


def is_file_name(name: str) -> bool:
    """Return whether a project's name is safe as the name of a file."""
    return 0 < len(name) <= MAX_NAME_CHARS and name[0] != "." and _NAME.issuperset(name)


def find_repository_name(cwd: str) -> str:
    """Return the name of the folder with the repository around a folder; empty if there is none.

    For a work tree of its own it is the name of the main one.
    """
    folder = cwd
    for _ in range(MAX_DEPTH):
        if not folder:
            return ""
        try:
            mode = posix.stat(f"{folder}/.git").st_mode
        except (OSError, ValueError):
            folder = folder.rpartition("/")[0]
            continue
        if hook_files.is_regular(mode):
            main = _read_main_work_tree(f"{folder}/.git")
            return (main or folder).rpartition("/")[2]
        return folder.rpartition("/")[2]
    return ""


def _read_main_work_tree(path: str) -> str:
    """Return the main work tree that a `.git` file leads to; empty if it has another form."""
    content = hook_files.read_file(None, path, 4096) or b""
    target = content.decode("utf-8", "replace").strip()
    above, found, _ = target.partition("/.git/worktrees/")
    return above[len("gitdir: ") :] if found and target.startswith("gitdir: /") else ""
