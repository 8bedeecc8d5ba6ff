"""Routes about other programs of the user: what a setup would write, and their memories.

No route writes outside the tree: what would be written there is shown, and a command writes it.
"""

from __future__ import annotations

import os
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

from fastapi import Path, Query

from cortexfs.core.bridge.make_digest import DEFAULT_CHARS, MAX_CHARS, MIN_CHARS
from cortexfs.core.bridge.parse_client_memories import MemoryClient
from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan_diff import format_diff
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.interfaces.json.documents import clients as documents
from cortexfs.interfaces.json.documents.plans import PlannedDocument
from cortexfs.interfaces.json.documents.stores import BridgeDocument
from cortexfs.interfaces.json.plans import to_plan_json
from cortexfs.interfaces.rest import bodies
from cortexfs.interfaces.rest import parameters as given
from cortexfs.interfaces.rest.answers import Answer, make_document, make_result
from cortexfs.interfaces.rest.endpoint import Call, Effect, Endpoint

if TYPE_CHECKING:
    from collections.abc import Iterable

    Change = tuple[str, str | None, str | None]

Remove = Annotated[bool, Query(description="What removing it would change.")]
ClientName = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[a-z-]+$")]
Folder = Annotated[
    given.Name, Query(pattern="^/", description="Folder of the user's project, from the root on.")
]


class Scheduler(StrEnum):
    """What runs a command at regular times."""

    CRON = "cron"
    SYSTEMD = "systemd"
    LAUNCHD = "launchd"


class ServiceManager(StrEnum):
    """What runs a program from login on."""

    SYSTEMD = "systemd"
    LAUNCHD = "launchd"


def list_clients(call: Call) -> Answer:
    """List the clients that can be set up, and whether they are."""
    from cortexfs.interfaces.json.clients import to_client_json
    from cortexfs.operations.wiring import list_wirings

    found = list_wirings(call.session, os.environ)
    return make_document(clients=list(map(to_client_json, found)))


def plan_client_setup(
    call: Call,
    client: ClientName,
    remove: Remove = False,
    choice: given.Names = [],  # noqa: B006 - never changed
) -> Answer:
    """Show what connecting a client would change in its settings; `cortexfs setup` does it."""
    from cortexfs.operations.wiring import preview_wiring

    found = preview_wiring(call.session, os.environ, client, remove=remove, chosen=choice)
    return _make_planned(f"set up {client}", found.diffs)


def plan_schedule(
    call: Call,
    every: Annotated[given.Name, Query(description="Interval: 15m, 1h, 1d.")] = "15m",
    using: Annotated[Scheduler | None, Query()] = None,
    remove: Remove = False,
) -> Answer:
    """Show what would update the indexes at regular times; `cortexfs setup schedule` does it."""
    from cortexfs.operations.schedule_regeneration import plan_schedule as plan

    chosen, changes = plan(call.session, os.environ, every, using, remove=remove)
    return _make_planned(f"schedule with {chosen}", changes)


def plan_daemon_setup(
    call: Call,
    using: Annotated[ServiceManager | None, Query()] = None,
    remove: Remove = False,
) -> Answer:
    """Show what would run the daemon from login on; `cortexfs setup daemon` does it."""
    from cortexfs.operations.setup_daemon import plan_daemon_setup as plan

    chosen, change = plan(call.session, os.environ, using, remove=remove)
    return _make_planned(f"run the daemon with {chosen}", [change])


def bridge_in(call: Call, body: bodies.BridgeBody) -> Answer:
    """Import the memories that clients keep themselves; an edited one updates its observation."""
    from cortexfs.interfaces.json.stores import to_store_import_json
    from cortexfs.operations.bridge_in import bridge_in as take

    clients = body.get("clients") or list(MemoryClient)
    names = given.require_projects(call.session, [body["project"]] if body.get("project") else [])
    project = names[0] if names else ""
    done = take(call.session, clients, os.environ, project, mode=call.mode)
    dry_run = call.mode.is_dry_run
    document = {"dry-run": dry_run, "in": to_store_import_json(done, dry_run=dry_run)}
    return make_result(done.outcome, {"bridge": document}, changed=bool(done.plan.writes))


def plan_bridge_out(
    call: Call,
    client: MemoryClient,
    folder: Folder,
    project: given.Names = [],  # noqa: B006
    remove: Remove = False,
    max_chars: Annotated[int, Query(alias="max-chars", ge=MIN_CHARS, le=MAX_CHARS)] = DEFAULT_CHARS,
) -> Answer:
    """Show the digest that a client's memory file would get; `cortexfs bridge --out` writes it."""
    from cortexfs.operations.bridge_out import DigestRequest, bridge_out

    names = given.require_projects(call.session, project)
    wanted = None if remove else DigestRequest(names, max_chars)
    changes = bridge_out(
        call.session, [client], os.environ, folder, wanted, mode=ExecutionMode.DRY_RUN
    )
    what = "remove the digest from" if remove else "write the digest to"
    return _make_planned(f"{what} {client}", [each[1:] for each in changes])


def _make_planned(summary: str, changes: Iterable[Change]) -> Answer:
    """Return the diff of each file of other programs, without secrets."""
    diffs = ((path, redact_secrets(format_diff(path, *texts))) for path, *texts in changes)
    return make_document(plan=to_plan_json(summary, diffs))


_SETUP = "/api/v1/setup"
ENDPOINTS = (
    Endpoint("GET", _SETUP, list_clients, documents.ClientListDocument),
    Endpoint("GET", f"{_SETUP}/clients/{{client}}", plan_client_setup, PlannedDocument),
    Endpoint("GET", f"{_SETUP}/schedule", plan_schedule, PlannedDocument),
    Endpoint("GET", f"{_SETUP}/daemon", plan_daemon_setup, PlannedDocument),
    Endpoint("POST", "/api/v1/bridge/in", bridge_in, BridgeDocument, Effect.CHANGE),
    Endpoint("GET", "/api/v1/bridge/out", plan_bridge_out, PlannedDocument),
)
