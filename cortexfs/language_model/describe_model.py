"""The state of the user's language model, for `doctor`: no call is made."""

from __future__ import annotations

import os
import shutil
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.language_model import call_limits
from cortexfs.core.language_model.model_settings import InvalidModelSettings
from cortexfs.language_model import state_folder
from cortexfs.tree.user_settings import read_model_settings, user_settings_path

if TYPE_CHECKING:
    from collections.abc import Mapping


class ModelState(NamedTuple):
    """What `doctor` shows: `problem` is empty if a call could be made."""

    settings_path: str
    label: str = ""
    calls_left: int = 0
    calls_per_day: int = 0
    last_failure: str = ""
    problem: str = ""


def describe_model(environ: Mapping[str, str], now: datetime) -> ModelState | None:
    """Return the state of the configured model, or None if there is none."""
    path, settings = user_settings_path(environ), read_model_settings(environ)
    if settings is None:
        return None
    if isinstance(settings, InvalidModelSettings):
        return ModelState(path, problem=settings.message)
    try:
        with state_folder.open_state_folder(environ, create=False) as folder_fd:
            state = state_folder.read_call_state(folder_fd)
    except FileNotFoundError:
        state = call_limits.CallState()
    except OSError as error:
        problem = f"the state of the calls cannot be read: {error.strerror}"
        return ModelState(path, settings.label, 0, settings.calls_per_day, problem=problem)
    left = call_limits.count_calls_left(state, settings.calls_per_day, now)
    if settings.command and not _is_installed(settings.command[0], environ):
        problem = "the program was not found, or may not be run"
        return ModelState(path, settings.label, left, settings.calls_per_day, problem=problem)
    paused = call_limits.is_paused(state, now)
    problem = f"no calls until {_format_time(state.paused_until)}, after failures" if paused else ""
    failure = f"{_format_time(state.last_failure_at)}: {state.last_failure}"
    last = failure if state.last_failure else ""
    return ModelState(path, settings.label, left, settings.calls_per_day, last, problem)


def _is_installed(program: str, environ: Mapping[str, str]) -> bool:
    return bool(shutil.which(os.path.expanduser(program), path=environ.get("PATH")))


def _format_time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M UTC")
