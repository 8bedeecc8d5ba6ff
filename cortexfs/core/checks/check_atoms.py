"""Check atoms: findings about each atom, and across atoms."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from cortexfs.core.atoms.anti_pattern_marker import is_anti_pattern
from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.refs import can_refer_to, find_ref
from cortexfs.core.atoms.reviewed_field import is_reviewed_since_change
from cortexfs.core.atoms.tree_paths import is_project_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom, Ref
    from cortexfs.core.atoms.kinds import Kinds


class AtomsByRef(Protocol):
    """The atoms of a tree by ref, wherever they are kept."""

    def __contains__(self, ref: object) -> bool:
        """Return whether an atom has this ref."""

    def __getitem__(self, ref: str) -> Sequence[Atom]:
        """Return the atoms with a ref, which should be one; raise `KeyError` if there is none."""


class KnownAtoms(Protocol):
    """The atoms of a tree, in path order and by ref, wherever they are kept."""

    def __iter__(self) -> Iterator[Atom]:
        """Yield every atom in path order."""

    def __contains__(self, ref: object) -> bool:
        """Return whether an atom has this ref."""

    def __getitem__(self, ref: str) -> Sequence[Atom]:
        """Return the atoms with a ref, which should be one; raise `KeyError` if there is none."""

    def iter_kinds(self, kinds: Collection[str]) -> Iterator[Atom]:
        """Yield the atoms of some kinds in path order."""

    def iter_repeated(self) -> Iterator[Sequence[Atom]]:
        """Yield the atoms of each ref that several have."""

    def iter_flaws(self) -> Iterator[Finding]:
        """Yield the flaws of single atoms."""

    def iter_refs(self, kinds: Collection[str]) -> Iterator[Ref]:
        """Yield the refs of the atoms of some kinds in path order."""

    def iter_doubtful(self) -> Iterator[Atom]:
        """Yield at least the atoms that are replaced, or name an atom that is not current."""

    def list_projects(self) -> Collection[str]:
        """Return the projects that have atoms."""


@dataclass(frozen=True, slots=True)
class LoadedAtoms:
    """Atoms that are in memory."""

    atoms: Sequence[Atom]
    by_ref: Mapping[str, Sequence[Atom]]

    @classmethod
    def from_atoms(cls, atoms: Sequence[Atom]) -> LoadedAtoms:
        """Return some atoms as all the atoms of a tree."""
        return cls(atoms, group_by_ref(atoms))

    def __iter__(self) -> Iterator[Atom]:
        return iter(self.atoms)

    def __contains__(self, ref: object) -> bool:
        return ref in self.by_ref

    def __getitem__(self, ref: str) -> Sequence[Atom]:
        return self.by_ref[ref]

    def iter_kinds(self, kinds: Collection[str]) -> Iterator[Atom]:
        """Yield the atoms of some kinds in their order."""
        return (atom for atom in self.atoms if atom.kind in kinds)

    def iter_repeated(self) -> Iterator[Sequence[Atom]]:
        """Yield the atoms of each ref that several have."""
        return (atoms for atoms in self.by_ref.values() if len(atoms) > 1)

    def iter_flaws(self) -> Iterator[Finding]:
        """Yield the flaws of single atoms."""
        return (finding for atom in self.atoms for finding in to_findings(atom))

    def iter_refs(self, kinds: Collection[str]) -> Iterator[Ref]:
        """Yield the refs of the atoms of some kinds in their order."""
        return (atom.ref for atom in self.atoms if atom.kind in kinds)

    def iter_doubtful(self) -> Iterator[Atom]:
        """Yield every atom."""
        return iter(self.atoms)

    def list_projects(self) -> Collection[str]:
        """Return the projects that have atoms."""
        return {atom.project for atom in self.atoms}


def check_atoms(atoms: Sequence[Atom], kinds: Kinds) -> list[Finding]:
    """Return all findings about the atoms of a tree, sorted by path and line."""
    findings = {*find_atom_findings(LoadedAtoms.from_atoms(atoms), kinds)}
    return sorted(findings, key=lambda f: (f.path, f.line, f.code, f.message))


def find_atom_findings(atoms: KnownAtoms, kinds: Kinds) -> Iterator[Finding]:
    """Yield all findings about the atoms of a tree, in any order, some of them twice."""
    yield from atoms.iter_flaws()
    yield from find_mutual_findings(atoms, kinds)


def find_mutual_findings(atoms: KnownAtoms, kinds: Kinds) -> Iterator[Finding]:
    """Yield the findings of `find_atom_findings` that several atoms cause."""
    for repeated in atoms.iter_repeated():
        yield from _find_duplicate_ids(repeated)
    tree_wide, repeated_ids = _list_tree_wide_ids(atoms, kinds)
    if repeated_ids:
        yield from _find_duplicate_numbers(atoms, kinds, repeated_ids)
    for atom in atoms.iter_doubtful():
        yield from _find_dangling_refs(atom, atoms, tree_wide, kinds)
        yield from _find_stale_evidence(atom, atoms)
        yield from _find_one_way_links(atom, atoms)
    yield from _find_bad_project_names(atoms.list_projects())


def group_by_ref(atoms: Iterable[Atom]) -> Mapping[str, list[Atom]]:
    """Return the atoms by ref; each ref should have one."""
    by_ref: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        by_ref[atom.ref].append(atom)
    return by_ref


def find_unlinked_successors(atom: Atom, by_ref: AtomsByRef) -> Sequence[Atom]:
    """Return the possible successors of an atom if the first one does not link back to it."""
    status = parse_atom_status(atom.text_field("status"))
    if status.section is not IndexMdSection.SUPERSEDED or not status.cause:
        return ()
    ref = find_ref(status.cause, atom.project, by_ref)
    successors = by_ref[ref] if ref else []
    links_back = any(
        can_refer_to(cited, successor.project, atom.ref)
        for successor in successors[:1]
        for cited, _ in successor.cited_refs
    )
    return () if links_back else successors


def to_findings(atom: Atom) -> list[Finding]:
    """Return the flaws of one atom as findings about its file."""
    return [Finding(atom.path, f.code, f.message, f.line, f.column) for f in atom.flaws]


def _find_duplicate_ids(atoms: Sequence[Atom]) -> Iterator[Finding]:
    for atom in atoms[1:]:
        message = f"`{atom.ref}` is also the id of {atoms[0].path}"
        yield Finding(atom.path, "duplicate-id", message, atom.field_lines.get("id", 1))


def _list_tree_wide_ids(atoms: KnownAtoms, kinds: Kinds) -> tuple[set[str], set[str]]:
    """Return the ids of kinds that are numbered over the whole tree; those of several atoms."""
    known, repeated = set[str](), set[str]()
    for ref in atoms.iter_refs(_list_tree_wide_kinds(kinds)):
        ident = ref.rpartition("/")[2]
        (repeated if ident in known else known).add(ident)
    return known, repeated


def _list_tree_wide_kinds(kinds: Kinds) -> set[str]:
    return {kind.name for kind in kinds if kind.has_tree_wide_ids}


def _find_duplicate_numbers(
    atoms: KnownAtoms, kinds: Kinds, repeated_ids: Collection[str]
) -> Iterator[Finding]:
    """Yield a finding for each id that atoms of several projects have, as after a merge."""
    first: dict[str, Atom] = {}
    for atom in atoms.iter_kinds(_list_tree_wide_kinds(kinds)):
        ident = atom.ref.rpartition("/")[2]
        if ident in repeated_ids and atom.ref != first.setdefault(ident, atom).ref:
            message = f"`{ident}` is also the id of {first[ident].path}"
            yield Finding(atom.path, "duplicate-id", message, atom.field_lines.get("id", 1))


def _find_bad_project_names(projects: Iterable[str]) -> Iterator[Finding]:
    for project in sorted(filter(None, projects)):
        if not is_project_name(project):
            message = "allowed are up to 64 characters of a-z, 0-9, `.`, `_` and `-`"
            yield Finding(f"projects/{project}", "bad-project-name", message)


def _find_dangling_refs(
    atom: Atom, by_ref: AtomsByRef, tree_wide: Collection[str], kinds: Kinds
) -> Iterator[Finding]:
    for cited, line in atom.cited_refs:
        if cited in tree_wide or find_ref(cited, atom.project, by_ref):
            continue
        if kinds.find_by_id(cited.rpartition("/")[2]):  # else it is no ref of this tree: MIL-188
            yield Finding(atom.path, "dangling-ref", f"no atom named `{cited}`", line)


def _find_stale_evidence(atom: Atom, by_ref: AtomsByRef) -> Iterator[Finding]:
    """Yield a finding for evidence that is no longer active and was not reviewed.

    The evidence of an anti-pattern is what failed, so it is not checked.
    """
    evidence_refs = list_evidence_refs(atom)
    if not evidence_refs or is_anti_pattern(atom.text_field("summary")):
        return

    def find(cited: str, project: str) -> Atom | None:
        ref = find_ref(cited, project, by_ref)
        return by_ref[ref][0] if ref else None

    for cited, key in evidence_refs:
        evidence = find(cited, atom.project)
        status = parse_atom_status(evidence.text_field("status") if evidence else "")
        is_outdated = status.section is not IndexMdSection.ACTIVE
        if evidence and is_outdated and not is_reviewed_since_change(atom, evidence, find):
            message = f"`{cited}` is {status.word}"
            yield Finding(atom.path, "stale-evidence", message, atom.field_lines.get(key, 1))


def _find_one_way_links(atom: Atom, by_ref: AtomsByRef) -> Iterator[Finding]:
    """Yield a finding if the successor of an atom does not link back to it."""
    for successor in find_unlinked_successors(atom, by_ref)[:1]:
        message = f"it replaces `{atom.ref}` but does not link to it"
        line = successor.field_lines.get("links", 1)
        yield Finding(successor.path, "one-way-link", message, line)
