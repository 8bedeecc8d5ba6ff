"""Estimate what asking a language model about a story would cost, before it is asked."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.sidecar.analysis_request import make_analysis_request
from cortexfs.language_model.describe_model import describe_model
from cortexfs.operations.stories.ask_sidecar import make_request, split_chunks
from cortexfs.operations.stories.rebuild_story import plan_rebuild
from cortexfs.operations.stories.waiting_chunks import list_waiting_chunks

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.language_model.model_types import ModelRequest
    from cortexfs.language_model.describe_model import ModelState
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.session.session import Session

CHARS_PER_TOKEN = 4
TOKENS_OF_CHUNK, TOKENS_OF_SUMMARY = 250, 300
"""Estimated tokens of an answer about a chunk, and of a summary."""


class SidecarCost(NamedTuple):
    """What a model would be asked at most: chunks, scenes and arcs, requests, estimated tokens.

    `model` has the calls that are left today; None if no model is configured.
    """

    chunks: int
    summaries: int
    requests: int
    tokens: int
    model: ModelState | None

    @property
    def calls_left(self) -> int:
        """How many calls the budget of the day has left."""
        return self.model.calls_left if self.model else 0


def estimate_sidecar(
    session: Session, project: str, name: str, environ: Mapping[str, str]
) -> SidecarCost:
    """Return what asking about a whole story would cost; no call is made."""
    settings = session.settings.stories
    with session.read() as view:
        waiting = list_waiting_chunks(view, project, name)
        planned = plan_rebuild(view, project, name).summaries
    batches = split_chunks(waiting, settings.sidecar.batch)
    requests = [make_analysis_request([each.messages for each in batch]) for batch in batches]
    tokens = sum(map(_count_tokens, requests)) + TOKENS_OF_CHUNK * len(waiting)
    count, more = 0, 0
    if settings.consolidation.enabled:
        count, more = _estimate_summaries(planned, is_all=bool(waiting))
    model = describe_model(environ, session.clock())
    return SidecarCost(len(waiting), count, len(requests) + count, tokens + more, model)


def _estimate_summaries(planned: SummaryPlan, *, is_all: bool) -> tuple[int, int]:
    """Return the number of scenes and arcs that are asked about, and the tokens.

    Analysed chunks are other ones, so all their scenes may be asked about anew.
    """
    untold = [(kind, files) for kind, found in planned.untold.items() for files in found]
    tokens = sum(_count_tokens(make_request(kind, files)) for kind, files in untold)
    count = planned.scenes + planned.arcs if is_all else len(untold)
    each = tokens / len(untold) + TOKENS_OF_SUMMARY if untold else TOKENS_OF_SUMMARY
    return count, ceil(each * count)


def _count_tokens(request: ModelRequest) -> int:
    return ceil((len(request.text) + len(request.instructions)) / CHARS_PER_TOKEN)
