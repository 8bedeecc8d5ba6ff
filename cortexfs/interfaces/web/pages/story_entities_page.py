"""Entities of stories as cards; their relations as a graph; colours; corrections of all that."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.stories.colours.speaker_colour import ColourUsage
from cortexfs.core.stories.correction import Correction
from cortexfs.core.stories.story_entity import EntityStatus, EntityType
from cortexfs.core.stories.strike_item import name_relation
from cortexfs.interfaces.web.make_change import make_change
from cortexfs.interfaces.web.pages.stories_page import read_order, show_story_plan
from cortexfs.interfaces.web.panel_request import choose_local_path
from cortexfs.interfaces.web.relation_chart import make_relation_chart
from cortexfs.interfaces.web.render_page import redirect_after, render
from cortexfs.operations.stories.browse_relations import (
    RELATION_FACETS,
    RELATION_SORTS,
    RELATIONS_PER_PAGE,
    RelationFilter,
    select_relations,
)
from cortexfs.operations.stories.browse_story_entities import (
    ENTITIES_PER_PAGE,
    ENTITY_FACETS,
    ENTITY_SORTS,
    StoryEntityFile,
    StoryEntityFilter,
    read_story_entities,
    select_story_entities,
)
from cortexfs.operations.stories.correct_entity import CorrectionRequest, correct_entity
from cortexfs.operations.stories.find_fact_sources import find_fact_sources

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

HOME = "/stories/entities"


def show_entities(request: PanelRequest) -> Response:
    """Return the entities that match, as cards."""
    asked = read_order(request, ENTITY_SORTS, "mentions")
    wanted = StoryEntityFilter(
        text=request.get("q").strip(),
        **{name: request.get(name) for name in ENTITY_FACETS},
        ref=request.get("ref"),
        sort=asked.sort,
        descending=asked.descending,
        page=max(1, request.number("page")),
    )
    every = find_entities(request)
    found = select_story_entities(every, wanted)
    return render(
        request,
        "story_entities.html",
        found=found,
        total=len(every),
        project=wanted.project,
        names={each.entity.ref: each.entity.name for each in every},
        sources=find_fact_sources(request.session, (each.entity for each in found.entities)),
        sorts=ENTITY_SORTS,
        asked=asked,
        facet_names=ENTITY_FACETS,
        page=wanted.page,
        last_page=max(1, -(-found.total // ENTITIES_PER_PAGE)),
        types=list(EntityType),
        statuses=list(EntityStatus),
        corrections=Correction,
        name_relation=name_relation,
        is_filtered=bool(request.query),
    )


def correct(request: PanelRequest) -> Response:
    """Correct an entity, or show what that would change."""
    ref, change, item, value = map(request.field, ("ref", "change", "item", "value"))
    wanted = CorrectionRequest(ref, change, item, value)
    made = make_change(request, lambda session, mode: correct_entity(session, wanted, mode=mode))
    back = choose_local_path(request.field("back"), HOME)
    if made.is_preview:
        title = f"Correct {made.result.ref}"
        return show_story_plan(request, made, made.result.plan, title, back)
    return redirect_after(back, made.result.outcome)


def show_relations(request: PanelRequest) -> Response:
    """Return the relations of one project that match, as a graph and as a table."""
    every = find_entities(request)
    projects = list(dict.fromkeys(each.project for each in every))
    project = request.get("project") or next(iter(projects), "")
    asked = read_order(request, RELATION_SORTS, "strength")
    wanted = RelationFilter(
        entity=request.get("entity"),
        **{name: request.get(name) for name in RELATION_FACETS},
        sort=asked.sort,
        descending=asked.descending,
        page=max(1, request.number("page")),
    )
    entities = [each.entity for each in every if each.project == project]
    found = request.results.get(
        ("relations", project, wanted),
        lambda: select_relations(project, entities, wanted),
        of_files_alone=True,
    )
    return render(
        request,
        "story_relations.html",
        found=found,
        chart=make_relation_chart(found.graph, found.layout),
        project=project,
        projects=projects,
        entities=sorted(
            (each for each in entities if each.relations), key=lambda each: each.name.casefold()
        ),
        names={each.ref: each.name for each in entities},
        facet_names=RELATION_FACETS,
        asked=asked,
        page=wanted.page,
        last_page=max(1, -(-found.total // RELATIONS_PER_PAGE)),
        is_filtered=any((wanted.entity, wanted.type, wanted.tone)),
    )


def show_colours(request: PanelRequest) -> Response:
    """Return the colours of entities: whose they are and what for."""
    every = find_entities(request)
    project, usage = request.get("project"), request.get("usage")
    rows = [
        (each, colour)
        for each in every
        for colour in each.entity.colours
        if project in {"", each.project} and usage in {"", colour.usage}
    ]
    text = request.get("q").strip().casefold()
    rows = [row for row in rows if text in f"{row[0].entity.name} {row[1].colour}".casefold()]
    by_confidence = request.get("sort") == "confidence"
    rows.sort(
        key=lambda row: (-row[1].confidence if by_confidence else 0, row[0].entity.name.casefold())
    )
    return render(
        request,
        "story_colours.html",
        rows=rows,
        total=sum(len(each.entity.colours) for each in every),
        project=project,
        projects=list(dict.fromkeys(each.project for each in every)),
        owners={each: _list_people(every, each) for each in {row[0].project for row in rows}},
        usages=list(ColourUsage),
        corrections=Correction,
    )


def find_entities(request: PanelRequest) -> list[StoryEntityFile]:
    """Return the entities of the stories of all projects."""
    return request.results.get(
        "story entities", lambda: read_story_entities(request.session), of_files_alone=True
    )


def _list_people(entities: list[StoryEntityFile], project: str) -> list[tuple[str, str]]:
    """Return the refs and the names of the characters of a project, the most mentioned first."""
    people = [
        each.entity
        for each in entities
        if each.project == project and each.entity.type == EntityType.CHARACTER
    ]
    people.sort(key=lambda each: -each.mentions)
    return [(each.ref, each.name) for each in people[:200]]
