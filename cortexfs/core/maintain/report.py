"""All that maintenance finds in a project, and what of it is only a matter of rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.maintain.clusters import Cluster, link_clusters, tag_clusters
from cortexfs.core.maintain.inputs import is_unmarked
from cortexfs.core.maintain.refuted_experiments import Contradicted, contradicted
from cortexfs.core.maintain.successor_chains import supersede_chains
from cortexfs.core.maintain.unread_atoms import STALE_DAYS, Unread, cold, unread
from cortexfs.core.maintain.unsupported_claims import Contradiction, Severity, contradictions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from cortexfs.core.maintain.inputs import Study


class Report(NamedTuple):
    """What one project needs, most urgent first.

    `logged_days` is for how long looks are known to be logged: where that is less than
    `STALE_DAYS`, that nobody has looked at an atom says nothing.
    """

    project: str
    contradictions: list[Contradiction]
    contradicted: list[Contradicted]
    stale: list[Unread]
    tag_clusters: list[Cluster]
    link_clusters: list[Cluster]
    chains: list[tuple[str, ...]]
    cold: list[str]
    logged_days: int

    @property
    def is_empty(self) -> bool:
        """Tell whether nothing needs anybody."""
        return not any(self[1:-1])


class Mark(NamedTuple):
    """A status that follows from a rule alone, and why."""

    ref: str
    path: str
    status: str
    why: str


def report(study: Study, today: date) -> Report:
    """Look for everything in one project."""
    return Report(
        study.project,
        contradictions(study),
        contradicted(study),
        unread(study, today),
        tag_clusters(study),
        link_clusters(study),
        supersede_chains(study),
        cold(study, today),
        today.toordinal() - study.since if study.since else 0,
    )


def marks(study: Study, found: Report) -> list[Mark]:
    """Give the statuses that need nobody's judgement.

    `challenged` for a claim that must name its ground, all of which has fallen, by what brought
    it down. `stale` for an old atom that nobody has looked at and nothing names, where looks
    have been logged for long enough.
    """
    return [*_challenged(study, found), *_stale(found)]


def _challenged(study: Study, found: Report) -> Iterator[Mark]:
    for one in found.contradictions:
        entry = study.tree[one.ref]
        fell = one.severity is Severity.ALL and one.by and is_unmarked(entry)
        if fell and study.is_claim(entry):
            by = one.by.removeprefix(f"{study.project}/")
            why = f"all that it rests on has fallen: {', '.join(one.fallen)}"
            yield Mark(one.ref, one.path, f"challenged:{by}", why)


def _stale(found: Report) -> Iterator[Mark]:
    if found.logged_days > STALE_DAYS:
        for one in found.stale:
            if one.alone:
                why = f"{one.days} days old, never looked at, named nowhere"
                yield Mark(one.ref, one.path, "stale", why)
