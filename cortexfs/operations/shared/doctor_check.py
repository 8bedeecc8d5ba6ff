"""The result of one check of `doctor`."""

from __future__ import annotations

from typing import NamedTuple


class DoctorCheck(NamedTuple):
    """One check: its result, whether that is good, and the command that fixes it."""

    subject: str
    result: str
    passed: bool = True
    fix: str = ""


def failed_check(subject: str, result: str, fix: str) -> DoctorCheck:
    """Return a failed check with its fix."""
    return DoctorCheck(subject, result, passed=False, fix=fix)
