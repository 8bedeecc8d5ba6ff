"""Routes that read atoms: lists, search, one atom and its history, reads."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from cortexfs.core.find.atom_criteria import AtomCriteria, SortKey
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.interfaces.json.documents import atoms as documents
from cortexfs.interfaces.json.documents import changes, found_atoms
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_etag
from cortexfs.interfaces.rest.cursor import make_next_cursor, parse_position
from cortexfs.interfaces.rest.endpoint import NOWHERE, Call, Effect, Endpoint

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
    answer = make_document(**to_shown_atom_json(found))
    return answer._replace(headers={"etag": make_etag(found.text)})


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
    Endpoint("GET", "/api/v1/find", find_atoms, found_atoms.FindDocument),
    Endpoint("GET", "/api/v1/changes", list_changes, changes.LogDocument),
    Endpoint("GET", "/api/v1/tags", list_tags, documents.TagListDocument, Effect.READ_ALL),
    Endpoint("GET", "/api/v1/reads", list_reads, documents.AccessEventsDocument),
    Endpoint("GET", "/api/v1/reads/top", list_most_read, documents.AtomsDocument, Effect.READ_ALL),
    Endpoint("GET", f"{ATOM}/past", show_past_atom, documents.PastAtomDocument),
    Endpoint("GET", f"{ATOM}/diff", diff_atom, changes.DiffDocument),
    Endpoint("GET", f"{ATOM}/changes", list_atom_changes, changes.LogDocument),
    Endpoint("GET", ATOM, show_atom, documents.ShownAtomDocument),
)
