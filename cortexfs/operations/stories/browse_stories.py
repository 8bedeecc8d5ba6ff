"""List the stories of all projects for pages: filtered, counted and sorted."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.chunk_file import digest_settings
from cortexfs.errors import NoSuchStory, Refused
from cortexfs.operations.stories.read_parsed_files import read_chunk_rows
from cortexfs.operations.stories.read_story_record import read_story_record
from cortexfs.operations.stories.story_record import list_story_names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from cortexfs.core.stories.chat_record import ChatRecord
    from cortexfs.core.stories.chunk_row import ChunkRow
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

STORY_SORTS = {"last": True, "name": False, "messages": True, "speakers": True, "chunks": True}
"""The orders of the list of all stories, each with whether it begins with the highest."""
STORIES_PER_PAGE = 100
NEEDS_NOTHING = "current"
"""The state of a story of which no chunk is outdated or edited, and no line broken."""


class StoryFigures(NamedTuple):
    """A story: its messages, speakers, chunks, and the time of its last message.

    `outdated` counts the chunks that were made with other settings, `edited` those that a person
    has changed, `broken` the lines of the record that cannot be read.
    """

    name: str
    messages: int
    speakers: int
    chunks: int
    outdated: int
    edited: int
    broken: int
    last_time: str

    @property
    def states(self) -> tuple[str, ...]:
        """What is to be said of it: `outdated`, `edited`, `broken`, or `NEEDS_NOTHING`."""
        found = ("outdated", "edited", "broken")
        return tuple(each for each in found if getattr(self, each)) or (NEEDS_NOTHING,)


class ListedStory(NamedTuple):
    """A story of a list of all projects; `problem` says why its record cannot be read, if so."""

    project: str
    figures: StoryFigures
    problem: str = ""

    @property
    def states(self) -> tuple[str, ...]:
        """What is to be said of it."""
        return ("unreadable",) if self.problem else self.figures.states


class StoryFilter(NamedTuple):
    """Which stories; empty fields are any. `text` is a part of the name or the project.

    Page 0 has all of them.
    """

    text: str = ""
    project: str = ""
    state: str = ""
    sort: str = "last"
    descending: bool = True
    page: int = 0


class StorySelection(NamedTuple):
    """The stories of a page, the number of all that match, and the counts of all by facet."""

    stories: list[ListedStory]
    total: int
    facets: Mapping[str, Sequence[tuple[str, int]]]


def list_all_stories(session: Session) -> list[ListedStory]:
    """Return the stories of all projects, by project and name."""
    with session.read() as view:
        found: list[ListedStory] = []
        for project in view.tree.list_projects():
            if names := list_story_names(view, project):
                count = _make_counter(session, view, project)
                found += [_list_story(project, name, count) for name in names]
        return found


def _list_story(project: str, name: str, count: Callable[[str], StoryFigures]) -> ListedStory:
    try:
        return ListedStory(project, count(name))
    except (Refused, NoSuchStory) as error:  # one record stops no list of the others
        return ListedStory(project, StoryFigures(name, 0, 0, 0, 0, 0, 0, ""), str(error))


def select_stories(stories: Sequence[ListedStory], wanted: StoryFilter) -> StorySelection:
    """Return the stories that match, in their order, and what another choice would give."""
    chosen = [each for each in stories if _matches(each, wanted)]
    chosen.sort(key=lambda each: _sort_key(each, wanted.sort), reverse=wanted.descending)
    projects = Counter(
        each.project for each in stories if _matches(each, wanted._replace(project=""))
    )
    states = Counter(
        state
        for each in stories
        if _matches(each, wanted._replace(state=""))
        for state in each.states
    )
    first = (wanted.page - 1) * STORIES_PER_PAGE
    shown = chosen[first : first + STORIES_PER_PAGE] if wanted.page else chosen
    facets = {"project": projects.most_common(), "state": states.most_common()}
    return StorySelection(shown, len(chosen), facets)


def _matches(story: ListedStory, wanted: StoryFilter) -> bool:
    names = f"{story.project}/{story.figures.name}".casefold()
    return (
        wanted.text.casefold() in names
        and wanted.project in {"", story.project}
        and wanted.state in {"", *story.states}
    )


def _sort_key(story: ListedStory, sort: str) -> tuple[str | int, str, str]:
    figures = story.figures
    values: dict[str, str | int] = {
        "name": figures.name,
        "messages": figures.messages,
        "speakers": figures.speakers,
        "chunks": figures.chunks,
    }
    return values.get(sort, figures.last_time), story.project, figures.name


def _make_counter(session: Session, view: View, project: str) -> Callable[[str], StoryFigures]:
    """Return what counts a story of a project by its name."""
    current = digest_settings(view.settings.stories)
    own: dict[str, list[ChunkRow]] = {}
    for row in read_chunk_rows(session, view, project):
        own.setdefault(row.story, []).append(row)

    def count(name: str) -> StoryFigures:
        record = read_story_record(view, project, name)
        return count_story(name, record, own.get(name, []), current)

    return count


def count_story(
    name: str, record: ChatRecord, chunks: Sequence[ChunkRow], current: str
) -> StoryFigures:
    """Return the figures of a story; `current` is the digest of the present settings."""
    messages = record.messages
    return StoryFigures(
        name,
        len(messages),
        len({message.speaker for message in messages}),
        len(chunks),
        sum(each.analysis != current and not each.is_edited for each in chunks),
        sum(each.is_edited for each in chunks),
        len(record.broken),
        max((message.time for message in messages), default=""),
    )
