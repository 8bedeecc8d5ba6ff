"""The people, places and things of stories as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cortexfs.core.stories.read_entity_file import KnownEntity, KnownFact
    from cortexfs.interfaces.json.documents import story_entities as documents
    from cortexfs.operations.stories.correct_entity import CorrectedEntity
    from cortexfs.operations.stories.explain_entity import EntityExplanation


def to_entity_json(entity: KnownEntity) -> documents.KnownEntityDocument:
    """Return an entity as its file has it."""
    return {
        **_to_named_json(entity),
        "salience": entity.salience,
        "description": entity.description,
        "facts": list(map(_to_fact_json, entity.facts)),
        "relations": [
            {
                "other": each.other,
                "ref": each.ref,
                "type": each.type,
                "label": each.label,
                "strength": each.strength,
                "sentiment": each.sentiment,
                "contradiction": each.contradiction,
            }
            for each in entity.relations
        ],
        "colours": [
            {"colour": each.colour, "usage": each.usage, "confidence": each.confidence}
            for each in entity.colours
        ],
    }


def to_entity_explanation_json(found: EntityExplanation) -> documents.EntityExplanationDocument:
    """Return an entity and the source of each fact; a fact of a person has no chunk."""
    entity = found.entity
    return {
        **_to_named_json(entity),
        "facts": [
            {**_to_fact_json(fact), "source": source.value}
            for fact, source in zip(entity.facts, found.sources, strict=True)
        ],
    }


def to_corrected_json(change: str, done: CorrectedEntity) -> documents.EntityCorrectionDocument:
    """Return the entity that was corrected, and the files of entities that were changed."""
    document: documents.EntityCorrectionDocument = {
        "ref": done.ref,
        "change": change,
        "changed": [path for path in done.changed_paths if path.endswith(".md")],
        "removed": [remove.path for remove in done.plan.removes],
    }
    if done.new_ref:
        document["new"] = done.new_ref
    return document


def _to_named_json(entity: KnownEntity) -> documents.NamedEntityDocument:
    return {
        "ref": entity.ref,
        "name": entity.name,
        "type": entity.type,
        "status": entity.status,
        "aliases": list(entity.aliases),
        "mentions": entity.mentions,
    }


def _to_fact_json(fact: KnownFact) -> documents.KnownFactDocument:
    return {"text": fact.text, "importance": fact.importance, "chunk": fact.chunk}
