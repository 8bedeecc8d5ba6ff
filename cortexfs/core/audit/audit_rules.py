"""The rules of an audit, worst first: severity, meaning, and hint."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable


class AuditSeverity(StrEnum):
    """How bad a finding is; only notes leave the exit code 0."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class AuditRule(NamedTuple):
    """The severity of a rule, what its findings mean, and what to do."""

    severity: AuditSeverity
    description: str
    hint: str


AUDIT_RULES = {
    "secret": AuditRule(
        AuditSeverity.ERROR, "a memory contains a key or token", "remove and revoke it"
    ),
    "loop": AuditRule(
        AuditSeverity.ERROR,
        "a memory contains text that a memory or a client emitted",
        "remove the emitted part: it was recalled, not learned",
    ),
    "unreadable": AuditRule(
        AuditSeverity.ERROR, "an entry cannot be read", "fix or remove it in its program"
    ),
    "orphaned-evidence": AuditRule(
        AuditSeverity.WARNING,
        "an atom has evidence that does not exist, or only evidence that was refuted",
        "cite other evidence, or `cortexfs mark REF challenged`",
    ),
    "stale-evidence": AuditRule(
        AuditSeverity.WARNING,
        "evidence of an atom is no longer current",
        "review the atom; then `cortexfs mark REF --reviewed EVIDENCE-REF`",
    ),
    "stale-citation": AuditRule(
        AuditSeverity.WARNING,
        "a cited line has changed since it was cited",
        "review the citation; `cortexfs check --fix` adds the new checksum",
    ),
    "duplicate": AuditRule(
        AuditSeverity.WARNING, "two memories have the same text", "remove all but one"
    ),
    "over-cap": AuditRule(
        AuditSeverity.WARNING,
        "a file is longer than its client loads",
        "shorten it; the rest is never read",
    ),
    "broken-link": AuditRule(
        AuditSeverity.WARNING, "a list of memories names a missing file", "correct the link"
    ),
    "near-duplicate": AuditRule(
        AuditSeverity.NOTE,
        "two memories have nearly the same words",
        "compare numbers and negations first: one may contradict the other",
    ),
    "no-content": AuditRule(
        AuditSeverity.NOTE, "a memory has hardly any text", "complete or remove it"
    ),
    "never-read": AuditRule(
        AuditSeverity.NOTE,
        "an atom has no logged reads",
        "`cortexfs maintain` suggests what to do",
    ),
}
"""Every rule by its name, worst first."""
_ORDER = {name: number for number, name in enumerate(AUDIT_RULES)}


class AuditFinding(NamedTuple):
    """A finding: the name of its rule, the place (a path, ref or entry), and a message."""

    rule: str
    place: str
    message: str


class AuditReport(NamedTuple):
    """The number of examined memories, and the findings, worst first."""

    examined: int
    findings: tuple[AuditFinding, ...]

    @property
    def counts(self) -> dict[str, int]:
        """The number of findings of each rule that has some, worst first."""
        counted = Counter(each.rule for each in self.findings)
        return {name: counted[name] for name in AUDIT_RULES if name in counted}

    @property
    def has_problems(self) -> bool:
        """Whether a finding is more than a note."""
        return any(AUDIT_RULES[name].severity is not AuditSeverity.NOTE for name in self.counts)


def make_report(examined: int, findings: Iterable[AuditFinding]) -> AuditReport:
    """Return a report of findings in any order; a finding that occurs twice counts once."""
    ordered = sorted(set(findings), key=lambda f: (_ORDER[f.rule], f.place, f.message))
    return AuditReport(examined, tuple(ordered))
