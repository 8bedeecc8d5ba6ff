"""Small trees for laws to be tried on: what may lie in one, and commands run in process."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import oracle
from hypothesis import strategies as st

from cortexfs.catalog.atom_queries import AtomQueries
from cortexfs.operations.regenerate_indexes import regenerate_indexes as carry_out
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome

NOW = datetime(2026, 5, 6, 20, 31, 10, tzinfo=UTC)
FOLDERS = {"experiments": "EXP", "knowledge": "K", "patterns": "PAT"}
PROJECTS = ("flywheel", "sundial")

MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - laws need no disk

Files = Mapping[str, bytes]

STATUSES = (
    *(None, "", "active", "valid", "Partial", "challenged", "challenged:EXP-002", "CORRECTED"),
    *("superseded:EXP-020", "refined: EXP-003", "deprecated", "Stale", "invalidated: EXP-009"),
    *("Invalidated", "nonsense", "'superseded: EXP-002'"),
)
DATES = (
    *("2026-05-06", "2026-05-06", "2026-04-22", "2026-04-21", "2026-03-01", "2026-03-01"),
    *("'2026-01-31'", "2025-12-31", "soon", None),
)
TIMES = (
    *("2026-03-02T03:12:21.074Z", "2026-03-02T03:12:21Z", "2026-03-31T23:59:59.999Z"),
    *("2026-04-16T03:12:21.074Z", "2026-05-06T20:31:09.500Z"),
)
CARRIED = (None, None, None, "0", "3", "007", '"7"', "'12'", "many", "")
SUMMARIES = (
    *("Plain words", "a | b \\| c", "`code` [link](x) <b>", "ANTI-PATTERN: not so", "#hash: colon"),
    *("emoji 🎛 and ünïcode", "x" * 300, "ends in a \\"),
)
JUNK = (
    *(b"", b"{}", b"not json", b'{"file": 3, "ts": "2026-03-02"}', b'["EXP-001.md"]', b"\xff\xfe"),
    *(b'{"file":"EXP-001.md"}', b'{"file":"EXP-001.md","ts":""}', b"[" * 2000, b"null", b"   "),
    b'{"file":"EXP-001.md","tool":"Read","ts":"2026-03-0',
)

numbers = st.integers(1, 4).map("{:03d}".format)


@st.composite
def atoms(draw: st.DrawFn, project: str, prefix: str, number: str) -> bytes:
    """Write an atom as somebody might: most carry the id of their name, some another or none."""
    own = st.just(number)
    ident = f"{prefix}-{draw(st.one_of(own, own, own, numbers))}"
    fields = {
        "id": draw(st.sampled_from([ident] * 9 + [None])),
        "date": draw(st.sampled_from(DATES)),
        "project": project,
        "summary": json.dumps(draw(st.sampled_from(SUMMARIES)), ensure_ascii=False),
        "tags": draw(st.sampled_from(["[a, b]", "", "\n  - one\n  - two # why", "a, b, c, d, e"])),
        "status": draw(st.sampled_from(STATUSES)),
        "refs": draw(st.sampled_from(CARRIED)),
        "last-ref": draw(st.sampled_from((None, None, "null", *TIMES))),
    }
    lines = [f"{key}: {value}".rstrip() for key, value in fields.items() if value is not None]
    end = draw(st.sampled_from(["\n", "\n", "\r\n"]))
    broken = draw(st.sampled_from([""] * 12 + ["id: [\n", "id: x\nid: y\n", "&a b: *a\n"]))
    block = broken + "\n".join(lines)
    return f"---\n{block}\n---\n\nrefs: 99\n".replace("\n", end).encode()


@st.composite
def logs(draw: st.DrawFn) -> bytes:
    """Write a log: looks with and without a note, searches, junk, perhaps a torn end."""
    names = [f"{prefix}-{n:03d}.md" for prefix in FOLDERS.values() for n in range(1, 5)]
    files = st.sampled_from([*names[:4], *names, "_directory_search", "EXP-999.md"])
    event = st.builds(
        lambda file, ts, note: json.dumps(
            {"file": file, "tool": "Read", "ts": ts} | ({"note": note} if note else {})
        ).encode(),
        files,
        st.sampled_from(TIMES),
        st.sampled_from([None, None, "1.1", "1.2", "toolu_1"]),
    )
    line = st.one_of(event, event, event, st.sampled_from(JUNK))
    text = b"\n".join(draw(st.lists(line, max_size=25)))
    return text + draw(st.sampled_from([b"\n", b""]))


@st.composite
def indexes(draw: st.DrawFn, prefix: str) -> bytes:
    """Write the index that was there before: in our layout, or in an older one."""
    ours = draw(st.booleans())
    heads = "| ID | Date | Summary | Tags | Refs | Links |"
    if ours:
        heads = "| ID | Date | Summary | Status | Tags | Refs | Last ref | Links |"
    rows = []
    for number in draw(st.lists(st.integers(1, 6), max_size=4)):
        ident, refs = f"{prefix}-{number:03d}", draw(st.integers(0, 9))
        last = draw(st.sampled_from(("—", *TIMES)))
        link, counted = f"[{ident}]({ident}.md)", f"{refs} | {last} | — |"
        rows.append(
            f"| {link} | 2026-03-01 | one \\| two | valid | a | {counted}"
            if ours
            else f"| {ident} | 2026-03-01 | one | two | a, b | {refs} | — |"
        )
    table = "\n".join([heads, "|---" * heads.count(" | ") + "|---|", *rows])
    return f"# Index\n\n> Last updated: 2026-04-01T10:00:00\n\n## Active\n\n{table}\n".encode()


@st.composite
def trees(draw: st.DrawFn) -> Files:
    """Draw the files of a tree of two projects."""
    files: dict[str, bytes] = {"CORTEX.md": b"# Tree\n"}
    for project in PROJECTS:
        for folder, prefix in FOLDERS.items():
            for number in draw(st.lists(numbers, max_size=4, unique=True)):
                path = f"projects/{project}/{folder}/{prefix}-{number}.md"
                files[path] = draw(atoms(project, prefix, number))
            if draw(st.sampled_from([False, False, True])):
                files[f"projects/{project}/{folder}/index.md"] = draw(indexes(prefix))
        for name in ("access-log.jsonl", "access-log.2026-03.jsonl", "access-log.old.jsonl"):
            files[f"projects/{project}/_meta/{name}"] = draw(logs())
    return files


@contextmanager
def write_tree(files: Files) -> Iterator[Path]:
    """Put files into a folder of their own, in the order in which they are given."""
    # a thread of tantivy may still write when the index is closed
    with tempfile.TemporaryDirectory(dir=MEMORY, ignore_cleanup_errors=True) as folder:
        root = Path(folder)
        (root / "projects").mkdir()
        for path, content in files.items():
            write_file(root, path, content)
        yield root


def write_file(root: Path, path: str, content: bytes) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(content)


@contextmanager
def open_session(root: Path, now: datetime = NOW) -> Iterator[Session]:
    """Open a tree with a clock that stands still."""
    session = Session.open(str(root), lambda: now)
    try:
        yield session
    finally:
        session.close()


def atom_queries(session: Session) -> AtomQueries:
    """What the catalog knows, as it was brought up to date last."""
    return AtomQueries(session.catalog.db)


def regen(root: Path, now: datetime = NOW) -> Outcome:
    with open_session(root, now) as session:
        return carry_out(session, None)


def expected_indexes(root: Path) -> dict[str, oracle.Index]:
    """Work out by the oracle what each index must say after the next regeneration."""
    folders = (path for path in root.glob("projects/*/*") if path.name in FOLDERS)
    paths = (path.relative_to(root).as_posix() for path in folders)
    return {path: oracle.expected(root, path, NOW.date()) for path in paths}


def shown_indexes(root: Path) -> dict[str, oracle.Index]:
    """Read what each index says."""
    return {
        path.parent.relative_to(root).as_posix(): oracle.shown(path.read_text())
        for path in root.glob("projects/*/*/index.md")
    }


def snapshot(root: Path) -> dict[str, tuple[bytes, int]]:
    """Take down every byte and every mtime of the tree's own files."""
    return {
        path.relative_to(root).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in sorted(root.rglob("*"))
        if path.is_file() and not {".git", ".cortexfs"} & set(path.relative_to(root).parts)
    }


