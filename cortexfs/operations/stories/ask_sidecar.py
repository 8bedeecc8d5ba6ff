"""Ask the user's language model about the chunks, scenes and arcs of a story.

Nothing is written; what is not answered stays as it is without a model.
"""

from __future__ import annotations

from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ARC_KIND, SCENE_KIND
from cortexfs.core.language_model.model_types import FailureReason, ModelAnswer, ModelFailure
from cortexfs.core.settings.story_settings import SidecarFallback
from cortexfs.core.stories.chunk_file import ChunkAnswer
from cortexfs.core.stories.consolidation.summary_source import digest_sources, read_source
from cortexfs.core.stories.sidecar.analysis_request import make_analysis_request, read_analyses
from cortexfs.core.stories.sidecar.chunk_analysis import digest_messages
from cortexfs.core.stories.sidecar.summary_request import make_summary_request, read_summary
from cortexfs.language_model.ask_in_parallel import ParallelLimits, ask_in_parallel
from cortexfs.language_model.limited_calls import SYSTEM_TIMING
from cortexfs.operations.stories.rebuild_story import ToldByModel, plan_rebuild
from cortexfs.operations.stories.waiting_chunks import list_waiting_chunks

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cortexfs.core.language_model.model_types import ModelRequest
    from cortexfs.core.settings.story_settings import SidecarSettings
    from cortexfs.core.stories.chunk_messages import Chunk
    from cortexfs.core.stories.consolidation.summary_source import SourceFile
    from cortexfs.core.stories.sidecar.summary_request import ToldSummary
    from cortexfs.language_model.limited_calls import Timing
    from cortexfs.operations.stories.plan_chunk_files import Progress
    from cortexfs.session.session import Session

    Receive = Callable[[int, ModelAnswer | None], None]
    """Takes the answer to a question, by the number of that; None: it was not valid."""

MAX_REQUESTS = 150
"""Requests after which what was said is to be written: more answers are not kept elsewhere."""


class SidecarAnswers(NamedTuple):
    """What a model said, and of how much: chunks, scenes and arcs.

    `invalid` counts questions without a valid answer, `failed` those without any; `failure` says
    why the last one failed, or why others were not asked. Without `is_complete` there is more to
    ask.
    """

    told: ToldByModel
    chunks: int
    summaries: int
    invalid: int
    failed: int
    failure: ModelFailure | None
    is_complete: bool


class SidecarRange(NamedTuple):
    """What is asked about at most: how many requests, and whether the last chunk too."""

    requests: int = MAX_REQUESTS
    but_last: bool = False


ALL_OF_IT = SidecarRange()


def ask_sidecar(
    session: Session,
    project: str,
    name: str,
    environ: Mapping[str, str],
    *,
    wanted: SidecarRange = ALL_OF_IT,
    progress: Progress | None = None,
    timing: Timing = SYSTEM_TIMING,
) -> SidecarAnswers:
    """Ask about what has no answer yet, at most `MAX_REQUESTS` times: chunks, then scenes, arcs."""
    ask = partial(ask_in_parallel, environ=environ, timing=timing)
    work = _Asking(session, (project, name), ask, progress, wanted)
    is_complete = work.ask_about_chunks()
    if session.settings.stories.consolidation.enabled:
        for kind in (SCENE_KIND, ARC_KIND):
            is_complete = is_complete and work.ask_about_summaries(kind)
    return work.finish(is_complete=is_complete)


def split_chunks(chunks: Sequence[Chunk], size: int) -> list[Sequence[Chunk]]:
    """Return chunks in parts, of which each is one question."""
    return [chunks[at : at + size] for at in range(0, len(chunks), size)]


def make_request(kind: str, files: Sequence[SourceFile]) -> ModelRequest:
    """Return the question about a scene or an arc (`kind`) that is made of some files."""
    return make_summary_request(kind, [read_source(kind, file) for file in files])


class _Asking:
    """What is asked about one story, and what has been answered."""

    def __init__(
        self,
        session: Session,
        place: tuple[str, str],
        ask: Callable[..., ModelFailure | None],
        progress: Progress | None,
        wanted: SidecarRange,
    ) -> None:
        self._session = session
        self._wanted = wanted
        self._place = place
        self._send = ask
        self._progress = progress
        self._settings: SidecarSettings = session.settings.stories.sidecar
        self._answers: dict[str, ChunkAnswer] = {}
        self._told: dict[str, ToldSummary] = {}
        self._asked = self._invalid = self._failed = 0
        self._failure: ModelFailure | None = None

    def ask_about_chunks(self) -> bool:
        """Ask about the waiting chunks; return whether all were asked about."""
        with self._session.read() as view:
            waiting = list_waiting_chunks(view, *self._place, but_last=self._wanted.but_last)
        batches = split_chunks(waiting, self._settings.batch)
        messages = [[each.messages for each in batch] for batch in batches]
        keeps_all = self._settings.fallback is SidecarFallback.HEURISTIC

        def receive(number: int, answer: ModelAnswer | None) -> None:
            chunks = messages[number]
            said = read_analyses(answer.value, chunks) if answer else [None] * len(chunks)
            self._invalid += answer is not None and None in said
            for each, analysis in zip(chunks, said, strict=True):
                if analysis or keeps_all:
                    digest = digest_messages(each)
                    self._answers[digest] = ChunkAnswer(digest, analysis)

        return self._ask([make_analysis_request(each) for each in messages], receive)

    def ask_about_summaries(self, kind: str) -> bool:
        """Ask about the scenes or arcs of which no model has said anything; return as above."""
        with self._session.read() as view:
            planned = plan_rebuild(view, *self._place, told=self._get_told()).summaries
        found = planned.untold.get(kind, ())

        def receive(number: int, answer: ModelAnswer | None) -> None:
            if answer is None:
                return
            sources = [read_source(kind, file) for file in found[number]]
            if summary := read_summary(answer.value, sources):
                self._told[digest_sources(found[number])] = summary
            else:
                self._invalid += 1

        return self._ask([make_request(kind, files) for files in found], receive)

    def finish(self, *, is_complete: bool) -> SidecarAnswers:
        """Return what was said."""
        return SidecarAnswers(
            self._get_told(),
            sum(each.analysis is not None for each in self._answers.values()),
            len(self._told),
            self._invalid,
            self._failed,
            self._failure,
            is_complete,
        )

    def _get_told(self) -> ToldByModel:
        return ToldByModel(MappingProxyType(self._answers), MappingProxyType(self._told))

    def _ask(self, requests: Sequence[ModelRequest], receive: Receive) -> bool:
        """Ask questions as far as there is room; return whether all were asked."""
        chosen = requests[: max(0, self._wanted.requests - self._asked)]
        self._asked += len(chosen)
        answered = 0

        def take(number: int, answer: ModelAnswer | ModelFailure) -> None:
            nonlocal answered
            answered += 1
            if isinstance(answer, ModelAnswer):
                receive(number, answer)
            elif answer.reason is FailureReason.INVALID_ANSWER:
                self._invalid += 1
                receive(number, None)
            else:
                self._failed += 1
                self._failure = answer
            if self._progress:
                self._progress(answered, len(chosen))

        rule = self._settings
        limits = ParallelLimits(rule.parallel, rule.per_minute, rule.retries)
        end = self._send(chosen, limits=limits, receive=take)
        self._failure = end or self._failure
        return end is None and len(chosen) == len(requests)
