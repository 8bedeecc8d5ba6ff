"""Routes about links: backlinks, graphs, paths, and the things that atoms mention."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.interfaces.json.documents import links as documents
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint
from cortexfs.interfaces.rest.read_atoms import ATOM

MAX_MAPPED = 10_000
"""Maximum number of atoms of a map."""


def map_links(
    call: Call,
    filters: given.Filters,
    limit: Annotated[int, Query(ge=1, le=MAX_MAPPED)] = 1000,
) -> Answer:
    """Show the links among all atoms, with a place and a community for each."""
    from cortexfs.interfaces.json.graph import to_link_map_json
    from cortexfs.operations.map_links import map_links as find_map

    found = find_map(call.session, filters.parse(call.session), limit)
    return make_document(**to_link_map_json(found))


def list_backlinks(
    call: Call, ref: given.Ref, filters: given.Filters, limit: given.LimitQuery = 50
) -> Answer:
    """List the atoms that link to an atom, and where."""
    from cortexfs.interfaces.json.graph import to_backlinks_json
    from cortexfs.operations.explore_links import backlinks

    only = filters.parse(call.session)
    return make_document(**to_backlinks_json(backlinks(call.session, ref, NOWHERE, only, limit)))


def show_graph(
    call: Call,
    ref: given.Ref,
    filters: given.Filters,
    depth: Annotated[int, Query(ge=1, le=10)] = 1,
    limit: given.LimitQuery = 50,
) -> Answer:
    """Show the atoms around one, and the links between them."""
    from cortexfs.interfaces.json.graph import to_graph_json
    from cortexfs.operations.explore_links import explore_links

    only = filters.parse(call.session)
    found = explore_links(call.session, ref, NOWHERE, depth=depth, limit=limit, only=only)
    return make_document(**to_graph_json(found))


def list_related_atoms(
    call: Call, ref: given.Ref, filters: given.Filters, limit: given.LimitQuery = 10
) -> Answer:
    """List the atoms related to one, closest first, and why."""
    from cortexfs.interfaces.json.graph import to_related_atoms_json
    from cortexfs.operations.related import related

    only = filters.parse(call.session)
    return make_document(**to_related_atoms_json(related(call.session, ref, NOWHERE, limit, only)))


def find_path(
    call: Call,
    start: Annotated[given.Name, Query(alias="from", min_length=1)],
    end: Annotated[given.Name, Query(alias="to", min_length=1)],
) -> Answer:
    """Show the shortest chain of links from one atom to another."""
    from cortexfs.interfaces.json.graph import to_chain_json
    from cortexfs.operations.explore_links import find_path as find_chain

    return make_document(**to_chain_json(find_chain(call.session, start, end, NOWHERE)))


def list_entities(
    call: Call,
    filters: given.Filters,
    type: given.TypeQuery = "",  # noqa: A002 - the key of the document
    limit: given.LimitQuery = 50,
) -> Answer:
    """List the files, URLs, packages and other things that atoms mention."""
    from cortexfs.interfaces.json.graph import to_entity_json
    from cortexfs.operations.entities import entities

    found = entities(call.session, type, filters.parse(call.session), limit)
    return make_document(entities=list(map(to_entity_json, found)))


def list_mentions(
    call: Call,
    name: Annotated[given.Name, Query(min_length=1)],
    filters: given.Filters,
    type: given.TypeQuery = "",  # noqa: A002
) -> Answer:
    """List the atoms that mention a thing."""
    from cortexfs.interfaces.json.graph import to_mention_json
    from cortexfs.operations.entities import find_mentions

    found = find_mentions(call.session, name, type, filters.parse(call.session))
    return make_document(mentions=list(map(to_mention_json, found)))


ENDPOINTS = (
    Endpoint("GET", "/api/v1/graph", map_links, documents.LinkMapDocument, Effect.READ_ALL),
    Endpoint("GET", "/api/v1/path", find_path, documents.ChainDocument),
    Endpoint(
        "GET", "/api/v1/entities", list_entities, documents.EntityListDocument, Effect.READ_ALL
    ),
    Endpoint("GET", "/api/v1/mentions", list_mentions, documents.MentionListDocument),
    Endpoint("GET", f"{ATOM}/backlinks", list_backlinks, documents.BacklinksDocument),
    Endpoint("GET", f"{ATOM}/graph", show_graph, documents.GraphDocument),
    Endpoint("GET", f"{ATOM}/related", list_related_atoms, documents.RelatedAtomsDocument),
)
