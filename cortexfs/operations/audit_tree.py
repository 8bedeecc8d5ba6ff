"""Audit the memories of a tree: duplicates, loops, secrets, evidence, what was never read."""

from __future__ import annotations

from itertools import chain, groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Flaw
from cortexfs.core.atoms.evidence_refs import list_evidence_refs
from cortexfs.core.atoms.kinds import PROMPT_KIND, SESSION_KIND, STORY_KINDS
from cortexfs.core.atoms.lifecycle import IndexMdSection, parse_atom_status
from cortexfs.core.atoms.refs import find_ref
from cortexfs.core.audit.audit_rules import AuditFinding, AuditReport, make_report
from cortexfs.core.audit.audit_texts import AuditedText, audit_texts
from cortexfs.core.frontmatter.atom_text import split_front_and_body
from cortexfs.core.maintain.unread_atoms import STALE_DAYS
from cortexfs.core.maintain.unsupported_claims import Severity
from cortexfs.operations.check import collect_findings
from cortexfs.operations.maintain import maintain
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cortexfs.core.atoms.atom import Atom
    from cortexfs.core.checks.citation_checksums import CitedFileSource
    from cortexfs.core.maintain.maintenance_report import MaintenanceReport
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

CHECKED_RULES = {
    "secret": "secret",
    "cited-line-changed": "stale-citation",
    "stale-evidence": "stale-evidence",
}
"""The findings of `check` that are findings of an audit, and their rules."""
_UNCOMPARED_KINDS = frozenset({SESSION_KIND, PROMPT_KIND, *STORY_KINDS})
"""Kinds whose atoms may well have the same text."""


def audit_tree(
    session: Session, projects: Sequence[str] | None, sources: CitedFileSource | None = None
) -> AuditReport:
    """Return the findings about some projects, or about the whole tree.

    Personal memories are examined with the whole tree. Cited lines are compared if `sources` knows
    their project's folder.
    """
    needed = maintain(session, projects)
    with session.read(NeededContents.FINDINGS) as view:
        findings, examined = _audit_groups(view, projects)
        findings += _find_orphans(view, _iter_wanted(view, projects))
        findings += (
            AuditFinding(CHECKED_RULES[each.code], f"{each.path}:{each.line}", each.message)
            for each in collect_findings(view, projects, sources).findings
            if each.code in CHECKED_RULES
        )
    findings += (finding for each in needed.reports for finding in _find_unread(each))
    return make_report(examined, _drop_repeated_secrets(findings))


def _iter_wanted(view: View, projects: Sequence[str] | None) -> Iterator[Atom]:
    """Yield the atoms of some projects, or of the whole tree, those of each project together."""
    outside = (atom for atom in view.stored_atoms if not atom.project)
    inside = (atom for atom in view.stored_atoms if atom.project)
    every = chain(outside, inside)  # paths outside are before and after those of projects
    return (atom for atom in every if projects is None or atom.project in projects)


def _audit_groups(view: View, projects: Sequence[str] | None) -> tuple[list[AuditFinding], int]:
    """Return the findings about texts, of one project after another, and how many texts it has."""
    findings, examined = list[AuditFinding](), 0
    for _, atoms in groupby(_iter_wanted(view, projects), attrgetter("project")):
        texts = list(_iter_texts(view, atoms))
        findings += audit_texts(texts)
        examined += len(texts)
    return findings, examined


def _iter_texts(view: View, atoms: Iterable[Atom]) -> Iterator[AuditedText]:
    """Yield the current atoms; those of one project are compared with each other."""
    for atom in atoms:
        if atom.kind in _UNCOMPARED_KINDS or not _is_current(atom):
            continue
        file = view.tree.read_text_or_flaw(atom.path)
        if not isinstance(file, Flaw):
            body = split_front_and_body(file.text)[1]
            yield AuditedText(atom.path, atom.text_field("summary"), body, atom.project)


def _is_current(atom: Atom) -> bool:
    status = parse_atom_status(atom.text_field("status"))
    return status.section is IndexMdSection.ACTIVE and "deleted-at" not in atom.fields


def _find_orphans(view: View, wanted: Iterable[Atom]) -> Iterator[AuditFinding]:
    """Yield the evidence that names no atom."""
    by_ref = view.stored_atoms
    for atom in wanted:
        for cited, _ in list_evidence_refs(atom):
            is_ref = view.kinds.find_by_id(cited.rpartition("/")[2])
            if is_ref and not find_ref(cited, atom.project, by_ref):
                yield AuditFinding("orphaned-evidence", atom.path, f"no atom named {cited}")


def _find_unread(report: MaintenanceReport) -> Iterator[AuditFinding]:
    """Yield the claims without any valid evidence, and the atoms that nobody read."""
    for claim in report.unsupported_claims:
        if claim.severity is Severity.ALL:
            message = f"all its evidence was refuted: {', '.join(claim.unreliable_refs)}"
            yield AuditFinding("orphaned-evidence", claim.path, message)
    if report.logged_days > STALE_DAYS:
        for ref in sorted({*report.cold_refs, *(atom.ref for atom in report.unread_atoms)}):
            yield AuditFinding("never-read", ref, "never read")


def _drop_repeated_secrets(findings: Sequence[AuditFinding]) -> list[AuditFinding]:
    """Return the findings without those about secrets that `check` reports with their line."""
    known = {f.place.rpartition(":")[0] for f in findings if f.rule == "secret"}
    return [f for f in findings if f.rule != "secret" or f.place not in known]
