"""Render a template of a prompt: its macros are expanded with what a story recalls."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bulletin.measure_text import make_token_budget
from cortexfs.core.stories.prompt.macro_parts import MacroSources
from cortexfs.core.stories.prompt.macros import expand_macros, find_macros
from cortexfs.core.stories.prompt.story_macros import make_story_macros
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.recall_story import Recall, RecallQuery, recall_in_view
from cortexfs.operations.stories.story_memory import StoryMemory
from cortexfs.operations.stories.story_record import require_story
from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from cortexfs.core.settings.story_settings import Formatter
    from cortexfs.session.session import Session

NOTHING = Recall("", 0, (), (), ())
"""What a story without messages recalls."""


class RenderedTemplate(NamedTuple):
    """The text of a template with its macros expanded, and what was recalled for it.

    `recall` is empty if no macro needed it.
    """

    text: str
    recall: Recall


def render_story_template(  # noqa: PLR0917 - a contract of several interfaces
    session: Session,
    project: str,
    name: str,
    template: str,
    query: RecallQuery,
    formatter: Formatter | None = None,
) -> RenderedTemplate:
    """Return a template with its macros expanded; only what they need is computed.

    What they bring has together at most the budget of the query, or else that of the settings.
    Raises `Refused` if there is no such story.
    """
    with session.read(NeededContents.TEXTS) as view:
        require_project(view, project)
        require_story(view, project, name)
        memory = StoryMemory(session, view, project, name)
        return render_in_view(memory, template, query, formatter)


def render_in_view(
    memory: StoryMemory,
    template: str,
    query: RecallQuery,
    formatter: Formatter | None = None,
) -> RenderedTemplate:
    """Return the same in a view with texts; of a story without a name nothing is recalled."""
    settings = memory.view.settings.stories.prompt
    budget = make_token_budget(query.budget or settings.budget, memory.view.find_token_counter())
    recalled: list[Recall] = []

    @cache
    def recall() -> Recall:
        recalled.append(recall_in_view(memory, query) if memory.story else NOTHING)
        return recalled[0]

    sources = MacroSources(
        recall,
        cache(memory.find_entity),
        lambda: bool(memory.read_chunks().by_ref),
        settings,
        formatter or settings.formatter,
    )
    macros = make_story_macros(sources, budget, find_macros(template))
    text = expand_macros(template, macros)
    return RenderedTemplate(text, recalled[0] if recalled else NOTHING)
