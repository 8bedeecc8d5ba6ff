"""Rebuild a story with what the user's language model says of it.

A long story is written in parts, so that nothing that was said is asked again after a kill.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.language_model.limited_calls import SYSTEM_TIMING
from cortexfs.operations.stories.ask_sidecar import ask_sidecar
from cortexfs.operations.stories.rebuild_story import rebuild_story

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.language_model.limited_calls import Timing
    from cortexfs.operations.stories.plan_chunk_files import Progress
    from cortexfs.operations.stories.rebuild_story import StoryRebuild
    from cortexfs.session.session import Session


class SidecarReport(NamedTuple):
    """Of how many chunks, scenes and arcs a model said something valid, and what went wrong.

    `failure` says why the last question failed, or why others were not asked; empty if all were.
    """

    chunks: int = 0
    summaries: int = 0
    invalid: int = 0
    failed: int = 0
    failure: str = ""


class RebuildWithSidecar(NamedTuple):
    """The last rebuild, and what the model did."""

    rebuild: StoryRebuild
    report: SidecarReport


def rebuild_with_sidecar(
    session: Session,
    project: str,
    name: str,
    environ: Mapping[str, str],
    *,
    progress: Progress | None = None,
    mode: ExecutionMode = ExecutionMode.COMMIT,
    timing: Timing = SYSTEM_TIMING,
) -> RebuildWithSidecar:
    """Ask the model about all that it has not said anything of, and write what it says."""
    report = SidecarReport()
    while True:
        said = ask_sidecar(session, project, name, environ, progress=progress, timing=timing)
        report = SidecarReport(
            report.chunks + said.chunks,
            report.summaries + said.summaries,
            report.invalid + said.invalid,
            report.failed + said.failed,
            said.failure.message if said.failure else report.failure,
        )
        done = rebuild_story(session, project, name, told=said.told, mode=mode)
        is_moving = said.chunks or said.summaries
        if said.is_complete or said.failure or not is_moving:
            return RebuildWithSidecar(done, report)
