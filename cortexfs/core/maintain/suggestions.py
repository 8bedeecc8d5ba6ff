"""A report as lines: what was found, and the suggested command."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.lifecycle import CAUTION_STATUSES, parse_atom_status
from cortexfs.core.maintain.unsupported_claims import Severity
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from cortexfs.core.maintain.experiment_clusters import Cluster
    from cortexfs.core.maintain.maintenance_report import MaintenanceReport
    from cortexfs.core.maintain.similar_atoms import SimilarAtoms
    from cortexfs.core.maintain.unsupported_claims import UnsupportedClaim

MAX_NAMED_REFS = 6
"""Maximum number of refs in a line."""


class Suggestion(NamedTuple):
    """One line of a report: its category, what was found, and the command to run."""

    category: str
    subject: str
    command: str


def list_suggestions(report: MaintenanceReport) -> Iterator[Suggestion]:
    """Yield the suggestions for a project, most urgent first."""
    for claim in report.unsupported_claims:
        yield _suggest_for_claim(report.project, claim)
    yield from _suggest_marks(report)
    for cluster in (*report.tag_clusters, *report.link_clusters):
        yield _suggest_pattern(report.project, cluster)
    for chain in report.successor_chains:
        subject = " → ".join(_join_refs([ref], report.project) for ref in chain)
        yield Suggestion("chain", subject, _format_command("show", chain[-1]))
    if report.cold_refs:
        refs = _format_refs(report.cold_refs, report.project)
        subject = f"{format_count(len(report.cold_refs), 'atom')} without reads: {refs}"
        yield Suggestion("cold", subject, _format_command("list", "--cold", "-p", report.project))
    for pair in report.similar_atoms:
        yield _suggest_for_similar(report.project, pair)
    if report.archivable_memories:
        yield _suggest_archiving(report)


def _suggest_archiving(report: MaintenanceReport) -> Suggestion:
    refs = [memory.ref for memory in report.archivable_memories]
    count = format_count(len(refs), "old memory")
    subject = f"{count} of low importance: {_format_refs(refs, report.project)}"
    return Suggestion(
        "archive", subject, _format_command("maintain", "--apply", "-p", report.project)
    )


def _suggest_for_similar(project: str, pair: SimilarAtoms) -> Suggestion:
    """Describe two claims that may say the same; the newer one would replace the older."""
    older, newer = (_join_refs([ref], project) for ref in (pair.older, pair.newer))
    differences = f"; differs: {'; '.join(pair.differences)}" if pair.differences else ""
    subject = f"{older} and {newer} have similar summaries{differences}"
    command = _format_command("mark", pair.older, "superseded", "--by", pair.newer)
    return Suggestion("similar", subject, command)


def _suggest_for_claim(project: str, claim: UnsupportedClaim) -> Suggestion:
    """Describe refuted evidence; an atom that is already challenged is to be invalidated."""
    is_all = claim.severity is Severity.ALL
    is_marked = parse_atom_status(claim.status).word in CAUTION_STATUSES
    evidence = "all its evidence" if is_all else "part of its evidence"
    refs = _format_refs(claim.unreliable_refs, project)
    status = f"; its status is {claim.status}" if is_marked else ""
    subject = (
        f"{_join_refs([claim.ref], project)}: {evidence} was refuted or replaced, {refs}{status}"
    )
    if claim.by and (is_all or not is_marked):
        new_status = "invalidated" if is_marked else "challenged"
        command = _format_command("mark", claim.ref, new_status, "--by", claim.by)
    else:
        command = _format_command("show", claim.ref)
    return Suggestion("contradiction", subject, command)


def _suggest_marks(report: MaintenanceReport) -> Iterator[Suggestion]:
    for one in report.refuted_experiments:
        older, newer = (_join_refs([ref], report.project) for ref in (one.ref, one.by))
        command = _format_command("mark", one.ref, "challenged", "--by", one.by)
        yield Suggestion("contradicted", f"{older}: {newer} names it in `{one.field}`", command)
    for unread in report.unread_atoms:
        ref = _join_refs([unread.ref], report.project)
        linked = "" if unread.is_unlinked else "; something links to it"
        subject = f"{ref}: {unread.days} days without reads{linked}"
        yield Suggestion("stale", subject, _format_command("mark", unread.ref, "stale"))


def _suggest_pattern(project: str, cluster: Cluster) -> Suggestion:
    """Describe a cluster, and the pattern that is based on it."""
    reason = " + ".join(f"`{tag}`" for tag in cluster.tags) or "linked"
    subject = f"{reason}: {_format_refs(cluster.refs, project)}"
    if cluster.patterns:
        subject += f"; see {_format_refs(cluster.patterns, project)}"
        return Suggestion("cluster", subject, _format_command("show", cluster.patterns[0]))
    tags = [word for tag in cluster.tags for word in ("-t", tag)]
    sources = ("--source-experiments", _join_refs(cluster.refs, project))
    command = _format_command("new", "pattern", "-p", project, *tags, *sources, "-s", "…")
    return Suggestion("cluster", subject, command)


def _format_command(*words: str) -> str:
    """Format a command with shell quoting of tags and ids."""
    return f"cortexfs {shlex.join(map(to_one_line, words))}"


def _format_refs(refs: Sequence[str], project: str) -> str:
    shown = ", ".join(_join_refs([ref], project) for ref in refs[:MAX_NAMED_REFS])
    return f"{shown} (+{len(refs) - MAX_NAMED_REFS} more)" if len(refs) > MAX_NAMED_REFS else shown


def _join_refs(refs: Sequence[str], project: str) -> str:
    """Format refs as they are written within their project."""
    return ",".join(to_one_line(ref.removeprefix(f"{project}/")) for ref in refs)
