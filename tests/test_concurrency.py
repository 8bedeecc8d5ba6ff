"""Many hands in one tree: hooks, regenerations, a person at git, and whoever makes atoms."""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from place import Place, Ran

pytestmark = pytest.mark.xdist_group("storm")

PROJECTS = ("driftwood", "greenhouse", "lighthouse")
STAGED, BOTH, EDITED, COMMITTED = (
    "projects/driftwood/mission.md",
    "projects/driftwood/STATUS.md",
    "projects/greenhouse/roadmap.md",
    "projects/lighthouse/ISSUES.md",
)
LOGGED = re.compile(r"projects/\w+/_meta/access-log\.jsonl")
RENDERED = re.compile(r"projects/\w+/\w+/(index|(EXP|K|PAT)-\d+[a-z]?)\.md")
REFS = re.compile(r"[+-](refs|last-ref): ")
PATIENCE_S = 90
TICK_S = 0.02


@contextmanager
def repeat_in_background(deed: Callable[[], object]) -> Iterator[list[object]]:
    """Do something over and over beside the block; what it gave each time is collected."""
    over, given = threading.Event(), list[object]()

    def repeat() -> None:
        while not over.wait(TICK_S):
            given.append(deed())

    with ThreadPoolExecutor(1) as beside:
        running = beside.submit(repeat)
        try:
            yield given
        finally:
            over.set()
            running.result()


def wait_until(reached: Callable[[], bool]) -> None:
    """Look again and again until something is so."""
    clock, over = threading.Event(), time.monotonic() + PATIENCE_S
    while not reached():
        assert time.monotonic() < over, "it did not come to rest"
        clock.wait(TICK_S)


def hook_command(place: Place, home: Path) -> str:
    """Install the hook as a person does, and read back what the client would run."""
    place.ok("setup", "claude-code", "--yes")
    settings = json.loads((home / ".claude" / "settings.json").read_text())
    commands = [
        hook["command"] for row in settings["hooks"]["PostToolUse"] for hook in row["hooks"]
    ]
    return next(command for command in commands if "note_event.py" in command)


def payload(place: Place, atom: Path, call: str) -> bytes:
    """Give what the client tells its hook after it has read an atom."""
    text = atom.read_text()
    shown = {"filePath": str(atom), "content": text, "numLines": 1, "startLine": 1}
    event = {
        "session_id": "0f8fad5b-d9cb-469f-a165-70867728950e",
        "transcript_path": "/home/dev/.claude/projects/-home-dev/0f8fad5b.jsonl",
        "cwd": str(place.root),
        "permission_mode": "default",
        "hook_event_name": "PostToolUse",
        "tool_name": "Read",
        "tool_input": {"file_path": str(atom)},
        "tool_response": {"type": "text", "file": shown},
        "tool_use_id": call,
    }
    return json.dumps(event).encode()


def logged(place: Place) -> Counter[tuple[str, str, str]]:
    """Count what the logs say of our calls: project, file and call, of every line."""
    found = Counter[tuple[str, str, str]]()
    for log in place.root.glob("projects/*/_meta/access-log*.jsonl"):
        for line in log.read_text().splitlines():
            event = json.loads(line)
            if event.get("note", "").startswith("toolu_storm"):
                found[log.parts[-3], event["file"], event["note"]] += 1
    return found


def person_commits(place: Place) -> str:
    """Write a line, and commit that file, whatever else is staged; try again where git is busy."""
    file = place.root / COMMITTED
    file.write_text(f"{file.read_text()}One more thing.\n")
    words = ["git", "commit", "--quiet", "--message", "by hand", "--", COMMITTED]
    done = subprocess.run(words, cwd=place.root, capture_output=True, text=True, check=False)
    busy = ".lock'" in done.stderr or "cannot lock ref" in done.stderr
    assert done.returncode == 0 or busy, done.stderr
    return done.stderr


def create_atoms(place: Place) -> None:
    """Leave a person's work in the middle: staged, staged and edited again, edited."""
    for path in (STAGED, BOTH, EDITED):
        place.write(path, f"{place.read(path)}\nA thought that is not finished.\n")
    place.git("add", STAGED, BOTH)
    place.write(BOTH, f"{place.read(BOTH)}And a second one.\n")


def user_work(place: Place) -> tuple[str, str, str]:
    """Give all that a person has not committed: staged, edited, and the list of it."""
    files = (STAGED, BOTH, EDITED)
    status = place.git("status", "--porcelain", "--untracked-files=all", ":!" + COMMITTED)
    return place.git("diff", "--cached", "--binary"), place.git("diff", "--", *files), status


def is_drained(place: Place) -> bool:
    return not any((place.root / ".cortexfs/spool/new").iterdir())


def commits_since(place: Place, base: str) -> list[tuple[str, str, list[str]]]:
    """List the commits: parents, subject, the files that each touches."""
    log = place.git("log", "--format=%x00%P%x01%s", "--name-only", f"{base}..HEAD")
    found = []
    for entry in log.split("\0")[1:]:
        head, *files = entry.split("\n")
        parents, subject = head.split("\x01")
        found.append((parents, subject, [file for file in files if file]))
    return found


