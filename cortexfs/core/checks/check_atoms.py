"""Check atoms: findings about each atom, and across atoms."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.atoms.anti_pattern_marker import is_anti_pattern
from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.refs import can_refer_to, find_ref
from cortexfs.core.atoms.reviewed_field import is_reviewed_since_change
from cortexfs.core.atoms.tree_paths import is_project_name

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds


def check_atoms(atoms: Sequence[Atom], kinds: Kinds) -> list[Finding]:
    """Return all findings about the atoms of a tree, sorted by path and line."""
    by_ref = group_by_ref(atoms)
    findings = [finding for atom in atoms for finding in to_findings(atom)]
    findings += [*_find_duplicate_ids(by_ref), *_find_bad_project_names(atoms)]
    tree_wide = _group_tree_wide_ids(atoms, kinds)
    findings += _find_duplicate_numbers(tree_wide)
    for atom in atoms:
        findings += _find_dangling_refs(atom, by_ref, tree_wide, kinds)
        findings += _find_stale_evidence(atom, by_ref)
        findings += _find_one_way_links(atom, by_ref)
    return sorted(set(findings), key=lambda f: (f.path, f.line, f.code, f.message))


def group_by_ref(atoms: Iterable[Atom]) -> Mapping[str, list[Atom]]:
    """Return the atoms by ref; each ref should have one."""
    by_ref: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        by_ref[atom.ref].append(atom)
    return by_ref


def find_unlinked_successors(atom: Atom, by_ref: Mapping[str, list[Atom]]) -> Sequence[Atom]:
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


def _find_duplicate_ids(by_ref: Mapping[str, list[Atom]]) -> Iterator[Finding]:
    for ref, atoms in by_ref.items():
        for atom in atoms[1:]:
            message = f"`{ref}` is also the id of {atoms[0].path}"
            yield Finding(atom.path, "duplicate-id", message, atom.field_lines.get("id", 1))


def _group_tree_wide_ids(atoms: Iterable[Atom], kinds: Kinds) -> Mapping[str, list[Atom]]:
    """Return the atoms of kinds that are numbered over the whole tree, by id without a project."""
    names = {kind.name for kind in kinds if kind.has_tree_wide_ids}
    by_id: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        if atom.kind in names:
            by_id[atom.ref.rpartition("/")[2]].append(atom)
    return by_id


def _find_duplicate_numbers(tree_wide: Mapping[str, list[Atom]]) -> Iterator[Finding]:
    """Yield a finding for each id that atoms of several projects have, as after a merge."""
    for ident, atoms in tree_wide.items():
        for atom in atoms[1:]:
            if atom.ref != atoms[0].ref:
                message = f"`{ident}` is also the id of {atoms[0].path}"
                yield Finding(atom.path, "duplicate-id", message, atom.field_lines.get("id", 1))


def _find_bad_project_names(atoms: Iterable[Atom]) -> Iterator[Finding]:
    for project in sorted({atom.project for atom in atoms if atom.project}):
        if not is_project_name(project):
            message = "allowed are up to 64 characters of a-z, 0-9, `.`, `_` and `-`"
            yield Finding(f"projects/{project}", "bad-project-name", message)


def _find_dangling_refs(
    atom: Atom, by_ref: Mapping[str, list[Atom]], tree_wide: Collection[str], kinds: Kinds
) -> Iterator[Finding]:
    for cited, line in atom.cited_refs:
        if cited in tree_wide or find_ref(cited, atom.project, by_ref):
            continue
        if kinds.find_by_id(cited.rpartition("/")[2]):  # else it is no ref of this tree: MIL-188
            yield Finding(atom.path, "dangling-ref", f"no atom named `{cited}`", line)


def _find_stale_evidence(atom: Atom, by_ref: Mapping[str, list[Atom]]) -> Iterator[Finding]:
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


def _find_one_way_links(atom: Atom, by_ref: Mapping[str, list[Atom]]) -> Iterator[Finding]:
    """Yield a finding if the successor of an atom does not link back to it."""
    for successor in find_unlinked_successors(atom, by_ref)[:1]:
        message = f"it replaces `{atom.ref}` but does not link to it"
        line = successor.field_lines.get("links", 1)
        yield Finding(successor.path, "one-way-link", message, line)
