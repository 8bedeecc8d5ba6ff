"""Render a template of a prompt: its macros are expanded with what a story recalls."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.bulletin.measure_text import make_token_budget
from cortexfs.core.stories.prompt.macro_parts import MacroSources
from cortexfs.core.stories.prompt.macros import expand_macros, find_macros
from cortexfs.core.stories.prompt.story_macros import make_story_macros
from cortexfs.operations.shared.resolve_names import require_project
from cortexfs.operations.stories.recall_story import Recall, RecallQuery, recall_story
from cortexfs.operations.stories.story_memory import StoryMemory
from cortexfs.operations.stories.story_record import list_story_names, require_story

if TYPE_CHECKING:
    from cortexfs.core.settings.story_settings import Formatter
    from cortexfs.core.stories.read_entity_file import KnownEntity
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
    *,
    is_new_allowed: bool = False,
) -> RenderedTemplate:
    """Return a template with its macros expanded; only what they need is computed.

    What they bring has together at most the budget of the query, or else that of the settings.
    Raises `Refused` if there is no such story, unless `is_new_allowed`: then nothing is recalled.
    """
    with session.read() as view:
        require_project(view, project)
        is_known = name in list_story_names(view, project)
        if not (is_known or is_new_allowed):
            require_story(view, project, name)
        settings = view.settings.stories.prompt
        budget = make_token_budget(query.budget or settings.budget, view.find_token_counter())
    recalled: list[Recall] = []

    @cache
    def recall() -> Recall:
        recalled.append(recall_story(session, project, name, query) if is_known else NOTHING)
        return recalled[0]

    @cache
    def find_entity(typed: str) -> KnownEntity | None:
        with session.read() as view:
            return StoryMemory(session, view, project, name).find_entity(typed)

    def is_active() -> bool:
        with session.read() as view:
            return bool(StoryMemory(session, view, project, name).list_chunks())

    chosen = formatter or settings.formatter
    sources = MacroSources(recall, find_entity, is_active, settings, chosen)
    macros = make_story_macros(sources, budget, find_macros(template))
    text = expand_macros(template, macros)
    return RenderedTemplate(text, recalled[0] if recalled else NOTHING)
