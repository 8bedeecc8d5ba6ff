"""Decide what becomes of each note of a folder: ids, texts, and what is left as it is."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Flaw, Ref
from cortexfs.core.atoms.tree_paths import folder_of
from cortexfs.core.changes.plan import Write
from cortexfs.core.checks.secrets import secrets
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.importing.fields import (
    DIGESTS,
    Status,
    atom_digest,
    digest,
    digest_of,
    fields_of,
    plain_front,
    status_in,
    written,
)
from cortexfs.core.importing.kinds import kind_of
from cortexfs.core.importing.links import (
    Home,
    Target,
    Unresolved,
    lines_of,
    rewrite_links,
    wiki_names,
)
from cortexfs.core.importing.loose import ORIGIN
from cortexfs.core.importing.metadata import as_text
from cortexfs.core.importing.note import is_empty, read_note
from cortexfs.core.importing.report import ImportedNote, Report, Result, StatusMapping
from cortexfs.core.importing.source import Skipped
from cortexfs.core.importing.targets import Targets
from cortexfs.core.importing.unknown_refs import unknown_refs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.kinds import Kind, Kinds
    from cortexfs.core.importing.fields import Front
    from cortexfs.core.importing.note import Note
    from cortexfs.core.importing.source import NoteFolder

    Progress = Callable[[int, int], None]

LARGEST = 16 * 1024 * 1024
"""Bytes of an atom; a larger one would not be read again."""
_STEP = 256


class Known(NamedTuple):
    """An atom of the tree that was imported before."""

    target: Target
    kind: Kind
    text: str


class Request(NamedTuple):
    """Into which project, as which kind (None: what fits each note), beside which atoms.

    `known` are the atoms by their origin, `refs` those of all atoms; `next_number` gives the
    number of a kind's next id.
    """

    project: str
    kinds: Kinds
    known: Mapping[str, Known]
    next_number: Callable[[Kind], int]
    refs: frozenset[str] = frozenset()
    kind: Kind | None = None
    progress: Progress | None = None


class _Draft(NamedTuple):
    """A note that becomes an atom, its kind, and where the atom stands."""

    note: Note
    kind: Kind
    target: Target
    known: Known | None


class _Made(NamedTuple):
    """A note with its atom, and what is to be said of it."""

    note: ImportedNote
    status: Status
    links: int
    unresolved: tuple[Unresolved, ...]
    warnings: tuple[Skipped, ...]


def plan_import(folder: NoteFolder, request: Request) -> Report:
    """Decide on the atoms of a folder's notes; ids follow the day of a note, then its path."""
    notes, skipped = _readable(folder, request)
    drafts, lacking = _drafts(notes, folder.name, request)
    targets = Targets.of(draft.note for draft in drafts)
    atoms = {draft.note.path: draft.target for draft in drafts}
    made, left = [], [*folder.skipped, *skipped, *lacking]
    for number, draft in enumerate(drafts):
        one = _made(draft, f"{folder.name}/{draft.note.path}", targets, atoms)
        left.append(one) if isinstance(one, Skipped) else made.append(one)
        if request.progress and (number % _STEP == 0 or number + 1 == len(drafts)):
            request.progress(number + 1, len(drafts))
    return Report(
        folder.name,
        request.project,
        tuple(each.note for each in made),
        tuple(sorted(left)),
        (
            *(each for one in made for each in one.warnings),
            *unknown_refs((each.note for each in made), request.refs, request.kinds),
        ),
        tuple(each for one in made for each in one.unresolved),
        _counted(made),
        sum(each.links for each in made),
        folder.attachments,
    )


def _readable(folder: NoteFolder, request: Request) -> tuple[list[Note], list[Skipped]]:
    """Read the notes of a folder, but for those that are empty or hold a secret."""
    notes, skipped = [], []
    for file in folder.files:
        known = request.known.get(f"{folder.name}/{file.path}")
        day = str(atom_text.parse(known.text).fields.get("date", "")) if known else ""
        note = read_note(file._replace(modified=day or file.modified), digest(file.text))
        if found := secrets(f"{file.text}\n{file.path}"):
            message = f"{found[0].message}; git would keep it for ever"
            skipped.append(Skipped(file.path, "secret", message, found[0].line))
        elif is_empty(note):
            skipped.append(Skipped(file.path, "empty", "the note is empty"))
        else:
            notes.append(note)
    return sorted(notes, key=lambda note: (note.day, note.path)), skipped


