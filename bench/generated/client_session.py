"""A session of an agent with the generated client: `python client_session.py ADDRESS TOKEN`.

`bench.generated_client` runs it with the Python of the generator, which has what the client needs.
Fails at the first answer that is not as expected.
"""

from __future__ import annotations

import sys

from cortexfs_client import AuthenticatedClient
from cortexfs_client.api.atoms import change_fields, create_atom, list_atoms, remove_atom, show_atom
from cortexfs_client.api.find import find_atoms
from cortexfs_client.api.memory import (
    create_edge,
    create_observation,
    create_session,
    delete_edge,
    delete_observation,
    end_session,
    get_observation,
    get_score,
    list_related,
    search_observations,
    update_observation_by_patch,
)
from cortexfs_client.api.undo import undo_change
from cortexfs_client.models import (
    AtomFieldsBody,
    ChangedObservationBody,
    CreatedAtomDocument,
    EndSessionBody,
    ErrorDocument,
    NewAtomBody,
    NewEdgeBody,
    NewObservationBody,
    NewSessionBody,
    PlannedDocument,
    ProblemDocument,
    UndoBody,
)

PROJECT = "driftwood"


def run_original(client: AuthenticatedClient) -> None:
    """Save, search, change and delete memories, as an agent does with the original."""
    create_session.sync(client=client, body=NewSessionBody(id="s1", project=PROJECT))
    first, second = (
        create_observation.sync(
            client=client,
            body=NewObservationBody(title, f"About {title}.", project=PROJECT, session_id="s1"),
        )
        for title in ("The bearing is dry", "Oil it weekly")
    )
    found = search_observations.sync(client=client, q="bearing")
    check("search", [each.id for each in found], [first.id])
    changed = ChangedObservationBody(content="It hums.")
    update_observation_by_patch.sync(first.id, client=client, body=changed)
    check("change", get_observation.sync(first.id, client=client).content, "It hums.")
    relate(client, first.id, second.id)
    planned = delete_observation.sync(first.id, client=client, dry_run=True)
    check("plan", type(planned), PlannedDocument)
    check("delete", delete_observation.sync(first.id, client=client).status, "deleted")
    gone = get_observation.sync(999_999, client=client)
    check("a refusal", type(gone), ErrorDocument)
    ended = end_session.sync("s1", client=client, body=EndSessionBody(summary="Oiled"))
    check("end", ended.status, "ended")


def relate(client: AuthenticatedClient, first: int, second: int) -> None:
    """Relate two memories, score one, and delete the relation."""
    body = NewEdgeBody(from_id=second, to_id=first, relation_type="follows")
    edge = create_edge.sync(client=client, body=body)
    related = list_related.sync(first, client=client)
    check("relate", [(each.id, each.distance) for each in related], [(second, 1)])
    score = get_score.sync(first, client=client)
    check("score", score.parts["edges"], 0.2)
    check("delete a relation", delete_edge.sync(edge.id, client=client).status, "deleted")


def run_api(client: AuthenticatedClient) -> None:
    """Create, find, change, undo and remove an atom over `/api/v1`."""
    body = NewAtomBody(kind="idea", summary="Tides as a clock", tags=["clock"])
    check("plan", type(create_atom.sync(client=client, body=body, dry_run=True)), PlannedDocument)
    made = create_atom.sync(client=client, body=body)
    check("create", type(made), CreatedAtomDocument)
    ref, path = made.created.ref, made.created.path
    found = find_atoms.sync(client=client, q="tides clock", kind=["idea"])
    check("find", [each.ref for each in found.found if each.ref == ref], [ref])
    listed = list_atoms.sync(client=client, kind=["idea"], limit=100)
    check("list", [each.ref for each in listed.atoms if each.ref == ref], [ref])
    etag = show_atom.sync_detailed(ref, client=client).headers["etag"]
    shorter = AtomFieldsBody(summary="Tides")
    change_fields.sync(ref, client=client, body=shorter, if_match=etag)
    late = change_fields.sync_detailed(ref, client=client, body=shorter, if_match=etag)
    check("a condition", (late.status_code, type(late.parsed)), (412, ProblemDocument))
    shown = show_atom.sync(ref, client=client)
    check("change", shown.atom.additional_properties["summary"], "Tides")
    undone = undo_change.sync(client=client, body=UndoBody())
    check("undo", [each for each in undone.undone[0].paths if each == path], [path])
    check("remove", remove_atom.sync(ref, client=client).removed.ref, ref)
    gone = show_atom.sync(ref, client=client)
    check("a refusal", (type(gone), gone.kind), (ProblemDocument, "atom-removed"))


def check(name: str, found: object, expected: object) -> None:
    """Print that a step is done; exit if its answer is another."""
    if found != expected:
        sys.exit(f"{name}: {found!r} in place of {expected!r}")
    print(f"{name}: ok")


def main() -> None:
    """Run both sessions."""
    address, token = sys.argv[1:]
    with AuthenticatedClient(address, token, raise_on_unexpected_status=True) as client:
        run_original(client)
        run_api(client)


if __name__ == "__main__":
    main()
