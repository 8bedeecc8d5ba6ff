"""What every index of a tree must say, worked out from files and logs by other means than ours."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import frontmatter
import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

ACTIVE, SUPERSEDED, INVALIDATED = "Active", "Superseded / Deprecated", "Invalidated"
REPLACED = {"superseded", "refined", "deprecated", "stale"}
MARKED = ("challenged", "corrected")
YAML = frontmatter.YAMLHandler()


class Row(NamedTuple):
    """One atom of an index; `last` is empty in the sections that do not show it."""

    id: str
    refs: int
    last: str


class Index(NamedTuple):
    """What an index says: the rows of each section, in order, and the lines of its Stats."""

    sections: dict[str, list[Row]]
    stats: list[str]


class ReadStats(NamedTuple):
    """How often, and when last."""

    refs: int = 0
    last: str = ""

    def merge(self, other: ReadStats) -> ReadStats:
        return ReadStats(max(self.refs, other.refs), max(self.last, other.last, key=moment))


class Atom(NamedTuple):
    """What of an atom decides where it stands."""

    name: str
    id: str
    date: date | None
    status: str
    seen: ReadStats

    @property
    def order(self) -> tuple[int, int, int, str, str]:
        born = self.date.toordinal() if self.date else 0
        return (-self.seen.refs, -born, int(re.findall(r"\d+", self.id)[0]), self.id, self.name)


def moment(ts: str) -> str:
    """Make times comparable whatever their precision: `…:21Z` is before `…:21.074Z`."""
    return ts.rstrip("Z").replace(" ", "T")


def expected(root: Path, folder: str, today: date) -> Index:
    """Work out what the index of a folder must say, from what lies on disk now."""
    sections: dict[str, list[Atom]] = defaultdict(list)
    for atom in sorted(atoms_of(root, folder), key=lambda atom: atom.order):
        sections[section(atom.status)].append(atom)
    rows = {
        name: [Row(a.id, a.seen.refs, a.seen.last if name == ACTIVE else "") for a in within]
        for name, within in sections.items()
    }
    return Index(rows, stats(sections, today))


def atoms_of(root: Path, folder: str) -> list[Atom]:
    """Give the atoms of a folder that its index must list, each with its refs."""
    looks = read_log_stats(root / folder / "../_meta")
    floors = read_index_stats(root / folder / "index.md")
    atoms = (read(path, looks, floors) for path in atom_files(root / folder))
    return [atom for atom in atoms if atom]


def atom_files(folder: Path) -> Iterator[Path]:
    """Name the files of a folder that can be atoms."""
    for path in folder.glob("*.md"):
        if path.name not in {"index.md", "CORTEX.md"} and path.name[0] not in "._":
            yield path


def read(path: Path, looks: dict[str, ReadStats], floors: dict[str, ReadStats]) -> Atom | None:
    """Read what counts of an atom; None where there is no id, or no frontmatter to read."""
    fields = fields_of(path)
    ident = fields.get("id")
    if not ident:
        return None
    refs, last = fields.get("refs", ""), fields.get("last-ref", "")
    carried = ReadStats(int(refs) if refs.isdigit() else 0, last if last[:2] == "20" else "")
    seen = carried.merge(looks.get(path.name, ReadStats()))
    for key in (path.name, ident):
        seen = seen.merge(floors.get(key, ReadStats()))
    status = fields.get("status", "").partition(":")[0].strip().lower()
    return Atom(path.name, ident, day(fields.get("date", "")), status, seen)


def fields_of(path: Path) -> dict[str, Any]:
    """Read frontmatter with every scalar as text; nothing of one that the format bars."""
    try:
        block, _ = YAML.split(path.read_bytes().decode("utf-8-sig"))
        quoted = re.sub(r"(?m)^status: (\w+: [A-Z]+-\d+)\r?$", r"status: '\1'", block)
        fields = YAML.load(quoted, Loader=yaml.BaseLoader)
    except (OSError, ValueError, yaml.YAMLError):
        return {}
    keys = re.findall(r"^([\w-]+):", block, re.MULTILINE)
    barred = len(set(keys)) < len(keys) or re.search(r"(^|\s)[&*]\w", block)
    return {} if barred else fields


def day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def section(status: str) -> str:
    if status in REPLACED:
        return SUPERSEDED
    return INVALIDATED if status == "invalidated" else ACTIVE


def stats(sections: dict[str, list[Atom]], today: date) -> list[str]:
    """Write the lines of the section Stats."""
    active = sections.get(ACTIVE, [])
    old = today - timedelta(days=14)
    standing, replaced, wrong = (
        len(sections.get(name, [])) for name in (ACTIVE, SUPERSEDED, INVALIDATED)
    )
    parts = f"{standing} active, {replaced} superseded/deprecated, {wrong} invalidated"
    lines = [f"- Total: {standing + replaced + wrong} ({parts})"]
    for word in MARKED:
        if named := [atom for atom in active if atom.status == word]:
            lines += [f"- {word.capitalize()}: {ids(named)}"]
    hot = [atom for atom in active if atom.seen.refs >= 5]
    cold = [atom for atom in active if not atom.seen.refs and atom.date and atom.date < old]
    return [
        *lines,
        f"- Hot (refs >= 5): {ids(hot)}",
        f"- Cold (refs = 0, age > 14 days): {ids(cold)}",
    ]


def ids(atoms: list[Atom]) -> str:
    named = ", ".join(atom.id for atom in atoms[:10]) or "none"
    return f"{named} (+{len(atoms) - 10} more)" if len(atoms) > 10 else named


def read_log_stats(meta: Path) -> dict[str, ReadStats]:
    """Count the looks at each file: a note once, a line without one as often as a log says it."""
    counts: dict[tuple[str, ...], int] = {}
    latest: dict[str, str] = {}
    for log in meta.glob("access-log*.jsonl"):
        if not re.fullmatch(r"access-log(\.\d{4}-\d\d)?\.jsonl", log.name):
            continue
        said: Counter[tuple[str, ...]] = Counter()
        for event in events(log.read_bytes().decode("utf-8", "replace").split("\n")):
            file, ts, note = event["file"], event["ts"], event.get("note")
            said[(file, note) if note else (file, ts, event.get("tool", ""))] += 1
            latest[file] = max(latest.get(file, ""), ts, key=moment)
        for look, times in said.items():
            counts[look] = max(counts.get(look, 0), 1 if len(look) == 2 else times)
    totals: Counter[str] = Counter()
    for look, times in counts.items():
        totals[look[0]] += times
    return {file: ReadStats(refs, latest[file]) for file, refs in totals.items()}


def events(lines: Iterable[str]) -> Iterator[dict[str, str]]:
    """Give the lines that are events about a file."""
    for line in lines:
        try:
            event = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict) and all(
            isinstance(event.get(key), str) and event[key] for key in ("file", "ts")
        ):
            yield event


def read_index_stats(index: Path) -> dict[str, ReadStats]:
    """Read the refs that a present index shows, whichever tool wrote it."""
    floors: dict[str, ReadStats] = {}
    if index.exists():
        text = index.read_text(encoding="utf-8", errors="replace")
        for row in (*tables(text), *tables(text, "File")):
            refs, last = row.get("Refs", ""), row.get("Last ref", "")
            seen = ReadStats(int(refs) if refs.isdigit() else 0, last if last[:2] == "20" else "")
            key = row["target"] or row["ID"]
            floors[key] = floors.get(key, ReadStats()).merge(seen)
    return floors


def tables(text: str, first: str = "ID") -> Iterator[dict[str, str]]:
    """Give the rows of every table that begins so; cells are counted from the right."""
    heads: list[str] = []
    for line in text.splitlines():
        cells = split(line)
        if not cells:
            heads = []
        elif not heads:
            heads = cells
        elif heads[0] == first and not cells[0].startswith("---") and len(cells) >= len(heads):
            ident, file = re.findall(r"^\[?(.*?)\]?(?:\((.*)\))?$", cells[0])[0]
            yield {
                "ID": ident,
                "target": unquote(file),
                **dict(zip(heads[:0:-1], cells[:0:-1], strict=False)),
            }


def split(line: str) -> list[str]:
    """Part a table's line at the bars that are not escaped."""
    cells = re.findall(r"\|((?:\\.|[^|\\])*)", line) if line.startswith("|") else []
    whole = cells[:-1] if line.rstrip().endswith("|") else cells
    return [re.sub(r"\\(.)", r"\1", cell).strip() for cell in whole]


def shown(text: str) -> Index:
    """Read an index back."""
    sections: dict[str, list[Row]] = {}
    lines: list[str] = []
    for part in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        if title == "Stats":
            lines = [line for line in rest.splitlines() if line.startswith("- ")]
            continue
        name = title.partition(" (")[0]
        if rows := [Row(r["ID"], int(r["Refs"]), _time(r)) for r in tables(rest) if "Refs" in r]:
            sections[name] = rows
    return Index(sections, lines)


def _time(row: dict[str, str]) -> str:
    return row.get("Last ref", "").replace("—", "")
