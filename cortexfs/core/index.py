"""Atoms and access totals in, the `index.md` that a person reads out."""

from __future__ import annotations

import re
from collections import defaultdict
from datetime import UTC, date, datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, unquote

from cortexfs.core.clean import cell
from cortexfs.core.entry import COLD_DAYS, HOT, NEVER, highest, read_total
from cortexfs.core.lifecycle import MARKED, Section
from cortexfs.core.plan import Counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from cortexfs.core.access import Total
    from cortexfs.core.atom import Finding
    from cortexfs.core.entry import Entry
    from cortexfs.core.kinds import Kind

    Column = tuple[str, Callable[[Entry], str]]

SUMMARY = 120
TAGS = 4
LISTED = 10

UPDATED = "> Last updated: "
_TIME_LINE = re.compile(rf"^{UPDATED}(.*)$", re.MULTILINE)
_WARNING = "> Shown to be wrong. Do not rely on these; they are kept so that nobody repeats them."


class Rendered(NamedTuple):
    """An index as text, and what it counts."""

    text: str
    counts: Counts


def render(  # noqa: PLR0917 - what an index is made of
    kind: Kind,
    project: str,
    entries: Iterable[Entry],
    unreadable: Sequence[Finding],
    now: datetime,
    refs: Mapping[str, Total] = MappingProxyType({}),
) -> Rendered:
    """Render one folder's index; the same atoms give the same bytes, in whatever order.

    `now` (aware) becomes the time line, and decides by its day which atoms are cold. `refs`
    are those of files that could not be read: they are not to be lost with the atom.
    """
    utc = now.astimezone(UTC)
    sections = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: entry.order):
        sections[entry.status.section].append(entry)
    standing, replaced, wrong = (sections[section] for section in Section)
    counts = Counts(len(standing), len(replaced), len(wrong), len(unreadable))
    blocks = (
        _head(kind, project, utc),
        _active(kind, standing) if any(counts[:3]) else "_No entries._\n",
        _superseded(replaced) if replaced else "",
        _invalidated(wrong) if wrong else "",
        _unreadable(unreadable, refs) if unreadable else "",
        _stats(standing, counts, utc.date()),
    )
    return Rendered("\n".join(filter(None, blocks)), counts)


def timeless(text: str) -> str:
    """Drop the time line: what is left tells whether an index has changed."""
    return _TIME_LINE.sub(UPDATED, text, count=1)


def is_rendered(text: str) -> bool:
    """Tell whether a program has rendered an index, ours or another; else a person wrote it."""
    return "\n> Auto-generated" in text


def updated_at(text: str) -> datetime | None:
    """Read when an index says that it was rendered; None where it does not say."""
    found = _TIME_LINE.search(text)
    try:
        return datetime.fromisoformat(found[1].strip()).replace(tzinfo=UTC) if found else None
    except ValueError:
        return None


def totals_shown(text: str) -> dict[str, Total]:
    """Read refs out of a present index, ours or another tool's: by file where rows are links.

    An id alone names its row else; two files may bear one id, and each has its own refs.
    Columns are found by their headings; those after the summary are counted from the
    right, because other tools leave a `|` in a summary unescaped.
    """
    shown: dict[str, Total] = {}
    heads: list[str] = []
    for line in text.split("\n"):
        if not line.startswith("|"):
            heads = []
            continue
        cells = _cells(line)
        if not heads:
            heads = [head.lower() for head in cells]
        elif heads[0] in {"id", "file"} and "refs" in heads and len(cells) >= len(heads):
            name = _file_or_id(cells[0])
            refs = _from_right(cells, heads, "refs")
            total = read_total(refs, _from_right(cells, heads, "last ref"))
            shown[name] = highest(shown.get(name, NEVER), total)
    return shown


def _cells(row: str) -> list[str]:
    inner = row.strip().removeprefix("|").removesuffix("|")
    parts = re.split(r"(?<!\\)\|", inner) if "\\|" in inner else inner.split("|")
    return [part.strip() for part in parts]


def _file_or_id(text: str) -> str:
    """Take the file's name from `[EXP-001](EXP-001.md)`; without a link it is the id."""
    _, link, target = text.rpartition("](")
    if not (link and target.endswith(")")):
        return text.strip("[]")
    name = target[:-1].removeprefix("<").removesuffix(">").rpartition("/")[2]
    return unquote(name) if "%" in name else name


def _from_right(cells: list[str], heads: list[str], head: str) -> str:
    return cells[heads.index(head) - len(heads)] if head in heads else ""