def test_many_hooks_at_once_lose_no_event_and_touch_no_user_file(
    sample: Place, world: Path, soak: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CORTEXFS_DRAIN_QUIET", "1")
    hooks, each = (64, 50) if soak else (6, 6)
    command = hook_command(sample, world)
    sample.ok("index", "regen", "--all")
    create_atoms(sample)
    base, before = sample.git("rev-parse", "HEAD").strip(), user_work(sample)
    expected, printed = Counter[tuple[str, str, str]](), list[str]()
    atoms = [sorted((sample.root / "projects" / p / "experiments").glob("EXP-*")) for p in PROJECTS]

    def client(number: int) -> None:
        for turn in range(each):
            atom = atoms[(number + turn) % len(PROJECTS)][turn % 4]
            call = f"toolu_storm_{number}_{turn}"
            expected[atom.parts[-3], atom.name, call] += 1
            event = payload(sample, atom, call)
            ran = subprocess.run(
                ["sh", "-c", command], input=event, capture_output=True, check=True
            )
            assert ran.stderr == b""
            printed.append(ran.stdout.decode())

    began = time.monotonic()
    with (
        repeat_in_background(lambda: sample.ok("index", "regen", "--all")) as regens,
        repeat_in_background(lambda: person_commits(sample)) as by_hand,
        ThreadPoolExecutor(hooks) as clients,
    ):
        list(clients.map(client, range(hooks)))
    wait_until(lambda: is_drained(sample))
    sample.ok("hook", "drain")  # waits for the last one's lock, and commits what that could not
    seconds = time.monotonic() - began

    assert logged(sample) == expected
    assert set(expected.values()) == {1}
    offered = re.findall(r"## ([\w/]*CORTEX\.md)", "".join(printed))
    assert sorted(offered) == sorted(set(offered)) != [], "one session: each CORTEX.md once"
    assert user_work(sample) == before
    whose = Counter(subject for _, subject, _ in commits_since(sample, base))
    assert by_hand.count("") == whose["by hand"] > 0
    assert whose["chore: update access log"] <= len(regens) + seconds + 1  # a drain waits a second
    assert whose["chore: regenerate indexes"] <= len(regens)
    assert_sound(sample, base)
    print(f"{seconds:.1f} s, {len(regens)} regens, {len(by_hand)} tries by hand, {dict(whose)}")


def assert_sound(place: Place, base: str) -> None:
    """Hold the repository to what it must be, and our commits to what they may touch."""
    place.git("fsck", "--strict")
    assert not list((place.root / ".git").rglob("*.lock"))
    for parents, subject, files in commits_since(place, base):
        assert " " not in parents
        match subject:
            case "by hand":
                assert files == [COMMITTED]
            case "chore: update access log":
                assert all(map(LOGGED.fullmatch, files))
            case _:
                assert subject == "chore: regenerate indexes"
                assert all(map(RENDERED.fullmatch, files))
    atoms = ("projects/**/EXP-*.md", "projects/**/K-*.md", "projects/**/PAT-*.md")
    changed = place.git("diff", "--unified=0", base, "HEAD", "--", *(f":(glob){a}" for a in atoms))
    lines = [line for line in changed.splitlines() if re.match(r"[+-](?![+-]{2} )", line)]
    assert all(map(REFS.match, lines))


def test_ids_are_unique_and_no_reader_sees_half_a_file(tree: Place, soak: bool) -> None:
    makers, each = (32, 25) if soak else (4, 4)
    folder = tree.root / "projects" / "flywheel" / "experiments"
    seen: set[tuple[str, bytes]] = set()

    def look() -> None:
        seen.update((file.name, file.read_bytes()) for file in folder.glob("*.md"))

    def make(number: int) -> list[str]:
        summaries = (f"Number {turn} of maker {number}" for turn in range(each))
        return [tree.ok("new", "experiment", "-s", summary, "-t", "x") for summary in summaries]

    with repeat_in_background(look), ThreadPoolExecutor(makers) as threads:
        said = [line for lines in threads.map(make, range(makers)) for line in lines]

    ids = [f"EXP-{number:03}" for number in range(1, makers * each + 1)]
    assert sorted(line.split("\t")[0] for line in said) == [f"flywheel/{ident}" for ident in ids]
    made = {file.name: file.read_bytes() for file in folder.glob("EXP-*.md")}
    assert sorted(made) == [f"{ident}.md" for ident in ids]
    texts = b"\n".join(made.values()).decode()
    assert len(set(re.findall(r"Number \d+ of maker \d+", texts))) == makers * each
    assert {(name, body) for name, body in seen if name != "index.md"} <= set(made.items())
    indexes = [body.decode() for name, body in seen if name == "index.md"]
    assert all(re.search(r"\n## Stats\n\n- Total: .*\n(?s:.*)- Cold .*\n\Z", i) for i in indexes)
    assert tree.git("status", "--porcelain") == ""
    tree.ok("index", "regen", "--all", "--check")


def test_of_many_processes_that_create_one_project_one_succeeds_and_the_others_are_refused(
    tree: Place,
) -> None:
    words = ("project", "new", "orchard", "--goal", "One of us plants it")
    with ThreadPoolExecutor(8) as makers:
        ended: list[Ran] = list(makers.map(lambda _: tree.run(*words), range(8)))
    assert sorted(ran.code for ran in ended) == [0] + [3] * 7
    refusals = {ran.err for ran in ended if ran.code}
    assert refusals == {
        "error: project `orchard` already exists\n hint: `cortexfs project show orchard`\n"
    }
    assert tree.git("status", "--porcelain") == ""
    assert tree.read("OVERVIEW.md").count("orchard") == 1
    assert tree.git("log", "--format=%s").count("new project orchard") == 1
    assert not os.path.exists(tree.root / ".git" / "index.lock")
