"""Run the tools for stories."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import USER
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.untrusted_text import clean_line, clean_text
from cortexfs.interfaces.mcp.tool import CHANGE_MODE, MEMORY_MODE, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.core.tools.tool_arguments import Arguments
    from cortexfs.interfaces.mcp.tool import ToolContext
    from cortexfs.operations.stories.recall_story import RecalledMemory

MAX_RECALLED = 50
"""Maximum number of passages."""
MAX_VISIBLE = 1_000_000


def list_all(context: ToolContext, given: Arguments) -> ToolResult:
    """List the stories of a project."""
    from cortexfs.operations.stories.list_stories import list_stories

    found = list_stories(context.session, _find_project(context, given))
    lines = [
        f"{one.name}: {format_count(one.messages, 'message')}, "
        f"{format_count(one.speakers, 'speaker')}, last {one.last_time or 'at an unknown time'}"
        for one in found
    ]
    return ToolResult("\n".join(map(clean_line, lines)) or "no stories")


def append(context: ToolContext, given: Arguments) -> ToolResult:
    """Add a message to a story."""
    from cortexfs.operations.stories.append_message import append_message

    said = Message("", "", given.text("speaker"), given.text("role"), given.text("text"))
    project, story = _find_project(context, given), given.text("story")
    done = append_message(context.session, project, story, said, mode=MEMORY_MODE)
    return ToolResult(f"Added message {done.number} to the story {clean_line(story)}")


def recall(context: ToolContext, given: Arguments) -> ToolResult:
    """Recall passages of a story."""
    from cortexfs.operations.stories.recall_story import RecallQuery, recall_story

    query = RecallQuery(
        (Message("", "", "", USER, given.text("query")),),
        memories=min(max(given.integer("limit"), 0), MAX_RECALLED),
        visible=min(max(given.integer("visible"), 0), MAX_VISIBLE),
    )
    project, story = _find_project(context, given), given.text("story")
    found = recall_story(context.session, project, story, query)
    if not found.memories:
        return ToolResult("nothing to recall")
    lines = [line for memory in found.memories for line in _format_memory(memory)]
    lines += map(_format_entity, found.entities)
    header = f"Recalled {format_count(len(found.memories), 'passage')} of {clean_line(story)}:"
    return ToolResult("\n".join(lines), f"{project}/{clean_line(story)}", header)


def render(context: ToolContext, given: Arguments) -> ToolResult:
    """Expand the macros of a template."""
    from cortexfs.operations.stories.recall_story import RecallQuery
    from cortexfs.operations.stories.render_story_template import render_story_template

    asked = given.text("query")
    said = (Message("", "", "", USER, asked),) if asked else ()
    query = RecallQuery(said, max(given.integer("budget"), 0))
    project, story = _find_project(context, given), given.text("story")
    found = render_story_template(context.session, project, story, given.text("template"), query)
    return ToolResult(clean_text(found.text), f"{project}/{clean_line(story)}")


def correct(context: ToolContext, given: Arguments) -> ToolResult:
    """Correct an entity, or show what that would change."""
    from cortexfs.operations.stories.correct_entity import CorrectionRequest, correct_entity
    from cortexfs.operations.stories.find_entity import Whereabouts

    where = Whereabouts(given.text("project") or context.project, context.cwd)
    ref, change, item, value = map(given.text, ("entity", "change", "item", "value"))
    request = CorrectionRequest(ref, change, item, value, where)
    mode = ExecutionMode.DRY_RUN if given.flag("dry_run") else CHANGE_MODE
    done = correct_entity(context.session, request, mode=mode)
    paths = [*done.changed_paths, *(remove.path for remove in done.plan.removes)]
    files = ", ".join(path for path in paths if path.endswith(".md")) or "nothing"
    would = "Would change" if mode.is_dry_run else "Changed"
    lines = [f"{done.plan.message}", f"{would} {files}"]
    if done.new_ref:
        lines.append(f"The name is that of {done.new_ref}")
    return ToolResult("\n".join(map(clean_line, lines)))


def _find_project(context: ToolContext, given: Arguments) -> str:
    """Return the given project, or that of the server; raise `NoSuchProject` if there is none."""
    from cortexfs.operations.shared.resolve_names import require_project

    return require_project(context.session, given.text("project") or context.project)


def _format_memory(memory: RecalledMemory) -> Iterator[str]:
    ago = format_count(memory.distance, "message")
    yield clean_line(f"[{memory.ref}, messages {memory.first} to {memory.last}, {ago} ago]")
    yield clean_text(memory.text)


def _format_entity(entity: KnownEntity) -> str:
    """Return a line about somebody or something that is concerned."""
    facts = "; ".join(fact.text for fact in entity.facts)
    about = ". ".join(filter(None, (entity.description, facts)))
    return clean_line(f"{entity.name}, {entity.type}, {entity.status}{about and ': '}{about}")
