"""Where somebody works in these tests: a home with the recorded tree, and what is seen there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cortexfs.core.access_events.parse_events import parse_access_events
from cortexfs.core.access_events.path_resolution import PathResolver
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.tree_paths import parse_atom_path

RECORDED = Path(__file__).parents[2] / "looks"
TS = "2026-05-01T10:20:30.456Z"
KINDS = Kinds()


@dataclass(frozen=True, slots=True)
class Desk:
    """A home, and what is known of the tree in it."""

    home: Path
    around: PathResolver

    @property
    def context(self) -> Path:
        return self.home / ".cortex/context"

    def looks(self, payload: bytes) -> list[tuple[str, str]]:
        """Give what a payload tells of, as projects and files."""
        return [
            (event.project, event.file)
            for event in parse_access_events("1.1", TS, payload, self.around)
        ]

    def tool(self, tool: str, asked: object, answer: object = None, cwd: str = "app") -> str:
        """Give what a call tells of: `EXP-001 K-002` of flywheel, `other/EXP-001` elsewhere."""
        event = {
            "session_id": "s",
            "cwd": str(self.home / cwd),
            "hook_event_name": "PostToolUse",
            "tool_name": tool,
            "tool_input": asked,
            "tool_response": answer,
        }
        names = (f"{project}/{file}" for project, file in self.looks(json.dumps(event).encode()))
        return " ".join(re.sub(r"^flywheel/|\.md$", "", name) for name in names)

    def shell(self, command: str, stdout: str = "", cwd: str = "app", **answer: object) -> str:
        """Give what a shell command tells of that printed this."""
        return self.tool("Bash", {"command": command}, {"stdout": stdout, **answer}, cwd)

    def run(self, command: str, cwd: str = "app") -> str:
        """Run a shell command, and give what it tells of."""
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.home / cwd,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return self.shell(command, done.stdout.rstrip("\n"), cwd)


def furnished(home: Path) -> Desk:
    """Put the recorded tree into a new home, and some other work."""
    context = home / ".cortex/context"
    shutil.copytree(RECORDED / "context", context)
    (home / "app").mkdir()
    return Desk(home, surroundings(home, context))


def surroundings(home: Path, context: Path) -> PathResolver:
    """Answer as a tree does."""

    def names(path: str) -> list[str]:
        folder = context / path
        return sorted(os.listdir(folder)) if folder.is_dir() else []

    def atom(path: str) -> tuple[str, str] | None:
        where = parse_atom_path(path, KINDS)
        return (where.project, where.file_name) if where and where.claimed_id else None

    def folder(path: str) -> str | None:
        where = parse_atom_path(f"{path}/x.md", KINDS)
        return where.project if where else None

    return PathResolver(
        roots=tuple(dict.fromkeys((str(context), os.path.realpath(context)))),
        homes=(str(home),),
        resolve_links=os.path.realpath,
        list_folder=names,
        is_file=lambda path: (context / path).is_file(),
        parse_atom_path=atom,
        find_folder_project=folder,
        read_text=lambda path: (context / path).read_text() if (context / path).is_file() else None,
    )
