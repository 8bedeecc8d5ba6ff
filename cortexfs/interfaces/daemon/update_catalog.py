"""The daemon's own jobs: prepare everything at the start, and bring the catalog up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.daemon.job_schedule import Trigger
from cortexfs.interfaces.daemon.job_table import CATALOG
from cortexfs.interfaces.watch import MAX_CHANGED_PATHS
from cortexfs.operations.prepare_embeddings import EmbeddingReadiness, prepare_embeddings
from cortexfs.operations.regenerate_indexes import has_pending_work

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from cortexfs.interfaces.daemon.job_table import Job
    from cortexfs.session.session import Session


class CatalogUpdate(NamedTuple):
    """What changed, how many files the catalog has, and which jobs ran at once.

    If only some paths were compared, `embeddings` is None, and `has_notes` and `has_pending_work`
    are false.
    """

    changed_paths: list[str]
    file_count: int
    embeddings: EmbeddingReadiness | None = None
    has_notes: bool = False
    has_pending_work: bool = False
    """Whether an index may be out of date: another job can have ingested what has changed."""
    finished_jobs: tuple[str, ...] = ()

    @property
    def is_large(self) -> bool:
        """Whether many files were read, or everything was prepared."""
        return bool(self.finished_jobs) or len(self.changed_paths) > MAX_CHANGED_PATHS


def update_catalog(session: Session, paths: Collection[str] | None) -> CatalogUpdate:
    """Ingest the files that have changed, among these paths or all, with their texts."""
    by_events = session.comparisons.refresh_by_events() if paths is not None else None
    paths = None if by_events is None else paths
    changed = sorted({*session.refresh(paths)} | (by_events or set()))
    session.ingest_texts()
    update = CatalogUpdate(changed, session.catalog.count_files())
    if paths is not None:
        return update
    has_notes = session.tree.spool.count_waiting() > 0
    return update._replace(
        embeddings=prepare_embeddings(session),
        has_notes=has_notes,
        has_pending_work=has_pending_work(session),
    )


def warm_up_tree(
    session: Session, environ: Mapping[str, str], jobs: Sequence[Job]
) -> CatalogUpdate:
    """Bring the catalog up to date, and run each job that follows a change."""
    update, settings = update_catalog(session, None), session.settings.daemon
    on_change = [job for job in jobs if Trigger.CHANGE in job.get_rule(settings).triggers]
    for job in on_change:
        (job.prepare or job.run)(session, environ)
    names = (CATALOG, *(job.name for job in on_change))
    return update._replace(changed_paths=[], has_pending_work=False, finished_jobs=names)
