"""Hook events of a read and a write, and an atom without findings."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def make_read_event(path: str) -> bytes:
    """Return the event of a read, about 4 KB."""
    file = {"filePath": path, "content": "x" * 3500, "numLines": 9, "startLine": 1, "totalLines": 9}
    payload = {
        "session_id": "0b6f7d1e-0000-4000-8000-000000000000",
        "cwd": "/elsewhere",
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": path},
        "tool_response": {"type": "text", "file": file},
        "tool_use_id": "toolu_bench",
    }
    return json.dumps(payload).encode()


def write_sound_atom(atom: Path) -> str:
    """Write an atom without findings, and return its path."""
    fields = {
        "id": atom.stem,
        "date": "2026-05-06",
        "project": "bench-000",
        "evidence": "[EXP-001]",
    }
    front = "".join(f"{key}: {value}\n" for key, value in fields.items())
    sections = "".join(f"\n## {name}\n\nText.\n" for name in ("Statement", "Evidence", "Scope"))
    atom.parent.mkdir(exist_ok=True)
    atom.write_text(f'---\n{front}summary: "A fact"\ntags: [bench]\n---\n{sections}')
    return str(atom)


def make_write_event(event: str, path: str) -> bytes:
    """Return the event of a write."""
    asked = {"file_path": path, "content": "x\n" * 20}
    return json.dumps({"cwd": "/elsewhere", "hook_event_name": event, "tool_input": asked}).encode()
