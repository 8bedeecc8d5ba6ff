"""Report the state of the user's language model; it is not asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.language_model.describe_model import describe_model
from cortexfs.operations.shared.doctor_check import DoctorCheck, failed_check

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

SUBJECT = "model"


def check_model(environ: Mapping[str, str], now: datetime) -> DoctorCheck:
    """Return the check of the language model, which nobody needs to have."""
    model = describe_model(environ, now)
    if model is None:
        return DoctorCheck(SUBJECT, "none configured")
    if not model.label:
        fix = f"edit `model:` in {model.settings_path}"
        return failed_check(SUBJECT, model.problem, fix)
    if not model.calls_per_day:
        return DoctorCheck(SUBJECT, f"{model.label}: switched off by calls-per-day")
    failure = f"; last failure {model.last_failure}" if model.last_failure else ""
    if model.problem:
        fix = f"check that the model answers, or edit `model:` in {model.settings_path}"
        return failed_check(SUBJECT, f"{model.label}: {model.problem}{failure}", fix)
    left = f"{model.calls_left} of {format_count(model.calls_per_day, 'call')} left today"
    return DoctorCheck(SUBJECT, f"{model.label}: {left}{failure}")
