"""List the entities of stories: filtered, counted and sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.find.row_facets import RowFacets
from cortexfs.operations.stories.read_parsed_files import read_entity_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.core.stories.read_entity_file import KnownEntity
    from cortexfs.session.session import Session

ENTITY_SORTS = {"mentions": True, "salience": True, "name": False, "last seen": True}
"""The orders of entities, each with whether it begins with the highest."""
ENTITY_FACETS = ("project", "type", "status")
ENTITIES_PER_PAGE = 24


class StoryEntityFile(NamedTuple):
    """An entity of a project's stories."""

    project: str
    entity: KnownEntity

    def make_ref(self, ident: str) -> str:
        """Return the ref of another atom of its project."""
        return f"{self.project}/{ident}"


class StoryEntityFilter(NamedTuple):
    """Which entities; empty fields are any. `page` counts from 1.

    `text` is a part of a name, an alias, the description or a fact; `ref` names one entity.
    """

    text: str = ""
    project: str = ""
    type: str = ""
    status: str = ""
    ref: str = ""
    sort: str = "mentions"
    descending: bool = True
    page: int = 1


class StoryEntitySelection(NamedTuple):
    """A page of the entities that match, the number of all that do, and the counts by facet."""

    entities: Sequence[StoryEntityFile]
    total: int
    facets: Mapping[str, Sequence[tuple[str, int]]]


def read_story_entities(session: Session) -> list[StoryEntityFile]:
    """Return the entities of the stories of all projects, by project and id."""
    with session.read() as view:
        return [
            StoryEntityFile(project, entity)
            for project in view.tree.list_projects()
            for entity in read_entity_files(session, view, project)
        ]


def select_story_entities(
    entities: Sequence[StoryEntityFile], wanted: StoryEntityFilter
) -> StoryEntitySelection:
    """Return a page of some entities; the counts of a facet leave out its own condition."""
    near = [each for each in entities if _is_near(each, wanted)]
    chosen = _FACETS.select_rows(near, wanted)
    chosen.sort(key=lambda each: _sort_key(each.entity, wanted.sort), reverse=wanted.descending)
    start = (wanted.page - 1) * ENTITIES_PER_PAGE
    facets = _FACETS.count_values(near, wanted)
    return StoryEntitySelection(chosen[start : start + ENTITIES_PER_PAGE], len(chosen), facets)


def _is_near(each: StoryEntityFile, wanted: StoryEntityFilter) -> bool:
    entity = each.entity
    if wanted.ref and entity.ref != wanted.ref:
        return False
    if not wanted.text:
        return True
    texts = (entity.name, *entity.aliases, entity.description, *(one.text for one in entity.facts))
    return wanted.text.casefold() in "\n".join(texts).casefold()


def _values(each: StoryEntityFile, name: str) -> tuple[str, ...]:
    return (each.project if name == "project" else str(getattr(each.entity, name)),)


_FACETS = RowFacets(ENTITY_FACETS, _values)


def _sort_key(entity: KnownEntity, sort: str) -> tuple[str | float, int, str]:
    values: dict[str, str | float] = {
        "name": entity.name.casefold(),
        "salience": entity.salience,
        "last seen": entity.last_chunk,
    }
    return values.get(sort, entity.mentions), entity.mentions, entity.name
