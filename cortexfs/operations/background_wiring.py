"""Show what the machine runs for a tree by itself, and change that as it was previewed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.plan_digest import digest_changes, require_same_plan
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.errors import CortexError, Usage
from cortexfs.operations.schedule_regeneration import install_schedule, plan_schedule
from cortexfs.operations.setup_daemon import install_daemon_setup, plan_daemon_setup
from cortexfs.operations.wiring import SettingsDiff

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.clients.regen_scheduler import ScheduleTextChange
    from cortexfs.session.view import TreeFilesAndGit

SCHEDULE, DAEMON = "schedule", "daemon"
NAMES = (SCHEDULE, DAEMON)
DEFAULT_INTERVAL = "15m"


class BackgroundWiring(NamedTuple):
    """One of `NAMES`: what runs it (empty: nothing can, see `error`), and whether it is set up."""

    name: str
    runner: str = ""
    is_set_up: bool = False
    paths: tuple[str, ...] = ()
    error: str = ""


class BackgroundPreview(NamedTuple):
    """What setting up or removing would change; `digest` stands for exactly that."""

    name: str
    runner: str
    diffs: tuple[SettingsDiff, ...]
    digest: str


def list_background_wirings(
    view: TreeFilesAndGit, environ: Mapping[str, str]
) -> list[BackgroundWiring]:
    """Return the schedule and the daemon, each with whether it is set up."""
    return [_describe(view, environ, name) for name in NAMES]


def preview_background_wiring(
    view: TreeFilesAndGit, environ: Mapping[str, str], name: str, every: str, *, remove: bool
) -> BackgroundPreview:
    """Return what would change; `every` is the interval of the schedule. Raises `Usage`."""
    runner, changes = _plan(view, environ, name, every, remove=remove)
    diffs = tuple(
        SettingsDiff(
            each.target, *(text and redact_secrets(text) for text in (each.before, each.after))
        )
        for each in changes
        if each.before != each.after
    )
    return BackgroundPreview(name, runner, diffs, _digest(changes))


def apply_background_wiring(
    view: TreeFilesAndGit,
    environ: Mapping[str, str],
    preview: tuple[str, str],
    every: str,
    *,
    remove: bool,
) -> str:
    """Make the change with the name and digest of a preview; return what the user may do next.

    Raises `PlanChanged` if that would not be what the digest stands for; nothing is written.
    """
    name, digest = preview
    runner, changes = _plan(view, environ, name, every, remove=remove)
    require_same_plan(digest, _digest(changes))
    if name == SCHEDULE:
        install_schedule(runner, list(changes))
        return ""
    return install_daemon_setup(runner, changes[0])


def _describe(view: TreeFilesAndGit, environ: Mapping[str, str], name: str) -> BackgroundWiring:
    try:
        runner, changes = _plan(view, environ, name, DEFAULT_INTERVAL, remove=True)
    except (CortexError, OSError) as error:
        return BackgroundWiring(name, error=str(error))
    is_set_up = any(bool(each.before) and each.before != each.after for each in changes)
    return BackgroundWiring(name, runner, is_set_up, tuple(each.target for each in changes))


def _plan(
    view: TreeFilesAndGit, environ: Mapping[str, str], name: str, every: str, *, remove: bool
) -> tuple[str, Sequence[ScheduleTextChange]]:
    if name == SCHEDULE:
        return plan_schedule(view, environ, every, None, remove=remove)
    if name == DAEMON:
        runner, change = plan_daemon_setup(view, environ, None, remove=remove)
        return runner, [change]
    raise Usage(f"nothing runs under the name {name!a}", hint=f"names are {', '.join(NAMES)}")


def _digest(changes: Sequence[ScheduleTextChange]) -> str:
    return digest_changes([list(each) for each in changes])
