"""Wiring: which clients are connected, what connecting or disconnecting changes, and doing it."""

from __future__ import annotations

import os
from http import HTTPStatus
from typing import TYPE_CHECKING

from cortexfs.errors import CortexError, PlanChanged, SettingsChanged, Usage
from cortexfs.interfaces.web.render_page import redirect, render
from cortexfs.operations.background_wiring import (
    DAEMON,
    DEFAULT_INTERVAL,
    NAMES,
    SCHEDULE,
    apply_background_wiring,
    list_background_wirings,
    preview_background_wiring,
)
from cortexfs.operations.daemon_status import load_daemon_status
from cortexfs.operations.setup import list_clients
from cortexfs.operations.wiring import apply_wiring, list_wirings, preview_wiring

if TYPE_CHECKING:
    from starlette.responses import Response

    from cortexfs.interfaces.web.panel_request import PanelRequest

ACTIONS = ("setup", "remove")
LABELS = {
    SCHEDULE: ("Schedule", "updates the indexes at regular times"),
    DAEMON: ("Daemon at login", "keeps the catalog and the bulletin current, and runs maintenance"),
}
"""What each job of the machine is, and does."""


def show_wiring(request: PanelRequest) -> Response:
    """Return all clients."""
    changed = next((each for each in list_clients() if each.name == request.get("client")), None)
    next_step = ""
    if changed and request.get("action") == "setup":
        preview = preview_wiring(request.session, os.environ, changed.name, remove=False)
        next_step = preview.next_step
    return render(
        request,
        "wiring.html",
        wirings=list_wirings(request.session, os.environ),
        changed=changed,
        action=request.get("action"),
        next_step=next_step,
        background=list_background_wirings(request.session, os.environ),
        daemon=load_daemon_status(request.session),
        labels=LABELS,
        job=request.get("job") if request.get("job") in NAMES else "",
    )


def preview_background(request: PanelRequest) -> Response:
    """Return what setting up a schedule or the daemon, or removing it, would change."""
    return _render_background(request, _require_action(request.get("action", "setup")))


def change_background(request: PanelRequest) -> Response:
    """Set up or remove a schedule or the daemon, if that changes what was shown."""
    name, action = request.parts["name"], _require_action(request.field("action"))
    every = request.field("every") or DEFAULT_INTERVAL
    shown = (name, request.field("digest"))
    try:
        apply_background_wiring(
            request.session, os.environ, shown, every, remove=action == "remove"
        )
    except (PlanChanged, SettingsChanged) as error:
        again = request._replace(query={"every": [every]})
        return _render_background(again, action, error)
    return redirect(f"/wiring?job={name}&action={action}")


def _render_background(
    request: PanelRequest, action: str, error: CortexError | None = None
) -> Response:
    every = request.get("every") or DEFAULT_INTERVAL
    found = preview_background_wiring(
        request.session, os.environ, request.parts["name"], every, remove=action == "remove"
    )
    return render(
        request,
        "wiring_background.html",
        HTTPStatus.CONFLICT if error else HTTPStatus.OK,
        found=found,
        label=LABELS[found.name],
        action=action,
        every=every,
        error=error,
    )


def preview(request: PanelRequest) -> Response:
    """Return what connecting or disconnecting a client would change; nothing is written."""
    return _render_preview(request, _require_action(request.get("action", "setup")))


def change(request: PanelRequest) -> Response:
    """Connect or disconnect a client, if that changes what was shown; else show it anew."""
    name, action = request.parts["client"], _require_action(request.field("action"))
    chosen = tuple(request.form.get("choice", ()))
    try:
        apply_wiring(
            request.session,
            os.environ,
            name,
            request.field("digest"),
            remove=action == "remove",
            chosen=chosen,
        )
    except (PlanChanged, SettingsChanged) as error:
        again = request._replace(query={"choice": list(chosen)})
        return _render_preview(again, action, error)
    return redirect(f"/wiring?client={name}&action={action}")


def _render_preview(
    request: PanelRequest, action: str, error: CortexError | None = None
) -> Response:
    chosen = request.list_values("choice")
    name, is_removal = request.parts["client"], action == "remove"
    found = preview_wiring(request.session, os.environ, name, remove=is_removal, chosen=chosen)
    return render(
        request,
        "wiring_change.html",
        HTTPStatus.CONFLICT if error else HTTPStatus.OK,
        found=found,
        action=action,
        chosen=chosen,
        error=error,
    )


def _require_action(action: str) -> str:
    if action not in ACTIONS:
        raise Usage("a client is set up or removed", hint="choose one of both")
    return action
