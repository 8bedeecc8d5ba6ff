"""What must hold of a tree in which a command has died, and of its next run.

A file is as before or as after, never between; what was acknowledged is there; nothing of a
person's own work has moved; and the next run needs nobody's help.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from crash_scene import BROUGHT_UP, MADE, SEEN, THEIRS

if TYPE_CHECKING:
    from crash_scene import Ended, Scene

DRAFT = ".cortexfs-draft."


def wrong_at_death(scene: Scene, verb: str, ended: Ended) -> list[str]:
    """Tell what is wrong with the tree just after a command has died or failed."""
    before, once, _ = scene.expected[verb]
    found = []
    for path, content in scene.photo().items():
        if Path(path).name.startswith(DRAFT):
            continue
        if path.endswith(".jsonl") and content == b"" and path not in before:
            continue
        if content not in (before.get(path), once.get(path)):
            found.append(f"{path} is neither as before nor as after: {content[:80]!r}")
    kept = before.keys() & once.keys()
    found += [f"{path} is gone" for path in kept if not (scene.tree / path).exists()]
    if ended.code == 0 and verb in MADE and not _is_done(scene, verb):
        found.append("the command reported success and made nothing")
    if verb == "new" and "EXP-003" in ended.out and not _is_done(scene, verb):
        found.append("EXP-003 was acknowledged and is not there")
    waiting = {json.loads(note)["tool_use_id"] for note in _notes(scene)}
    lost = set(SEEN) - waiting - {call for call, _ in logged(scene)}
    return found + [f"the note of {call} is lost" for call in sorted(lost)]


def wrong_afterwards(scene: Scene, verb: str, ended: Ended) -> list[str]:
    """Run the same command plainly, and tell what is wrong with all that is there then.

    An index of which it was said that it could not be written is left to a regeneration.
    """
    made = _is_done(scene, verb)
    again = scene.next(verb)
    if again.code != (scene.second[verb] if made else 0):
        return [f"the next run ended with {again.code}: {again.err.strip()}"]
    found = []
    refused = {line.strip().partition(": not written")[0] for line in ended.err.splitlines()}
    expected = scene.expected[verb][2 if made or verb in BROUGHT_UP else 1]
    seen = {path: body for path, body in scene.photo().items() if expected.get(path) != body}
    missing = sorted(expected.keys() - scene.photo().keys())
    wrong = sorted({*seen, *missing} - refused)
    found += [f"after the next run {path} is not as it should be" for path in wrong]
    events = sorted(logged(scene))
    if events != sorted((call, name) for call, (_, name) in SEEN.items()):
        found.append(f"the logs say {events}")
    return found + wrong_in_git(scene)


def wrong_in_git(scene: Scene) -> list[str]:
    """Tell what is wrong with the repository, and with what a person has unfinished in it."""
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
    found += [f"our commits hold {path}" for path in ours if path in THEIRS]
    locks = [str(path) for path in (scene.tree / ".git").rglob("*.lock")]
    return found + [f"{lock} is left" for lock in locks]


def wrong_refusal(ended: Ended) -> list[str]:
    """Tell what is wrong with the way in which a command reported an error of the system."""
    if ended.code == 0:
        return []
    lines = ended.err.strip().splitlines()
    told = bool(lines) and lines[0].startswith("error: ") and ended.code in {3, 4}
    short = len(lines) == 1 or (len(lines) == 2 and lines[1].startswith(" hint: "))
    return [] if told and short else [f"it ended with {ended.code} and said {ended.err[-400:]!r}"]


def logged(scene: Scene) -> list[tuple[str, str]]:
    """Read the access logs line by line: the call, and the atom that it read."""
    logs = sorted(scene.tree.glob("projects/*/_meta/*.jsonl"))
    rows = [json.loads(line) for log in logs for line in log.read_text().splitlines()]
    return [(row["note"], row["file"]) for row in rows]


def _is_done(scene: Scene, verb: str) -> bool:
    """Tell whether a run of these verbs has come so far that the next one is a second one."""
    if verb == "undo":  # indexes and logs are brought up to date by any run
        before, once, _ = scene.expected[verb]
        changed = {path for path in before.keys() | once if before.get(path) != once.get(path)}
        put_back = {path for path in changed if not path.endswith((".jsonl", "/index.md"))}
        photo = scene.photo()
        return all(photo.get(path) == once.get(path) for path in put_back)
    return verb in MADE and scene.photo().get(MADE[verb]) == scene.expected[verb][1][MADE[verb]]


def _notes(scene: Scene) -> list[bytes]:
    return [note.read_bytes() for note in (scene.tree / ".cortexfs/spool/new").iterdir()]
