"""Routes for stories: the chats that a project remembers."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.interfaces.json.documents import stories as documents
from cortexfs.interfaces.json.documents.story_entities import (
    CorrectedDocument,
    ExplainedEntityDocument,
)
from cortexfs.interfaces.json.documents.story_recall import RecalledDocument, RenderedDocument
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest import story_bodies as bodies
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.bodies import RenameBody
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint
from cortexfs.interfaces.rest.read_atoms import ATOM

STORIES = "/api/v1/stories/{project}"
STORY = f"{STORIES}/{{story}}"


def list_stories(call: Call, project: given.ProjectName) -> Answer:
    """List the stories of a project."""
    from cortexfs.interfaces.json.stories import to_story_json
    from cortexfs.operations.stories.list_stories import list_stories as list_all

    return make_document(stories=list(map(to_story_json, list_all(call.session, project))))


def import_transcript(
    call: Call, project: given.ProjectName, body: bodies.TranscriptBody
) -> Answer:
    """Import a transcript; each conversation is a story. A second import changes what differs."""
    from cortexfs.interfaces.json.stories import to_transcript_json
    from cortexfs.operations.stories.import_transcript import TranscriptFile
    from cortexfs.operations.stories.import_transcript import import_transcript as take_in

    file = TranscriptFile(body["text"], body.get("title", ""), body.get("format"))
    done = take_in(call.session, project, file, body.get("name", ""), mode=call.mode)
    outcomes = [story.outcome for story in done.stories if story.changes.entries]
    last = outcomes[-1] if outcomes else None
    return make_result(last, {"imported": to_transcript_json(done)}, changed=bool(outcomes))


def append_message(
    call: Call, project: given.ProjectName, story: given.Ident, body: bodies.SaidBody
) -> Answer:
    """Add a message at the end of a story; a new name begins a story."""
    from cortexfs.interfaces.json.stories import to_appended_json
    from cortexfs.operations.stories.append_message import append_message as append

    mode = call.memory_mode
    done = append(call.session, project, story, bodies.read_said(body), mode=mode)
    return make_result(done.outcome, {"appended": to_appended_json(story, done)})


def show_story(
    call: Call,
    project: given.ProjectName,
    story: given.Ident,
    first: Annotated[int, Query(alias="from", ge=0, le=bodies.MAX_VISIBLE)] = 0,
    until: Annotated[int, Query(alias="to", ge=0, le=bodies.MAX_VISIBLE)] = 0,
    last: Annotated[int, Query(ge=0, le=bodies.MAX_VISIBLE)] = 0,
) -> Answer:
    """Show the messages of a story: from a number to another, or the last ones."""
    from cortexfs.interfaces.json.stories import to_message_json
    from cortexfs.operations.stories.show_story import MessageRange
    from cortexfs.operations.stories.show_story import show_story as show

    found = show(call.session, project, story, MessageRange(first, until, last))
    messages = list(map(to_message_json, found.messages))
    return make_document(story=story, total=found.total, messages=messages)


def list_colours(call: Call, project: given.ProjectName, story: given.Ident) -> Answer:
    """List the font colours of the characters of a story."""
    from cortexfs.interfaces.json.stories import to_colour_json
    from cortexfs.operations.stories.list_colours import list_colours as list_all

    found = list_all(call.session, project, story)
    return make_document(colours=list(map(to_colour_json, found)))


def rename_story(
    call: Call, project: given.ProjectName, story: given.Ident, body: RenameBody
) -> Answer:
    """Give a story another name."""
    from cortexfs.interfaces.json.stories import to_renamed_story_json
    from cortexfs.operations.stories.rename_story import rename_story as rename

    done = rename(call.session, project, story, body["to"], mode=call.mode)
    return make_result(done.outcome, {"renamed": to_renamed_story_json(done)})


def remove_story(call: Call, project: given.ProjectName, story: given.Ident) -> Answer:
    """Remove a story: its record, chunks, scenes and arcs, and entities that only it has."""
    from cortexfs.interfaces.json.stories import to_removed_story_json
    from cortexfs.operations.stories.remove_story import remove_story as remove

    done = remove(call.session, project, story, mode=call.mode)
    return make_result(done.outcome, {"removed": to_removed_story_json(done)})


def rebuild_story(call: Call, project: given.ProjectName, story: given.Ident) -> Answer:
    """Make the chunks of a story anew from its record, with the present settings."""
    from cortexfs.interfaces.json.stories import to_rebuild_json
    from cortexfs.operations.stories.rebuild_story import rebuild_story as rebuild

    done = rebuild(call.session, project, story, mode=call.mode)
    changed = bool(done.plan.writes or done.plan.removes)
    return make_result(done.outcome, {"rebuilt": to_rebuild_json(done)}, changed=changed)


def consolidate_story(call: Call, project: given.ProjectName, story: given.Ident) -> Answer:
    """Make the scenes and arcs of a story that are due."""
    from cortexfs.interfaces.json.stories import to_consolidation_json
    from cortexfs.operations.stories.consolidate_story import consolidate_story as consolidate

    done = consolidate(call.session, project, story, mode=call.mode)
    changed = bool(done.plan.writes or done.plan.removes)
    return make_result(done.outcome, {"consolidated": to_consolidation_json(done)}, changed=changed)


def recall_story(
    call: Call, project: given.ProjectName, story: given.Ident, body: bodies.RecallBody
) -> Answer:
    """Recall what of a story matters for a question, or for what was said last."""
    from cortexfs.interfaces.json.story_recall import to_recall_json
    from cortexfs.operations.stories.recall_story import RecallQuery
    from cortexfs.operations.stories.recall_story import recall_story as recall

    query = RecallQuery(
        bodies.read_recalled_for(body),
        memories=body.get("limit", 0),
        record_reads=body.get("count-reads", True),
        visible=body.get("visible", 0),
    )
    return make_document(recall=to_recall_json(recall(call.session, project, story, query)))


def render_template(
    call: Call, project: given.ProjectName, story: given.Ident, body: bodies.RenderBody
) -> Answer:
    """Expand the macros of a template with what a story recalls; nothing counts as read."""
    from cortexfs.interfaces.json.story_recall import to_recall_json
    from cortexfs.operations.stories.recall_story import RecallQuery
    from cortexfs.operations.stories.render_story_template import render_story_template as render

    query = RecallQuery(
        bodies.read_recalled_for(body),
        body.get("budget", 0),
        record_reads=False,
        visible=body.get("visible", 0),
    )
    chosen = body.get("format")
    done = render(call.session, project, story, body["template"], query, chosen)
    document = {"text": done.text, "recall": to_recall_json(done.recall)}
    return make_document(rendered=document)


def correct_entity(
    call: Call, project: given.ProjectName, entity: given.Ident, body: bodies.CorrectionBody
) -> Answer:
    """Correct an entity, by its id or name: its names, type, status, facts, relations, colours."""
    from cortexfs.interfaces.json.story_entities import to_corrected_json
    from cortexfs.operations.stories.correct_entity import CorrectionRequest
    from cortexfs.operations.stories.correct_entity import correct_entity as correct
    from cortexfs.operations.stories.find_entity import Whereabouts

    change, where = body["change"], Whereabouts(project)
    item, value = body.get("item", ""), body.get("value", "")
    done = correct(
        call.session, CorrectionRequest(entity, change, item, value, where), mode=call.mode
    )
    changed = bool(done.plan.writes or done.plan.removes)
    document = {"corrected": to_corrected_json(change, done)}
    return make_result(done.outcome, document, changed=changed)


def explain_entity(call: Call, project: given.ProjectName, entity: given.Ident) -> Answer:
    """Show an entity, by its id or name, and what says each fact about it."""
    from cortexfs.interfaces.json.story_entities import to_entity_explanation_json
    from cortexfs.operations.stories.explain_entity import explain_entity as explain
    from cortexfs.operations.stories.find_entity import Whereabouts

    found = explain(call.session, entity, Whereabouts(project))
    return make_document(entity=to_entity_explanation_json(found))


def explain_chunk(call: Call, ref: given.Ref) -> Answer:
    """Show what a chunk is worth, and what each part of its salience adds."""
    from cortexfs.interfaces.json.stories import to_explanation_json
    from cortexfs.operations.stories.explain_chunk import explain_chunk as explain

    return make_document(chunk=to_explanation_json(explain(call.session, ref, NOWHERE)))


ENDPOINTS = (
    Endpoint("GET", STORIES, list_stories, documents.StoryListDocument),
    Endpoint(
        "POST", STORIES, import_transcript, documents.ImportedTranscriptDocument, Effect.CHANGE
    ),
    Endpoint("GET", STORY, show_story, documents.ShownStoryDocument),
    Endpoint("DELETE", STORY, remove_story, documents.RemovedStoryDocument, Effect.CHANGE),
    Endpoint("GET", f"{STORY}/colours", list_colours, documents.ColourListDocument),
    Endpoint(
        "POST", f"{STORY}/rename", rename_story, documents.RenamedStoryDocument, Effect.CHANGE
    ),
    Endpoint(
        "POST", f"{STORY}/messages", append_message, documents.AppendedDocument, Effect.CHANGE, 201
    ),
    Endpoint("POST", f"{STORY}/rebuild", rebuild_story, documents.RebuiltDocument, Effect.CHANGE),
    Endpoint(
        "POST",
        f"{STORY}/consolidate",
        consolidate_story,
        documents.ConsolidatedDocument,
        Effect.CHANGE,
    ),
    Endpoint("POST", f"{STORY}/recall", recall_story, RecalledDocument),
    Endpoint("POST", f"{STORY}/render", render_template, RenderedDocument),
    Endpoint("GET", f"{STORIES}/entities/{{entity}}", explain_entity, ExplainedEntityDocument),
    Endpoint(
        "POST",
        f"{STORIES}/entities/{{entity}}/correct",
        correct_entity,
        CorrectedDocument,
        Effect.CHANGE,
    ),
    Endpoint("GET", f"{ATOM}/salience", explain_chunk, documents.ExplainedDocument),
)