def _drafts(
    notes: Sequence[Note], source: str, request: Request
) -> tuple[list[_Draft], list[Skipped]]:
    """Give each note its kind, its id and its place; what lacks a field of its kind is left."""
    drafts, lacking = list[_Draft](), []
    numbers: dict[str, int] = {}
    for note in notes:
        if known := request.known.get(f"{source}/{note.path}"):
            drafts.append(_Draft(note, known.kind, known.target, known))
            continue
        kind, missing = kind_of(note.values, note.path, request.kinds, request.kind)
        if missing:
            message = f"a {kind.name} needs the field `{missing}`"
            lacking.append(Skipped(note.path, "missing-field", message))
            continue
        number = numbers.get(kind.name) or request.next_number(kind)
        numbers[kind.name] = number + 1
        drafts.append(_Draft(note, kind, _target(kind, number, note, request.project), None))
    return drafts, lacking


def _target(kind: Kind, number: int, note: Note, project: str) -> Target:
    ident = f"{kind.prefix}-{number:0{kind.digits}d}"
    within = project if "project" in kind.scopes else ""
    name = kind.file_name(ident, note.title, in_project=bool(within))
    return Target(ident, within, f"{folder_of(within, kind)}/{name}")


def _made(
    draft: _Draft, origin: str, targets: Targets, atoms: Mapping[str, Target]
) -> _Made | Skipped:
    """Write the atom of a note, and decide whether it is put in place."""
    note, target = draft.note, draft.target
    home = Home(note.path, target.path, target.project)
    links = tuple(dict.fromkeys(_linked(note, home, targets, atoms)))
    note, front, warnings = _front(draft, origin, links)
    body = rewrite_links(note.metadata.body, home, targets, atoms)
    text = _text(front, body.body, origin, note.sum)
    if len(text.encode(errors="replace")) > LARGEST:
        return Skipped(note.path, "file-too-large", "the atom would have over 16 MiB")
    line = lines_of(note.metadata.body, note.metadata.first)
    missing = (Unresolved(note.path, line(at), said) for at, said in body.unresolved)
    result = _result(draft, text)
    write = Write(target.path, text, draft.known.text if draft.known else None)
    ref = Ref(f"{target.project}/{target.ident}" if target.project else target.ident)
    done = ImportedNote(note.path, ref, target.path, draft.kind.name, note.summary, result)
    if result in {Result.IMPORTED, Result.UPDATED}:
        done = done._replace(write=write)
    status = status_in(note, draft.kind)
    return _Made(done, status, body.resolved + len(links), tuple(missing), warnings)


def _front(
    draft: _Draft, origin: str, links: Sequence[str]
) -> tuple[Note, Front, tuple[Skipped, ...]]:
    """Write the frontmatter; what cannot be read as one stays in the body as text."""
    note, flaw = draft.note, draft.note.metadata.flaw
    fields = fields_of(note, draft.kind, draft.target, origin, links)
    front = written(note, draft.kind, fields)
    if front is None:
        flaw = Flaw("bad-yaml", "it cannot be rewritten without a loss", 2)
        note = note._replace(metadata=as_text(note.metadata, flaw))
        fields = fields_of(note, draft.kind, draft.target, origin, links)
        front = plain_front(fields)
    if flaw is None:
        return note, front, ()
    message = f"the frontmatter stays in the text: {flaw.message}"
    return note, front, (Skipped(note.path, flaw.code, message, flaw.line),)


def _text(front: Front, body: str, origin: str, source: str) -> str:
    """Put an atom together, with where it came from and what it said then."""
    gap = "" if not body or body.startswith("\n") else "\n"
    end = "" if not body or body.endswith("\n") else "\n"
    body = f"{gap}{body}{end}"
    digests = f"{source}-{digest_of({**front.fields, ORIGIN: origin}, body)}"
    return f"---\n{front.text}{atom_text.dump({ORIGIN: origin, DIGESTS: digests})}---\n{body}"


def _linked(note: Note, home: Home, targets: Targets, atoms: Mapping[str, Target]) -> Iterator[str]:
    """Give the refs of the notes that the frontmatter of a note names."""
    for said in wiki_names(note.metadata.block):
        atom = atoms.get(targets.wiki(said, note.path) or "")
        if atom and atom.path != home.atom:
            yield atom.seen_from(home.project)


def _result(draft: _Draft, text: str) -> Result:
    """Say what becomes of a note: an atom that somebody has edited is never written over."""
    if draft.known is None:
        return Result.IMPORTED
    now = atom_text.parse(draft.known.text)
    source, _, atom = str(now.fields.get(DIGESTS, "")).partition("-")
    edited = atom != atom_digest(draft.known.text)
    if source != draft.note.sum:
        return Result.CONFLICT if edited else Result.UPDATED
    same = edited or now.body == atom_text.parse(text).body  # else a link has found its note since
    return Result.UNCHANGED if same else Result.UPDATED


def _counted(made: Sequence[_Made]) -> tuple[StatusMapping, ...]:
    """Count the statuses that were put in other words, or had no word of ours."""
    counts = Counter(one.status for one in made if one.status.said)
    other = {each: n for each, n in counts.items() if each.said.lower() != each.status}
    return tuple(StatusMapping(*each, count) for each, count in sorted(other.items()))