def _head(kind: Kind, project: str, utc: datetime) -> str:
    use_when = f"{kind.use_when}\n\n" if kind.use_when else ""
    return (
        f"# {kind.title} Index — {cell(project)}\n\n{use_when}"
        "> Auto-generated by cortexfs from YAML frontmatter. Do not edit manually.\n"
        f"{UPDATED}{utc:%Y-%m-%dT%H:%M:%S}\n"
    )


def _active(kind: Kind, entries: Sequence[Entry]) -> str:
    columns = [*_FIRST, *map(_field, kind.before), *_LOOKS, *map(_field, kind.after)]
    return _listing(f"{Section.ACTIVE} ({len(entries)} entries)", columns, entries)


def _superseded(entries: Sequence[Entry]) -> str:
    title = f"{Section.SUPERSEDED} ({len(entries)} entries)"
    return _listing(title, [*_FIRST[:4], _LOOKS[0]], entries)


def _invalidated(entries: Sequence[Entry]) -> str:
    title = f"{Section.INVALIDATED} ({len(entries)} entries)\n\n{_WARNING}"
    return _listing(title, [*_FIRST[:3], ("Invalidated by", _cause), _LOOKS[0]], entries)


def _unreadable(findings: Sequence[Finding], refs: Mapping[str, Total]) -> str:
    rows = (
        (
            cell(name := finding.path.rpartition("/")[2]),
            str(finding.line),
            cell(finding.message),
            str(refs.get(name, NEVER).refs),
        )
        for finding in sorted(findings, key=lambda finding: (finding.path, finding.line))
    )
    title = f"Unreadable ({len(findings)} files)"
    return _table(title, ["File", "Line", "Reason", "Refs"], rows)


def _stats(active: Sequence[Entry], counts: Counts, today: date) -> str:
    standing, replaced, wrong, _ = counts
    parts = f"{standing} active, {replaced} superseded/deprecated, {wrong} invalidated"
    marked = [(word, [e for e in active if e.status.word == word]) for word in MARKED]
    lines = [
        "## Stats\n",
        f"- Total: {standing + replaced + wrong} ({parts})",
        *(f"- {word.capitalize()}: {_ids(entries)}" for word, entries in marked if entries),
        f"- Hot (refs >= {HOT}): {_ids([e for e in active if e.total.refs >= HOT])}",
        f"- Cold (refs = 0, age > {COLD_DAYS} days): {_ids([e for e in active if e.cold(today)])}",
    ]
    return "\n".join(lines) + "\n"


def _ids(entries: Sequence[Entry]) -> str:
    more = f" (+{len(entries) - LISTED} more)" if len(entries) > LISTED else ""
    return ", ".join(cell(entry.ident) for entry in entries[:LISTED]) + more or "none"


def _table(title: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"## {title}\n", f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines) + "\n"


def _listing(title: str, columns: Sequence[Column], entries: Sequence[Entry]) -> str:
    heads, cells = zip(*columns, strict=True)
    return _table(title, heads, ([write(entry) for write in cells] for entry in entries))


def _link(entry: Entry) -> str:
    name = entry.atom.name
    plain = name.replace("-", "").replace(".", "").isalnum() and name.isascii()
    return f"[{cell(entry.ident)}]({name if plain else quote(name)})"


def _date(entry: Entry) -> str:
    return cell(entry.atom.text("date"))


def _summary(entry: Entry) -> str:
    return cell(entry.atom.text("summary"), SUMMARY) or "—"


def _status(entry: Entry) -> str:
    """Show a status; one that asks for care stands out, an unknown one reads as active."""
    said = cell(entry.status.shown)
    return f"**{said}**" if entry.status.word in MARKED else said


def _cause(entry: Entry) -> str:
    return cell(entry.status.cause) or "—"


def _tags(entry: Entry) -> str:
    return _listed(entry.atom.words("tags")[:TAGS])


def _refs(entry: Entry) -> str:
    return str(entry.total.refs)


def _last_ref(entry: Entry) -> str:
    return cell(entry.total.last) or "—"


def _field(column: tuple[str, str]) -> Column:
    """Make a column of a kind's own: its heading and a field of the frontmatter."""
    head, key = column
    return head, lambda entry: _listed(entry.atom.words(key))


def _listed(words: Sequence[str]) -> str:
    return ", ".join(map(cell, words)) or "—"


_FIRST: tuple[Column, ...] = (
    ("ID", _link),
    ("Date", _date),
    ("Summary", _summary),
    ("Status", _status),
    ("Tags", _tags),
)
_LOOKS: tuple[Column, ...] = (("Refs", _refs), ("Last ref", _last_ref))
