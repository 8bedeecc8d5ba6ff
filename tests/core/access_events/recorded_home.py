"""A home with the recorded tree, and the reads that events in it give."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from cortexfs.core.access_events.note_to_access_events import parse_access_events
from cortexfs.core.access_events.path_resolution import PathResolver
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.tree_paths import parse_atom_path

RECORDED = Path(__file__).parents[2] / "looks"
TS = "2026-05-01T10:20:30.456Z"
KINDS = Kinds()


@dataclass(frozen=True, slots=True)
class RecordedHome:
    """A home, and what resolves the paths of the tree in it."""

    home: Path
    resolver: PathResolver

    @property
    def context(self) -> Path:
        return self.home / ".cortex/context"

    def reads(self, payload: bytes) -> list[tuple[str, str]]:
        """Return the reads of a payload, as projects and files."""
        return [
            (event.project, event.file)
            for event in parse_access_events("1.1", TS, payload, self.resolver)
        ]

    def tool(
        self, tool: str, tool_input: object, tool_response: object = None, cwd: str = "app"
    ) -> str:
        """Return its reads: `EXP-001 K-002` of flywheel, `other/EXP-001` elsewhere."""
        event = {
            "session_id": "s",
            "cwd": str(self.home / cwd),
            "hook_event_name": "PostToolUse",
            "tool_name": tool,
            "tool_input": tool_input,
            "tool_response": tool_response,
        }
        return self.event(event)

    def event(self, event: object) -> str:
        """Return the reads of an event; `<tree>` and `<home>` in it stand for their paths."""
        text = json.dumps(event).replace("<tree>", str(self.context))
        text = text.replace("<home>", str(self.home))
        names = (f"{project}/{file}" for project, file in self.reads(text.encode()))
        return " ".join(re.sub(r"^flywheel/|\.md$", "", name) for name in names)

    def shell(self, command: str, stdout: str = "", cwd: str = "app", **response: object) -> str:
        """Return the reads of a shell command that printed this."""
        return self.tool("Bash", {"command": command}, {"stdout": stdout, **response}, cwd)

    def run(self, command: str, cwd: str = "app") -> str:
        """Run a shell command, and return its reads."""
        ran = subprocess.run(
            ["bash", "-c", command],
            cwd=self.home / cwd,
            env={"HOME": str(self.home), "PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        return self.shell(command, ran.stdout.rstrip("\n"), cwd)


def make_recorded_home(home: Path) -> RecordedHome:
    """Make a home with the recorded tree and an empty folder `app`."""
    context = home / ".cortex/context"
    shutil.copytree(RECORDED / "context", context)
    (home / "app").mkdir()
    return RecordedHome(home, make_path_resolver(home, context))


def make_path_resolver(home: Path, context: Path) -> PathResolver:
    """Resolve paths as a session does for a tree."""

    def list_names(path: str) -> list[str]:
        find_folder_owner = context / path
        return sorted(os.listdir(find_folder_owner)) if find_folder_owner.is_dir() else []

    def parse_atom_place(path: str) -> tuple[str, str] | None:
        place = parse_atom_path(path, KINDS)
        return (place.project, place.file_name) if place and place.claimed_id else None

    def find_folder_owner(path: str) -> str | None:
        place = parse_atom_path(f"{path}/x.md", KINDS)
        return place.project if place else None

    return PathResolver(
        roots=tuple(dict.fromkeys((str(context), os.path.realpath(context)))),
        homes=(str(home),),
        resolve_links=os.path.realpath,
        list_folder=list_names,
        is_file=lambda path: (context / path).is_file(),
        parse_atom_path=parse_atom_place,
        find_folder_project=find_folder_owner,
        read_text=lambda path: (context / path).read_text() if (context / path).is_file() else None,
    )
