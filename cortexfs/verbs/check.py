"""Find what is wrong with a tree, and mend what is safe to mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core import codec
from cortexfs.core.atom import Finding, Flaw, words
from cortexfs.core.check import check as check_atoms
from cortexfs.core.findings import ERROR, severity
from cortexfs.core.lifecycle import read_status
from cortexfs.core.places import place
from cortexfs.core.plan import Plan, Write
from cortexfs.errors import CortexError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cortexfs.cortex import Cortex, Outcome

FIXABLE = ("missing-field", "status-case", "anti-pattern-tag")


class Checked(NamedTuple):
    """Findings in path and line order, and how many are errors."""

    findings: list[Finding]
    errors: int

    @property
    def advice(self) -> int:
        """How many are advice."""
        return len(self.findings) - self.errors


def check(cortex: Cortex, projects: Sequence[str] | None) -> Checked:
    """Collect the findings of some projects, or of the whole tree."""
    cortex.refresh()
    findings = [Finding("cortexfs.yaml", f.code, f.message, f.line) for f in cortex.settings.flaws]
    findings += check_atoms(cortex.facts.atoms(), cortex.kinds)
    findings += cortex.facts.torn_lines()
    planned, blocked = cortex.plan_indexes(cortex.folders(projects), afresh=True)
    findings += blocked
    for index in planned:
        if index.write:
            said = "does not say what its atoms say" if index.write.replacing else "is missing"
            findings.append(Finding(index.path, "index-stale", f"the index {said}"))
    wanted = None if projects is None else tuple(f"projects/{name}/" for name in projects)
    chosen = [f for f in findings if wanted is None or f.path.startswith(wanted)]
    errors = sum(severity(finding.code) == ERROR for finding in chosen)
    return Checked(sorted(chosen, key=lambda f: (f.path, f.line, f.code)), errors)


def fix(cortex: Cortex, projects: Sequence[str] | None, *, commit: bool = True) -> Outcome:
    """Mend what has only one right answer, then render the indexes.

    A missing id or project that the file's place gives, a status in lower case, the tag of an
    anti-pattern. A file that the user has changed and not committed is mended too, but
    stays out of the commit.
    """
    return cortex.carry_out(
        lambda view: plan_fixes(view, projects),
        commit=commit,
        render=lambda: cortex.folders(projects),
    )


def plan_fixes(cortex: Cortex, projects: Sequence[str] | None) -> Plan:
    """Decide what to mend."""
    found = check(cortex, projects).findings
    paths = sorted({finding.path for finding in found if finding.code in FIXABLE})
    writes = [write for path in paths if (write := _mended(cortex, path))]
    theirs = cortex.ledger.theirs([write.path for write in writes])
    return Plan(
        "check: mend what is safe",
        tuple(writes),
        uncommitted=theirs.changed | theirs.untracked,
    )


def _mended(cortex: Cortex, path: str) -> Write | None:
    source = cortex.tree.read(path)
    if isinstance(source, Flaw) or not (changes := _changes(cortex, path, source.text)):
        return None
    try:
        return Write(path, codec.edit(source.text, changes), replacing=source.text)
    except CortexError:  # it cannot be edited safely: left to its author
        return None


def _changes(cortex: Cortex, path: str, text: str) -> Mapping[str, str | Sequence[str]]:
    fields = codec.parse(text).fields
    where = place(path, cortex.kinds)
    if where is None or not fields:
        return {}
    changes: dict[str, str | Sequence[str]] = {}
    if not fields.get("id") and where.claimed:
        changes["id"] = where.claimed
    if where.project and not fields.get("project"):
        changes["project"] = where.project
    typed = fields.get("status", "")
    status = read_status(typed if isinstance(typed, str) else "")
    if typed and status.known and not str(typed).strip().startswith(status.word):
        changes["status"] = str(status)
    summary, tags = fields.get("summary", ""), fields.get("tags", ())
    anti = isinstance(summary, str) and summary.lstrip().startswith("ANTI-PATTERN:")
    if anti and "anti-pattern" not in words(tags):
        changes["tags"] = ["anti-pattern", *words(tags)]
    return changes
