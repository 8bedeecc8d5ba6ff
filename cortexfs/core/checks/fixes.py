"""Mend what has only one right answer: entries of one atom, as its place and the tree have it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.anti_pattern import with_tag
from cortexfs.core.atoms.atom import words
from cortexfs.core.atoms.lifecycle import read_status
from cortexfs.core.atoms.refs import short_ref
from cortexfs.core.atoms.tree_paths import place
from cortexfs.core.checks.check_atoms import bearers, silent_heirs
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_link import with_link

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, Value
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import Place

    Change = str | Sequence[str]

MENDABLE = (
    "missing-field",
    "bad-id",
    "name-mismatch",
    "project-mismatch",
    "status-case",
    "anti-pattern-tag",
    "one-way-link",
)
"""Findings that `mended` may do away with."""


class Known(NamedTuple):
    """What a tree has: projects, and for each ref the files whose id, and whose name, says it.

    `owed` are the links that each file, by its path, owes to those whose place it has taken.
    """

    kinds: Kinds
    projects: frozenset[str]
    bearers: Mapping[str, set[str]]
    claimers: Mapping[str, set[str]]
    owed: Mapping[str, list[str]]

    @classmethod
    def of(cls, atoms: Collection[Atom], projects: Iterable[str], kinds: Kinds) -> Known:
        """Sort the files of a tree by the refs that are theirs."""
        known = cls(kinds, frozenset(projects), defaultdict(set), defaultdict(set), _owed(atoms))
        for atom in atoms:
            where = place(atom.path, kinds)
            if atom.text("id"):
                known.bearers[atom.ref].add(atom.path)
            if where and where.claimed:
                known.claimers[_ref(where, where.claimed)].add(atom.path)
        return known


def mended(path: str, text: str, known: Known) -> str:
    """Mend the text of the atom at a path. Raises what `codec.edit` raises."""
    text = atom_text.edit(text, mends(path, atom_text.parse(text).fields, known))
    for ref in known.owed.get(path, ()):
        text = with_link(text, ref)
    return text


def mends(path: str, fields: Mapping[str, Value], known: Known) -> dict[str, Change]:
    """Give the entries that are to be set in the atom at a path."""
    where = place(path, known.kinds)
    if where is None or not fields:
        return {}
    return dict([*_identity(path, where, fields, known), *_status(fields), *_tag(fields)])


def _owed(atoms: Iterable[Atom]) -> Mapping[str, list[str]]:
    """Give the links that heirs owe, where neither ref can mean another atom."""
    by_ref = bearers(atoms)
    owed: dict[str, list[str]] = defaultdict(list)
    for old in atoms:
        heirs = silent_heirs(old, by_ref)
        alone = len(heirs) == len(by_ref[old.ref]) == 1
        if alone and (old.project or f"{heirs[0].project}/{old.ref}" not in by_ref):
            owed[heirs[0].path].append(short_ref(old.ref, heirs[0].project))
    return owed


def _identity(
    path: str, where: Place, fields: Mapping[str, Value], known: Known
) -> Iterator[tuple[str, Change]]:
    """Take the file's name for the id, its folder for the project, where no other can be meant."""
    ident, project = fields.get("id", ""), fields.get("project", "")
    claimed = where.claimed
    if claimed and ident != claimed and not _others(path, _ref(where, claimed), known):
        named = isinstance(ident, str) and known.kinds.of_id(ident)
        if not named or _is_copy(path, _ref(where, str(ident)), known):
            yield "id", claimed
    if where.project and not (isinstance(project, str) and project in known.projects):
        yield "project", where.project


def _others(path: str, ref: str, known: Known) -> set[str]:
    """Name the other files to which a ref could belong."""
    return (known.bearers[ref] | known.claimers[ref]) - {path}


def _is_copy(path: str, ref: str, known: Known) -> bool:
    """Tell whether another file bears a ref by right: id and name agree there."""
    return bool(known.bearers[ref] & known.claimers[ref] - {path})


def _status(fields: Mapping[str, Value]) -> Iterator[tuple[str, Change]]:
    typed = fields.get("status", "")
    status = read_status(typed if isinstance(typed, str) else "")
    if typed and status.known and not str(typed).strip().startswith(status.word):
        yield "status", str(status)


def _tag(fields: Mapping[str, Value]) -> Iterator[tuple[str, Change]]:
    summary, tags = fields.get("summary", ""), words(fields.get("tags", ()))
    tagged = with_tag(summary, tags) if isinstance(summary, str) else tags
    if tagged != tags:
        yield "tags", tagged


def _ref(where: Place, ident: str) -> str:
    return f"{where.project}/{ident}" if where.project else ident
