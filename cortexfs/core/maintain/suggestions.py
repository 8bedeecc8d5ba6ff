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
    from cortexfs.core.maintain.unsupported_claims import UnsupportedClaim

MAX_NAMED_REFS = 6
"""Maximum number of refs in a line."""


class Suggestion(NamedTuple):
    """One line of a report: its category, a description, and the command to run."""

    sort: str
    about: str
    command: str


def list_suggestions(found: MaintenanceReport) -> Iterator[Suggestion]:
    """Yield the suggestions for a project, most urgent first."""
    for one in found.unsupported_claims:
        yield _contradiction(found.project, one)
    yield from _stale(found)
    for cluster in (*found.tag_clusters, *found.link_clusters):
        yield _cluster(found.project, cluster)
    for chain in found.successor_chains:
        about = " → ".join(_bare([ref], found.project) for ref in chain)
        yield Suggestion("chain", about, _command("show", chain[-1]))
    if found.cold_refs:
        about = f"{format_count(len(found.cold_refs), 'atom')} without a look: "
        about += _some(found.cold_refs, found.project)
        yield Suggestion("cold", about, _command("list", "--cold", "-p", found.project))


def _contradiction(project: str, one: UnsupportedClaim) -> Suggestion:
    """Describe refuted evidence; an atom that is already challenged is to be invalidated."""
    whole = one.severity is Severity.ALL
    known = parse_atom_status(one.status).word in CAUTION_STATUSES
    ground = "all that it rests on" if whole else "part of what it rests on"
    about = f"{_bare([one.ref], project)}: {ground} has fallen, {_some(one.fallen, project)}"
    about += f"; it is {one.status}" if known else ""
    if one.by and (whole or not known):
        status = "invalidated" if known else "challenged"
        command = _command("mark", one.ref, status, "--by", one.by)
    else:
        command = _command("show", one.ref)
    return Suggestion("contradiction", about, command)


def _stale(found: MaintenanceReport) -> Iterator[Suggestion]:
    for one in found.refuted_experiments:
        older, newer = (_bare([ref], found.project) for ref in (one.ref, one.by))
        about = f"{older}: {newer} says so in `{one.word}`"
        yield Suggestion(
            "contradicted", about, _command("mark", one.ref, "challenged", "--by", one.by)
        )
    for unread in found.unread_atoms:
        alone = "" if unread.alone else "; something names it"
        about = f"{_bare([unread.ref], found.project)}: {unread.days} days without a look{alone}"
        yield Suggestion("stale", about, _command("mark", unread.ref, "stale"))


def _cluster(project: str, cluster: Cluster) -> Suggestion:
    """Describe a cluster, and the pattern that is based on it."""
    what = " + ".join(f"`{tag}`" for tag in cluster.tags) or "linked"
    about = f"{what}: {_some(cluster.refs, project)}"
    if cluster.patterns:
        about += f"; see {_some(cluster.patterns, project)}"
        return Suggestion("cluster", about, _command("show", cluster.patterns[0]))
    tags = [word for tag in cluster.tags for word in ("-t", tag)]
    sources = ("--source-experiments", _bare(cluster.refs, project))
    return Suggestion("cluster", about, _new(project, "pattern", "…", *tags, *sources))


def _new(project: str, kind: str, summary: str, *words: str) -> str:
    return _command("new", kind, "-p", project, *words, "-s", summary)


def _command(*words: str) -> str:
    """Format a command with shell quoting of tags and ids."""
    return f"cortexfs {shlex.join(map(to_one_line, words))}"


def _some(refs: Sequence[str], project: str) -> str:
    shown = ", ".join(_bare([ref], project) for ref in refs[:MAX_NAMED_REFS])
    return f"{shown} (+{len(refs) - MAX_NAMED_REFS} more)" if len(refs) > MAX_NAMED_REFS else shown


def _bare(refs: Sequence[str], project: str) -> str:
    """Format refs as they are written within their project."""
    return ",".join(to_one_line(ref.removeprefix(f"{project}/")) for ref in refs)
