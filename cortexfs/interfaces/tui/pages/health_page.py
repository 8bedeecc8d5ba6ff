"""What is wrong: the installation (`doctor`) and the tree (`check`), each with how to fix it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_codes import get_hint, get_severity, is_error
from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import redact_secrets
from cortexfs.interfaces.tui.shown_content import Column, Row, Subject, TableContent, Tone
from cortexfs.interfaces.tui.shown_text import cell, join_parts, make_note

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.shared.doctor_check import DoctorCheck

COLUMNS = (Column("State", 8), Column("What", 24), Column("Result", 0))
TONES = {"error": Tone.BAD, "warning": Tone.WARNING}


def load_health(context: PanelContext, request: Request) -> TableContent:
    """Return failed checks, findings, and then what is in order."""
    from cortexfs.operations.check import check
    from cortexfs.operations.doctor import doctor

    checks = doctor(context.session, context.environ)
    found = check(context.session, None)
    rows = [_make_check_row(each) for each in checks if not each.passed]
    sorted_findings = sorted(found.findings, key=lambda each: not is_error(each.code))
    rows += [_make_finding_row(each) for each in sorted_findings[: request.limit]]
    rows += [_make_check_row(each) for each in checks if each.passed]
    total = len(checks) + len(found.findings)
    counts = [
        format_count(sum(not each.passed for each in checks), "failed check"),
        format_count(found.errors, "error"),
        format_count(found.warnings, "warning"),
    ]
    return TableContent(COLUMNS, tuple(rows), total, about=join_parts(counts))


def _make_check_row(check: DoctorCheck) -> Row:
    tone = Tone.MUTED if check.passed else Tone.BAD
    fix = check.fix or ("nothing to do" if check.passed else "")
    return Row(
        (
            cell("ok" if check.passed else "failed", Tone.GOOD if check.passed else Tone.BAD),
            cell(check.subject, Tone.ACCENT),
            cell(redact_secrets(check.result), tone if check.passed else Tone.PLAIN),
        ),
        check.subject,
        note=make_note(redact_secrets(check.result), fix),
    )


def _make_finding_row(finding: Finding) -> Row:
    severity = get_severity(finding.code)
    message = redact_secrets(finding.message)
    where = redact_secrets(f"{finding.path}:{finding.line}")
    return Row(
        (
            cell(severity, TONES.get(severity, Tone.MUTED)),
            cell(finding.code, Tone.ACCENT),
            cell(f"{finding.path.rpartition('/')[2]}: {message}"),
        ),
        finding.path,
        Subject.FINDING,
        None,
        make_note(message, where, get_hint(finding.code)),
    )