class Change(NamedTuple):
    """Something that a person does to a tree between two commands."""

    deed: str
    at: int
    content: bytes


def changes() -> st.SearchStrategy[Change]:
    """Draw one edit, removal, renaming, look, or edit that no size and no mtime tells of."""
    deeds = ["write", "remove", "rename", "same size", "look", "lose index", "spoil index"]
    contents = atoms("flywheel", "EXP", "001")
    return st.builds(Change, st.sampled_from(deeds), st.integers(0, 30), contents)


def apply_change(root: Path, change: Change) -> None:
    """Do it."""
    every = sorted(root.glob("projects/*/*/*.md"))
    present = [path for path in every if (path.name == "index.md") == ("index" in change.deed)]
    path = present[change.at % len(present)] if present else None
    if change.deed == "write" or path is None:
        name = f"projects/flywheel/experiments/EXP-{change.at % 5 + 1:03d}.md"
        write_file(root, name, change.content)
    elif change.deed == "look":
        with (path.parents[1] / "_meta/access-log.jsonl").open("ab") as file:
            file.write(b'\n{"file":"%s","ts":"2026-05-01T00:00:00Z"}\n' % path.name.encode())
    elif change.deed == "same size":
        was = path.stat()
        path.write_bytes(path.read_bytes().replace(b": 2026-0", b": 2025-0"))
        os.utime(path, ns=(was.st_atime_ns, was.st_mtime_ns))
    elif change.deed == "rename":
        path.rename(path.with_name(f"{path.name[:-4]}9.md"))
    elif change.deed == "spoil index":
        path.write_bytes(path.read_bytes()[: change.at * 20])
    else:
        path.unlink()


Noted = Mapping[str, tuple[str, str]]


def notes() -> st.SearchStrategy[Noted]:
    """Draw what hooks have noted: by the note's name, the call's id (if any) and the file."""
    names = st.integers(1_790_000_000_000_000_000, 1_790_000_000_000_000_040).map("{}.7".format)
    files = st.sampled_from([*(f"experiments/EXP-00{n}.md" for n in range(1, 5)), "mission.md"])
    calls = st.tuples(st.sampled_from(["", "", "toolu_1", "toolu_2"]), files)
    return st.dictionaries(names, calls, max_size=12)


def spool(root: Path, noted: Noted) -> None:
    """Leave notes as the hook does."""
    for name, (call, file) in noted.items():
        payload = {
            "tool_name": "Read",
            "tool_input": {"file_path": f"{root}/projects/flywheel/{file}"},
            "tool_use_id": call,
        }
        write_file(root, f".cortexfs/spool/new/{name}", json.dumps(payload).encode())


def drain(root: Path) -> Outcome:
    """Log what was noted, as `hook drain` does."""
    with open_session(root) as session:
        return session.drain_spool()
