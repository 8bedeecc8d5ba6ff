"""Show how clients are connected to a tree, and connect or disconnect one as it was previewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan_digest import digest_changes, require_same_plan
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.errors import CortexError, Usage
from cortexfs.operations.doctor_clients import check_clients
from cortexfs.operations.setup import (
    ClientChoices,
    has_records,
    install_setup,
    list_clients,
    plan_setup,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from cortexfs.operations.setup import SetupPlan
    from cortexfs.operations.shared.doctor_check import DoctorCheck
    from cortexfs.session.view import TreeFilesAndGit


class ClientWiring(NamedTuple):
    """One client: whether it was set up, what `doctor` says of it, and the files of its settings.

    `differs` is whether a setup would change any of them; `error` is why that cannot be told.
    """

    client: ClientChoices
    is_set_up: bool
    checks: tuple[DoctorCheck, ...]
    paths: tuple[str, ...] = ()
    differs: bool = False
    error: str = ""


class SettingsDiff(NamedTuple):
    """The text of one settings file before and after, without secrets; None: no file."""

    path: str
    before: str | None
    after: str | None


class WiringPreview(NamedTuple):
    """What connecting or disconnecting a client would change; `digest` stands for exactly that."""

    client: ClientChoices
    diffs: tuple[SettingsDiff, ...]
    digest: str
    missing_permissions: tuple[str, ...]
    next_step: str


def list_wirings(view: TreeFilesAndGit, environ: Mapping[str, str]) -> list[ClientWiring]:
    """Return every client that can be set up."""
    checks = list(check_clients(view, environ))
    return [_describe(view, environ, each, checks) for each in list_clients()]


def preview_wiring(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    name: str,
    *,
    remove: bool,
    chosen: Collection[str] = (),
) -> WiringPreview:
    """Return what would change; raises `Usage` for an unknown client or choice."""
    client = _require_client(name, chosen)
    plan = plan_setup(view, environ, name, remove=remove, chosen=chosen)
    diffs = (
        SettingsDiff(each.path, _hide_secrets(each.before), _hide_secrets(each.after))
        for each in plan.changes
        if each.before != each.after
    )
    missing = tuple(dict.fromkeys(map(str, plan.missing_permissions)))
    return WiringPreview(client, tuple(diffs), _digest(plan), missing, plan.next_step)


def apply_wiring(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    name: str,
    digest: str,
    *,
    remove: bool,
    chosen: Collection[str] = (),
) -> str:
    """Connect or disconnect a client; return what the user has to do in it.

    Raises `PlanChanged` if that would not be what the digest stands for; nothing is written.
    """
    _require_client(name, chosen)
    plan = plan_setup(view, environ, name, remove=remove, chosen=chosen)
    require_same_plan(digest, _digest(plan))
    install_setup(view, environ, plan)
    return plan.next_step


def _describe(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    client: ClientChoices,
    checks: Collection[DoctorCheck],
) -> ClientWiring:
    own = tuple(each for each in checks if each.subject == client.name)
    found = ClientWiring(client, has_records(view, environ, client.name), own)
    try:
        plan = plan_setup(view, environ, client.name, remove=False)
    except (CortexError, OSError) as error:
        return found._replace(error=str(error))
    paths = tuple(each.path for each in plan.changes)
    return found._replace(paths=paths, differs=plan.is_change)


def _require_client(name: str, chosen: Collection[str]) -> ClientChoices:
    known = {each.name: each for each in list_clients()}
    if name not in known:
        raise Usage(f"no client {name!a}", hint=f"clients are {', '.join(known)}")
    if wrong := set(chosen) - set(known[name].choices):
        raise Usage(f"{known[name].title} has no choice {min(wrong)!a}")
    return known[name]


def _digest(plan: SetupPlan) -> str:
    return digest_changes([(each.path, each.before, each.after) for each in plan.changes])


def _hide_secrets(text: str | None) -> str | None:
    return text if text is None else redact_secrets(text)
