"""Routes that read atoms: lists, search, one atom, its history and its links."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.interfaces.json.documents import atoms as documents
from cortexfs.interfaces.json.documents import changes, links
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.cursor import make_next_cursor, parse_position
from cortexfs.interfaces.rest.endpoint import (
    NOWHERE,
    Answer,
    Call,
    Effect,
    Endpoint,
    make_document,
    make_etag,
)

Flag = Annotated[bool, Query()]
At = Annotated[given.Name, Query(description="A commit or a day.")]


def list_atoms(
    call: Call,
    filters: given.Filters,
    hot: Flag = False,
    cold: Flag = False,
    sort: SortKey = SortKey.READS,
    reverse: Flag = False,
    limit: given.LimitQuery = 50,
    cursor: given.CursorQuery = "",
) -> Answer:
    """List atoms, most read first."""
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.list_atoms import list_atom_page

    criteria, after = AtomCriteria(filters.parse(call.session), hot, cold), parse_position(cursor)
    page = list_atom_page(call.session, criteria, sort, reverse=reverse, limit=limit, after=after)
    return make_document(
        atoms=list(map(to_atom_json, page.atoms)),
        total=page.total,
        next=make_next_cursor([entry.atom.path for entry in page.atoms], page.start, page.total),
        unreadable=page.unreadable or None,
    )


def find_atoms(
    call: Call,
    q: given.SearchQuery,
    filters: given.Filters,
    entity: given.Names = [],  # noqa: B006 - never changed
    limit: given.LimitQuery = 10,
    explain: Flag = False,
    words: Annotated[bool, Query(description="Without embeddings.")] = False,
    pages: Annotated[bool, Query(description="Also pages that are no atoms.")] = True,
) -> Answer:
    """Search atoms, best match first, then other pages of the tree."""
    from cortexfs.interfaces.json import atoms as to_json
    from cortexfs.operations.find import find

    only = filters.parse(call.session).combine(AtomFilter(entities=tuple(entity)))
    found = find(call.session, q, only, limit, full_text_only=words, with_pages=pages)
    return make_document(
        found=[to_json.to_found_atom_json(hit, explain=explain) for hit in found.hits],
        pages=list(map(to_json.to_found_page_json, found.pages)) if pages else None,
        **{"matched-by": found.method},
        unreadable=found.unreadable or None,
        **to_json.to_search_notes_json(found.notes),
    )


def show_atom(
    call: Call,
    ref: given.Ref,
    track: Annotated[bool, Query(description="Count this as a read.")] = True,
) -> Answer:
    """Show an atom with its backlinks and history; its ETag is for `If-Match`."""
    from cortexfs.interfaces.json.atoms import to_shown_atom_json
    from cortexfs.operations.show import show

    found = show(call.session, ref, NOWHERE, track=track)
    document, _ = make_document(**to_shown_atom_json(found))
    return Answer(document, {"etag": make_etag(found.text)})


def show_past_atom(call: Call, ref: given.Ref, at: At) -> Answer:
    """Show an atom as it was at a commit or on a day."""
    from cortexfs.interfaces.json.atoms import to_revision_json
    from cortexfs.operations.show import show_at

    return make_document(**to_revision_json(show_at(call.session, ref, NOWHERE, at)))


def diff_atom(call: Call, ref: given.Ref, at: At = "") -> Answer:
    """Show the last change of an atom, or all changes since a commit."""
    from cortexfs.core.changes.plan_diff import format_diff
    from cortexfs.interfaces.json.history_and_status import to_diff_json
    from cortexfs.operations.diff import diff

    found = diff(call.session, ref, NOWHERE, at or None)
    return make_document(
        **to_diff_json(found, format_diff(found.path, found.old_text, found.new_text))
    )


def list_atom_changes(call: Call, ref: given.Ref, limit: given.LimitQuery = 20) -> Answer:
    """List the changes of an atom, newest first."""
    from cortexfs.interfaces.json.history_and_status import to_log_entry_json
    from cortexfs.operations.log import list_atom_commits

    full_ref, found = list_atom_commits(call.session, ref, NOWHERE, limit)
    return make_document(ref=full_ref, changes=list(map(to_log_entry_json, found)))


def list_changes(
    call: Call,
    filters: given.Filters,
    limit: given.LimitQuery = 20,
    housekeeping: Flag = False,
) -> Answer:
    """List the changes of the tree, newest first."""
    from cortexfs.interfaces.json.history_and_status import to_log_entry_json
    from cortexfs.operations.log import log

    only = filters.parse(call.session)
    found = log(call.session, limit, only, with_housekeeping=housekeeping)
    return make_document(changes=list(map(to_log_entry_json, found)))


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


def list_tags(call: Call, filters: given.Filters, limit: given.LimitQuery = 100) -> Answer:
    """List the tags, most used first."""
    from cortexfs.interfaces.json.projects import to_tag_json
    from cortexfs.operations.list_and_rename_tags import list_tags as count_tags

    found = count_tags(call.session, filters.parse(call.session))[:limit]
    return make_document(tags=list(map(to_tag_json, found)))


def list_reads(call: Call, filters: given.Filters, limit: given.LimitQuery = 20) -> Answer:
    """List the latest access events, newest first."""
    from cortexfs.interfaces.json.atoms import to_access_event_json
    from cortexfs.operations.access_log_reports import list_access_events

    found = list_access_events(call.session, limit, filters.parse(call.session))
    return make_document(**{"access-events": list(map(to_access_event_json, found))})


def list_most_read(call: Call, filters: given.Filters, limit: given.LimitQuery = 10) -> Answer:
    """List the most read atoms."""
    from cortexfs.interfaces.json.atoms import to_atom_json
    from cortexfs.operations.access_log_reports import list_most_read as rank_by_reads

    found = rank_by_reads(call.session, limit, filters.parse(call.session))
    return make_document(atoms=list(map(to_atom_json, found)))


ATOM = "/api/v1/atoms/{ref:path}"
ENDPOINTS = (
    Endpoint("GET", "/api/v1/atoms", list_atoms, documents.AtomListDocument, Effect.READ_ALL),
    Endpoint("GET", "/api/v1/find", find_atoms, documents.FindDocument),
    Endpoint("GET", "/api/v1/changes", list_changes, changes.LogDocument),
    Endpoint("GET", "/api/v1/path", find_path, links.ChainDocument),
    Endpoint("GET", "/api/v1/entities", list_entities, links.EntityListDocument, Effect.READ_ALL),
    Endpoint("GET", "/api/v1/mentions", list_mentions, links.MentionListDocument),
    Endpoint("GET", "/api/v1/tags", list_tags, documents.TagListDocument, Effect.READ_ALL),
    Endpoint("GET", "/api/v1/reads", list_reads, documents.AccessEventsDocument),
    Endpoint("GET", "/api/v1/reads/top", list_most_read, documents.AtomsDocument, Effect.READ_ALL),
    Endpoint("GET", f"{ATOM}/past", show_past_atom, documents.PastAtomDocument),
    Endpoint("GET", f"{ATOM}/diff", diff_atom, changes.DiffDocument),
    Endpoint("GET", f"{ATOM}/changes", list_atom_changes, changes.LogDocument),
    Endpoint("GET", f"{ATOM}/backlinks", list_backlinks, links.BacklinksDocument),
    Endpoint("GET", f"{ATOM}/graph", show_graph, links.GraphDocument),
    Endpoint("GET", f"{ATOM}/related", list_related_atoms, links.RelatedAtomsDocument),
    Endpoint("GET", ATOM, show_atom, documents.ShownAtomDocument),
)
