"""Ask the user's language model about the new chunks of all stories, where the settings want it.

For the background: nobody confirms it. It asks about chunks that are complete, and leaves a part of
the calls of the day to people.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.text.plural import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.language_model.limited_calls import Timing
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

KEPT_SHARE = 4
"""One in so many calls of a day is left to what people ask for: chats, rebuilds, the bulletin."""


class AnalysedStory(NamedTuple):
    """A story, how many of its chunks, scenes and arcs were analysed, and the last failure."""

    project: str
    name: str
    chunks: int
    summaries: int
    failure: str


class AnalysisRun(NamedTuple):
    """What a run did; `skipped_reason` is why it asked nothing, or empty."""

    stories: tuple[AnalysedStory, ...] = ()
    skipped_reason: str = ""

    def format_lines(self) -> list[str]:
        """Return a line for the log for each story."""
        return [
            f"story {each.project}/{each.name}: {format_count(each.chunks, 'chunk')} analysed"
            + (f"; {each.failure}" if each.failure else "")
            for each in self.stories
        ]


def analyse_new_chunks(
    session: Session, environ: Mapping[str, str], *, timing: Timing | None = None
) -> AnalysisRun:
    """Ask about the complete chunks of all stories of which no model has said anything yet.

    Stories that other settings have made wait for their rebuild.
    """
    if not session.settings.stories.sidecar.enabled:
        return AnalysisRun(skipped_reason="the settings want no sidecar")
    with session.read() as view:
        waiting = list(_iter_waiting(view))
    if not waiting:
        return AnalysisRun(skipped_reason="no new chunks")
    done: list[AnalysedStory] = []
    for project, name in waiting:
        room, reason = _count_room(session, environ)
        if not room:
            return AnalysisRun(tuple(done), reason)
        done.append(_analyse(session, (project, name), environ, room, timing))
        if done[-1].failure:
            break
    return AnalysisRun(tuple(done))


def _iter_waiting(view: View) -> Iterator[tuple[str, str]]:
    """Yield project and name of the stories with a chunk that waits, besides the last one."""
    from cortexfs.core.stories.message_numbers import parse_span  # noqa: PLC0415
    from cortexfs.core.stories.story_name import record_path  # noqa: PLC0415 - few trees have a sidecar
    from cortexfs.operations.stories.find_outdated_stories import find_outdated_stories  # noqa: PLC0415

    chunks: dict[tuple[str, str], list[tuple[int, bool]]] = defaultdict(list)
    for project, story, messages, is_asked in view.stories.list_asked(CHUNK_KIND):
        first, _ = parse_span(messages) or (0, 0)
        chunks[project, story].append((first, is_asked))
    outdated = {(each.project, each.name) for each in find_outdated_stories(view)}
    for place, found in sorted(chunks.items()):
        is_waiting = not all(is_asked for _, is_asked in sorted(found)[:-1])
        if is_waiting and place not in outdated and view.tree.is_file(record_path(*place)):
            yield place


def _count_room(session: Session, environ: Mapping[str, str]) -> tuple[int, str]:
    """Return how many requests may be made now; 0 with the reason why none."""
    from cortexfs.language_model.describe_model import describe_model  # noqa: PLC0415 - see above

    model = describe_model(environ, session.clock())
    if model is None:
        return 0, "no language model is configured"
    if model.problem:
        return 0, model.problem
    room = model.calls_left - model.calls_per_day // KEPT_SHARE
    return max(0, room), "" if room > 0 else "the calls of the day are used, but for what is kept"


def _analyse(
    session: Session,
    place: tuple[str, str],
    environ: Mapping[str, str],
    room: int,
    timing: Timing | None,
) -> AnalysedStory:
    """Ask about one story, and write what was said."""
    from cortexfs.language_model.limited_calls import SYSTEM_TIMING  # noqa: PLC0415 - see above
    from cortexfs.operations.stories.ask_sidecar import MAX_REQUESTS, SidecarRange, ask_sidecar  # noqa: PLC0415
    from cortexfs.operations.stories.rebuild_story import rebuild_story  # noqa: PLC0415

    wanted = SidecarRange(min(room, MAX_REQUESTS), but_last=True)
    used = timing or SYSTEM_TIMING
    said = ask_sidecar(session, *place, environ, wanted=wanted, timing=used)
    if said.told.answers or said.told.summaries:
        rebuild_story(session, *place, told=said.told)
    failure = said.failure.message if said.failure else ""
    return AnalysedStory(*place, said.chunks, said.summaries, failure)
