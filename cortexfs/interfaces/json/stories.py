"""Stories as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.stories.chat_record import RecordedMessage
    from cortexfs.core.stories.transcripts.transcript import RefusedLine
    from cortexfs.interfaces.json.documents import stories as documents
    from cortexfs.operations.stories.append_message import AppendedMessage
    from cortexfs.operations.stories.consolidate_story import ConsolidatedStory
    from cortexfs.operations.stories.explain_chunk import ChunkExplanation
    from cortexfs.operations.stories.import_story import StoryImport
    from cortexfs.operations.stories.import_transcript import TranscriptImport
    from cortexfs.operations.stories.list_colours import ListedColour
    from cortexfs.operations.stories.list_stories import StorySummary
    from cortexfs.operations.stories.plan_summaries import SummaryPlan
    from cortexfs.operations.stories.rebuild_story import StoryRebuild
    from cortexfs.operations.stories.rebuild_with_sidecar import SidecarReport
    from cortexfs.operations.stories.remove_story import RemovedStory
    from cortexfs.operations.stories.rename_story import RenamedStory

DIGITS = 4


def to_story_import_json(done: StoryImport) -> documents.StoryImportDocument:
    """Return what an import changed in one story."""
    return {
        "story": done.story,
        "added": done.changes.added,
        "changed": done.changes.changed,
        "deleted": done.changes.deleted,
        "chunks": len(done.files.chunks.writes) + len(done.files.chunks.removes),
        "edited": list(done.files.chunks.edited),
    }


def to_transcript_json(done: TranscriptImport) -> documents.TranscriptDocument:
    """Return what became of a transcript."""
    return {
        "format": str(done.format),
        "stories": list(map(to_story_import_json, done.stories)),
        "refused": list(map(to_refused_json, done.refused)),
    }


def to_appended_json(story: str, done: AppendedMessage) -> documents.AppendedMessageDocument:
    """Return the number of a new message, and the file of its chunk."""
    return {"story": story, "message": done.number, "chunk": done.chunk_path}


def to_renamed_story_json(done: RenamedStory) -> documents.StoryNameDocument:
    """Return the names of a story, and the files that were changed."""
    return {"old": done.old, "new": done.new, "changed": list(done.changed_paths)}


def to_removed_story_json(done: RemovedStory) -> documents.StoryRemovalDocument:
    """Return the removed files of a story."""
    return {
        "story": done.story,
        "records": list(done.records),
        "atoms": list(done.atoms),
        "entities": list(done.entities),
    }


def to_refused_json(refused: RefusedLine) -> documents.RefusedLineDocument:
    """Return a line that could not be read."""
    return {"line": refused.line, "reason": refused.reason}


def to_story_json(story: StorySummary) -> documents.StoryDocument:
    """Return one story, with what it has."""
    return {
        "story": story.name,
        "messages": story.messages,
        "speakers": story.speakers,
        "chunks": story.chunks,
        "told": story.told,
        "scenes": story.scenes,
        "arcs": story.arcs,
        "due": story.due,
        "outdated": story.outdated,
        "edited": story.edited,
        "broken": story.broken,
        "last": story.last_time,
    }


def to_rebuild_json(
    done: StoryRebuild, report: SidecarReport | None = None
) -> documents.StoryRebuildDocument:
    """Return what a rebuild changed; `report` is what the language model did (None: not asked)."""
    chunks, summaries = done.files.chunks, done.files.summaries
    document: documents.StoryRebuildDocument = {
        "story": done.story,
        "messages": done.messages,
        "chunks": done.chunk_count,
        "outdated": done.outdated,
        "written": len(chunks.writes) + len(_list_written(summaries)),
        "removed": len(chunks.removes) + len(summaries.removes),
        "edited": [*chunks.edited, *summaries.edited],
        "scenes": summaries.scenes,
        "arcs": summaries.arcs,
    }
    if report:
        document["sidecar"] = {
            "chunks": report.chunks,
            "summaries": report.summaries,
            "invalid": report.invalid,
            "failed": report.failed,
            "failure": report.failure,
        }
    return document


def to_consolidation_json(done: ConsolidatedStory) -> documents.StoryConsolidationDocument:
    """Return the scenes and arcs of a story, and the paths of those that changed."""
    return {
        "story": done.story,
        "scenes": done.summaries.scenes,
        "arcs": done.summaries.arcs,
        "written": _list_written(done.summaries),
        "removed": [remove.path for remove in done.summaries.removes],
        "edited": list(done.summaries.edited),
    }


def _list_written(made: SummaryPlan) -> list[str]:
    """Return the paths of the scenes and arcs that are written."""
    return [write.path for write in made.writes if write.path.endswith(".md")]


def to_message_json(entry: RecordedMessage) -> documents.StoryMessageDocument:
    """Return a message of a record."""
    message = entry.message
    return {
        "n": entry.number,
        "id": message.ident,
        "time": message.time,
        "speaker": message.speaker,
        "role": message.role,
        "text": message.text,
        "swiped": list(message.swiped),
    }


def to_colour_json(listed: ListedColour) -> documents.ColourDocument:
    """Return a colour of a character."""
    return {
        "ref": listed.ref,
        "name": listed.name,
        "usage": str(listed.colour.usage),
        "colour": listed.colour.colour,
        "confidence": listed.colour.confidence,
        "shown": listed.colour.is_shown,
    }


def to_explanation_json(found: ChunkExplanation) -> documents.ChunkExplanationDocument:
    """Return a chunk and the parts of its salience."""
    return {
        "ref": found.ref,
        "story": found.story,
        "messages": f"{found.chunk.first}-{found.chunk.last}",
        "salience": found.worth.salience,
        "source": found.worth.source,
        "core": found.is_core,
        "emotions": list(found.worth.emotions),
        "flags": list(found.worth.flags),
        "parts": [
            {"name": part.name, "value": round(part.value, DIGITS)} for part in found.salience.parts
        ],
    }
