"""Atoms in, findings out: what is wrong with each, and between them."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.lifecycle import Section, read_status
from cortexfs.core.atoms.tree_paths import is_project_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.atoms.kinds import Kinds

RESTS_ON = ("evidence", "source-experiments")
"""Fields that name what a claim rests on."""


def check(atoms: Sequence[Atom], kinds: Kinds) -> list[Finding]:
    """Collect every finding about the atoms of a whole tree, in path and line order."""
    by_ref = bearers(atoms)
    findings = [*_own(atoms), *_duplicates(by_ref), *_projects(atoms)]
    for atom in atoms:
        findings += _dangling(atom, by_ref, kinds)
        findings += _fallen(atom, by_ref)
        findings += _one_way(atom, by_ref)
    return sorted(set(findings), key=lambda f: (f.path, f.line, f.code, f.message))


def bearers(atoms: Iterable[Atom]) -> Mapping[str, list[Atom]]:
    """Give those that bear each ref: there should be one."""
    by_ref: dict[str, list[Atom]] = defaultdict(list)
    for atom in atoms:
        by_ref[atom.ref].append(atom)
    return by_ref


def silent_heirs(atom: Atom, by_ref: Mapping[str, list[Atom]]) -> Sequence[Atom]:
    """Give those that an atom may mean by its heir, where the first does not name it back."""
    status = read_status(atom.text("status"))
    if status.section is not Section.SUPERSEDED or not status.cause:
        return ()
    heirs = by_ref.get(_named(status.cause, atom.project)) or by_ref.get(status.cause, [])
    named = (atom.ref in {c, _named(c, heir.project)} for heir in heirs[:1] for c, _ in heir.cites)
    return () if any(named) else heirs


def own_findings(atom: Atom) -> list[Finding]:
    """Give what is wrong with one atom by itself, as findings about its file."""
    return [Finding(atom.path, f.code, f.message, f.line, f.column) for f in atom.flaws]


def _own(atoms: Iterable[Atom]) -> Iterator[Finding]:
    for atom in atoms:
        yield from own_findings(atom)


def _duplicates(by_ref: Mapping[str, list[Atom]]) -> Iterator[Finding]:
    for ref, bearers in by_ref.items():
        for atom in bearers[1:]:
            first = bearers[0].path
            line = atom.lines.get("id", 1)
            yield Finding(atom.path, "duplicate-id", f"`{ref}` is also {first}", line)


def _projects(atoms: Iterable[Atom]) -> Iterator[Finding]:
    for project in sorted({atom.project for atom in atoms if atom.project}):
        if not is_project_name(project):
            message = "allowed are a-z, 0-9, `.`, `_` and `-`, up to 64"
            yield Finding(f"projects/{project}", "bad-project-name", message)


def _dangling(atom: Atom, by_ref: Mapping[str, list[Atom]], kinds: Kinds) -> Iterator[Finding]:
    for cited, line in atom.cites:
        if _named(cited, atom.project) in by_ref or cited in by_ref:
            continue
        if kinds.of_id(cited.rpartition("/")[2]):  # MIL-188 is somebody else's numbering
            yield Finding(atom.path, "dangling-ref", f"no atom named `{cited}`", line)


def _fallen(atom: Atom, by_ref: Mapping[str, list[Atom]]) -> Iterator[Finding]:
    """Tell which of the atoms that one rests on no longer stand."""
    for key in RESTS_ON:
        for cited in atom.words(key):
            for basis in by_ref.get(_named(cited, atom.project), ())[:1]:
                status = read_status(basis.text("status"))
                if status.section is not Section.ACTIVE:
                    message = f"`{cited}` is {status.word}"
                    line = atom.lines.get(key, 1)
                    yield Finding(atom.path, "stale-evidence", message, line)


def _one_way(atom: Atom, by_ref: Mapping[str, list[Atom]]) -> Iterator[Finding]:
    """Tell that the heir of an atom does not name it: its readers learn of no forebear."""
    for heir in silent_heirs(atom, by_ref)[:1]:
        message = f"it is the heir of `{atom.ref}`, and does not name it"
        yield Finding(heir.path, "one-way-link", message, heir.lines.get("links", 1))


def _named(cited: str, project: str) -> str:
    """Say a ref in full, as seen from a project."""
    return f"{project}/{cited}" if project and "/" not in cited else cited
