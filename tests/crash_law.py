"""Invariants of a tree in which a command was killed, and of the next run.

A file is as before or as after, never between; what was acknowledged is there; nothing of the
user's own work has changed; and the next run needs no help.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from crash_scene import COMPLETED_BY_REGEN, CREATED_PATHS, READ_PATHS, USER_FILES

if TYPE_CHECKING:
    from crash_scene import ProcessResult, Scene

DRAFT = ".cortexfs-draft."


def find_flaws_after_kill(scene: Scene, command: str, result: ProcessResult) -> list[str]:
    """Return what is wrong with the tree directly after a command was killed or failed."""
    before, once, _ = scene.expected[command]
    found = []
    for path, content in scene.snapshot().items():
        if Path(path).name.startswith(DRAFT):
            continue
        if path.endswith(".jsonl") and content == b"" and path not in before:
            continue
        if content not in (before.get(path), once.get(path)):
            found.append(f"{path} is neither as before nor as after: {content[:80]!r}")
    kept = before.keys() & once.keys()
    found += [f"{path} is gone" for path in kept if not (scene.tree / path).exists()]
    if result.code == 0 and command in CREATED_PATHS and not _is_done(scene, command):
        found.append("the command reported success and made nothing")
    if command == "new" and "EXP-003" in result.out and not _is_done(scene, command):
        found.append("EXP-003 was acknowledged and is not there")
    waiting = {json.loads(note)["tool_use_id"] for note in _notes(scene)}
    lost = set(READ_PATHS) - waiting - {call for call, _ in read_logged_events(scene)}
    return found + [f"the note of {call} is lost" for call in sorted(lost)]


def find_flaws_after_next_command(scene: Scene, command: str, result: ProcessResult) -> list[str]:
    """Run the same command again, and return what is wrong then.

    An index that was reported as not written is left to the next regeneration.
    """
    made = _is_done(scene, command)
    again = scene.next(command)
    if again.code != (scene.second[command] if made else 0):
        return [f"the next run result with {again.code}: {again.err.strip()}"]
    found = []
    refused = {line.strip().partition(": not written")[0] for line in result.err.splitlines()}
    expected = scene.expected[command][2 if made or command in COMPLETED_BY_REGEN else 1]
    seen = {path: body for path, body in scene.snapshot().items() if expected.get(path) != body}
    missing = sorted(expected.keys() - scene.snapshot().keys())
    wrong = sorted({*seen, *missing} - refused)
    found += [f"after the next run {path} is not as it should be" for path in wrong]
    events = sorted(read_logged_events(scene))
    if events != sorted((call, name) for call, (_, name) in READ_PATHS.items()):
        found.append(f"the logs say {events}")
    return found + find_flaws_in_git(scene)


def find_flaws_in_git(scene: Scene) -> list[str]:
    """Return what is wrong with the repository, and with the user's uncommitted work."""
    found = []
    fsck = scene.run("git", "-C", str(scene.tree), "fsck", "--strict", "--no-dangling")
    if fsck.code or fsck.err.strip():
        found.append(f"git fsck: {fsck.out}{fsck.err}")
    if (status := scene.git_status()) != scene.status:
        found.append(f"git status says {status!r}")
    if scene.staged != scene.git_staged():
        found.append("what the person has staged is not as it was")
    parents = scene.git("log", "--format=%P", f"{scene.base}..HEAD").splitlines()
    if any(" " in parent for parent in parents):
        found.append("the history is not linear")
    ours = scene.git("diff", "--name-only", scene.base, "HEAD").splitlines()
    found += [f"our commits hold {path}" for path in ours if path in USER_FILES]
    locks = [str(path) for path in (scene.tree / ".git").rglob("*.lock")]
    return found + [f"{lock} is left" for lock in locks]


def find_flaws_in_refusal(result: ProcessResult) -> list[str]:
    """Return what is wrong with the report of a failed system call."""
    if result.code == 0:
        return []
    lines = result.err.strip().splitlines()
    is_reported = bool(lines) and lines[0].startswith("error: ") and result.code in {3, 4}
    is_short = len(lines) == 1 or (len(lines) == 2 and lines[1].startswith(" hint: "))
    return (
        [] if is_reported and is_short else [f"exit {result.code}, printed {result.err[-400:]!r}"]
    )


def read_logged_events(scene: Scene) -> list[tuple[str, str]]:
    """Return the call and the atom of each line of the access logs."""
    logs = sorted(scene.tree.glob("projects/*/_meta/*.jsonl"))
    rows = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    return [(row["note"], row["file"]) for row in rows]


def _is_done(scene: Scene, command: str) -> bool:
    """Return whether the killed run had its effect, so that the next is a second run."""
    if command == "undo":  # indexes and logs are brought up to date by any run
        before, once, _ = scene.expected[command]
        changed = {path for path in before.keys() | once if before.get(path) != once.get(path)}
        put_back = {path for path in changed if not path.endswith((".jsonl", "/index.md"))}
        snapshot = scene.snapshot()
        return all(snapshot.get(path) == once.get(path) for path in put_back)
    return (
        command in CREATED_PATHS
        and scene.snapshot().get(CREATED_PATHS[command])
        == scene.expected[command][1][CREATED_PATHS[command]]
    )


def _notes(scene: Scene) -> list[bytes]:
    return [note.read_bytes() for note in (scene.tree / ".cortexfs/spool/new").iterdir()]
