"""Fix fields of an atom that have only one correct value, given its path and the tree."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.anti_pattern_marker import add_anti_pattern_tag
from cortexfs.core.atoms.atom import split_string_list
from cortexfs.core.atoms.lifecycle import parse_atom_status
from cortexfs.core.atoms.refs import to_short_ref
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.checks.check_atoms import find_unlinked_successors
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.status_change.add_to_links_field import add_link

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import FrontmatterValue
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.atoms.tree_paths import AtomPath
    from cortexfs.core.checks.check_atoms import KnownAtoms

    FieldFix = str | Sequence[str]

FIXABLE_CODES = (
    "missing-field",
    "bad-id",
    "name-mismatch",
    "project-mismatch",
    "status-case",
    "anti-pattern-tag",
    "one-way-link",
)
"""The codes of findings that `fix_atom` may fix."""


class FixContext(NamedTuple):
    """The projects of a tree, and for each ref the files with it as their id or in their name.

    `paths_by_id` are the paths by id, `paths_by_name` by file name. `missing_links` are the
    missing links of each file, by its path, to the atoms that it replaced.
    """

    kinds: Kinds
    projects: frozenset[str]
    paths_by_id: Mapping[str, tuple[str, ...]]
    paths_by_name: Mapping[str, tuple[str, ...]]
    missing_links: Mapping[str, list[str]]

    @classmethod
    def from_atoms(
        cls,
        atoms: KnownAtoms,
        projects: Iterable[str],
        kinds: Kinds,
        paths: Collection[str],
    ) -> FixContext:
        """Return the context for fixing the atoms of a tree at some paths."""
        by_id, by_name = dict[str, tuple[str, ...]](), dict[str, tuple[str, ...]]()
        wanted = {*_iter_own_refs(atoms, paths, kinds)}
        for atom in atoms:
            claimed = _find_claimed_ref(atom.path, kinds)
            if atom.text_field("id") and atom.ref in wanted:
                by_id[atom.ref] = (*by_id.get(atom.ref, ()), atom.path)
            if claimed and claimed in wanted:
                by_name[claimed] = (*by_name.get(claimed, ()), atom.path)
        return cls(kinds, frozenset(projects), by_id, by_name, _find_missing_links(atoms))


def fix_atom(path: str, text: str, known: FixContext) -> str:
    """Return the fixed text of the atom at a path. Raises as `atom_text.edit_frontmatter` does."""
    text = atom_text.edit_frontmatter(
        text, find_field_fixes(path, atom_text.parse_frontmatter(text).fields, known)
    )
    for ref in known.missing_links.get(path, ()):
        text = add_link(text, ref)
    return text


def find_field_fixes(
    path: str, fields: Mapping[str, FrontmatterValue], known: FixContext
) -> dict[str, FieldFix]:
    """Return the fields to set in the atom at a path."""
    where = parse_atom_path(path, known.kinds)
    if where is None or not fields:
        return {}
    return dict(
        [*_fix_identity(path, where, fields, known), *_fix_status(fields), *_fix_tags(fields)]
    )


def _find_claimed_ref(path: str, kinds: Kinds) -> str:
    """Return the ref in the name of a file; empty if there is none."""
    where = parse_atom_path(path, kinds)
    return where.make_ref(where.claimed_id) if where and where.claimed_id else ""


def _iter_own_refs(atoms: KnownAtoms, paths: Collection[str], kinds: Kinds) -> Iterator[str]:
    """Yield the refs that the atoms at some paths have as their id, or in their name."""
    for path in paths:
        yield _find_claimed_ref(path, kinds)
    for atom in atoms:
        if atom.path in paths and (where := parse_atom_path(atom.path, kinds)):
            yield from (atom.ref, where.make_ref(atom.text_field("id")))


def _find_missing_links(atoms: KnownAtoms) -> Mapping[str, list[str]]:
    """Return the links that successors lack, by path, if neither ref can mean another atom."""
    missing: dict[str, list[str]] = defaultdict(list)
    for old in atoms:
        successors = find_unlinked_successors(old, atoms)
        is_unambiguous = len(successors) == 1 == len(atoms[old.ref])
        if is_unambiguous and (old.project or f"{successors[0].project}/{old.ref}" not in atoms):
            link = to_short_ref(old.ref, successors[0].project)
            missing[successors[0].path].append(link)
    return missing


def _fix_identity(
    path: str, where: AtomPath, fields: Mapping[str, FrontmatterValue], known: FixContext
) -> Iterator[tuple[str, FieldFix]]:
    """Yield the id from the file name and the project from the folder, if unambiguous."""
    ident, project = fields.get("id", ""), fields.get("project", "")
    claimed = where.claimed_id
    if claimed and ident != claimed and not _find_other_files(path, where.make_ref(claimed), known):
        is_valid = isinstance(ident, str) and known.kinds.find_by_id(ident)
        if not is_valid or _is_copy(path, where.make_ref(str(ident)), known):
            yield "id", claimed
    if where.project and not (isinstance(project, str) and project in known.projects):
        yield "project", where.project


def _find_other_files(path: str, ref: str, known: FixContext) -> set[str]:
    """Return the other files to which a ref could belong."""
    return {*known.paths_by_id.get(ref, ()), *known.paths_by_name.get(ref, ())} - {path}


def _is_copy(path: str, ref: str, known: FixContext) -> bool:
    """Return whether another file has a ref both as its id and in its name."""
    by_name = known.paths_by_name.get(ref, ())
    return any(each in by_name and each != path for each in known.paths_by_id.get(ref, ()))


def _fix_status(fields: Mapping[str, FrontmatterValue]) -> Iterator[tuple[str, FieldFix]]:
    typed = fields.get("status", "")
    status = parse_atom_status(typed if isinstance(typed, str) else "")
    if typed and status.is_known and not str(typed).strip().startswith(status.word):
        yield "status", str(status)


def _fix_tags(fields: Mapping[str, FrontmatterValue]) -> Iterator[tuple[str, FieldFix]]:
    summary, tags = fields.get("summary", ""), split_string_list(fields.get("tags", ()))
    new_tags = add_anti_pattern_tag(summary, tags) if isinstance(summary, str) else tags
    if new_tags != tags:
        yield "tags", new_tags
