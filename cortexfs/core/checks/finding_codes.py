"""All finding codes: severity, meaning, and hint."""

from __future__ import annotations

from cortexfs.core.checks.finding_code import ERROR, WARNING, FindingCode
from cortexfs.core.checks.unreadable_file_codes import UNREADABLE_FILE_CODES

FINDING_CODES = {
    **UNREADABLE_FILE_CODES,
    # atoms
    "missing-field": FindingCode(ERROR, "a required field is missing or empty", "add the field"),
    "bad-id": FindingCode(
        ERROR,
        "the id does not have the form of its kind",
        "correct the id; `cortexfs check --fix` does so if no ref uses it",
    ),
    "name-mismatch": FindingCode(
        ERROR,
        "the file name and the id differ",
        "rename the file or correct the id; `cortexfs check --fix` corrects the id of a copy",
    ),
    "duplicate-id": FindingCode(
        ERROR,
        "two atoms, or two tasks, have the same id",
        "`cortexfs renumber PATH` gives an atom another id; edit the id of a task",
    ),
    "project-mismatch": FindingCode(
        ERROR,
        "the field `project` names another project",
        "correct the field or move the file; `cortexfs check --fix` replaces an unknown project",
    ),
    "bad-date": FindingCode(ERROR, "the date is not YYYY-MM-DD", "correct the date"),
    "bad-status": FindingCode(
        ERROR, "the status is unknown", "docs/format.md, section Status, lists all"
    ),
    "summary-too-long": FindingCode(
        ERROR, "the summary has over 300 characters", "shorten the summary"
    ),
    "summary-lines": FindingCode(WARNING, "the summary has several lines", "write it in one line"),
    "dangling-ref": FindingCode(
        ERROR, "a ref names an atom that does not exist", "correct the ref, or restore the atom"
    ),
    "anti-pattern-tag": FindingCode(
        WARNING,
        "an atom has `ANTI-PATTERN:` or the tag `anti-pattern`, but not both",
        "`cortexfs check --fix` adds the tag",
    ),
    "status-case": FindingCode(
        WARNING, "the status is not in lower case", "`cortexfs check --fix` corrects it"
    ),
    "missing-section": FindingCode(
        WARNING, "the body lacks a section that its kind requires", "add the section"
    ),
    "bad-refs": FindingCode(
        WARNING, "`refs` is not a number, or `last-ref` is not a time", "correct the field"
    ),
    "bad-review": FindingCode(
        WARNING, "an entry of `reviewed` is not `REF YYYY-MM-DD`", "correct or remove the entry"
    ),
    "crlf": FindingCode(WARNING, "the line endings are CRLF", "convert them to LF"),
    "bom": FindingCode(
        WARNING, "the file begins with a byte order mark", "save the file without it"
    ),
    "conflict-marker": FindingCode(
        ERROR,
        "the file contains conflict markers",
        "resolve the conflict; in an access log, `cortexfs check --fix` keeps both sides",
    ),
    "stale-evidence": FindingCode(
        WARNING,
        "evidence of the atom is no longer current",
        "review the atom; if it is still valid, `cortexfs mark REF --reviewed EVIDENCE-REF`",
    ),
    "one-way-link": FindingCode(
        WARNING,
        "a successor does not link to the atom that it replaces",
        "`cortexfs check --fix` adds the link",
    ),
    "few-alternatives": FindingCode(
        WARNING,
        "an accepted decision has fewer than two alternatives",
        "supersede it by a decision that compares alternatives",
    ),
    "decision-changed": FindingCode(
        WARNING,
        "the text of a decision was edited after it was accepted",
        "`cortexfs restore REF --at COMMIT`, or supersede it by a new decision",
    ),
    "removed-field": FindingCode(
        WARNING,
        "an edit by hand removed the status, a challenge or the date of an atom",
        "write it back; `cortexfs mark REF STATUS` changes a status and ends a challenge",
    ),
    "no-provenance": FindingCode(
        WARNING,
        "a number has no source",
        "add a ref, a `file:line`, a commit, an address, or the calculation",
    ),
    "cited-line-changed": FindingCode(
        WARNING,
        "a cited line has changed since it was cited",
        "review the citation and remove its `#` checksum; `cortexfs check --fix` adds the new one",
    ),
    "too-many-cited-lines": FindingCode(
        WARNING,
        "a text cites more lines than are compared",
        "cite fewer lines, or split the text",
    ),
    "broken-link": FindingCode(
        WARNING, "a link leads to a file or title that does not exist", "correct the link"
    ),
    "secret": FindingCode(
        ERROR,
        "the text contains a key, token or password",
        "remove and revoke it; if it is not a secret, add `pragma: allowlist secret` to its line",
    ),
    # governance files
    "over-cap": FindingCode(
        ERROR, "a governance file is larger than its cap", "remove what is no longer needed"
    ),
    "says-nothing": FindingCode(
        WARNING,
        "all sections of a STATUS.md are empty, or a mission has no goal",
        "use `cortexfs status set` or `cortexfs mission edit`",
    ),
    "bare-milestone": FindingCode(
        WARNING, "a phase or milestone has no checklist", "add `- [ ]` items"
    ),
    # tasks
    "bad-tasks": FindingCode(
        ERROR, "TASKS.yaml, or a task in it, is unreadable", "fix the file by hand"
    ),
    "missing-id": FindingCode(
        WARNING, "a task has no id", "add `id:` with four characters of 0-9 and a-f"
    ),
    "missing-why": FindingCode(WARNING, "a task has no reason", "add `why:`"),
    "missing-done-when": FindingCode(
        WARNING, "a task has no condition for being done", "add `done-when:`, best with a path"
    ),
    "missing-template": FindingCode(
        WARNING, "a task does not name the kind of atom that it produces", "add `template:`"
    ),
    "missing-plan": FindingCode(WARNING, "a task has no plan", "add `plan:`"),
    "unknown-template": FindingCode(
        ERROR, "the template of a task is not a kind of the tree", "correct `template`"
    ),
    "missing-dependency": FindingCode(
        ERROR, "a task depends on a task that does not exist", "correct `depends-on`"
    ),
    "dependency-cycle": FindingCode(
        ERROR, "tasks depend on each other in a cycle", "remove one of them from `depends-on`"
    ),
    "missing-parent": FindingCode(ERROR, "the parent of a task does not exist", "correct `parent`"),
    "parent-cycle": FindingCode(ERROR, "a task is its own ancestor", "correct `parent`"),
    "bad-priority": FindingCode(
        WARNING,
        "a priority is not high, medium or low",
        "correct it; until then it counts as medium",
    ),
    "stale-claim": FindingCode(
        WARNING,
        "a task was claimed more than three days ago",
        "`cortexfs task unclaim ID` clears the claim",
    ),
    "low-actionable-supply": FindingCode(
        WARNING, "fewer than two tasks of a project are ready", "`cortexfs task add` adds more"
    ),
    # the tree
    "index-stale": FindingCode(
        WARNING, "an index.md is out of date", "`cortexfs index regen --all` updates it"
    ),
    "listing-stale": FindingCode(
        WARNING, "the list in a CORTEX.md is out of date", "`cortexfs check --fix` updates it"
    ),
    "overview-stale": FindingCode(
        WARNING, "OVERVIEW.md is out of date", "`cortexfs check --fix` updates it"
    ),
    "story-outdated": FindingCode(
        WARNING,
        "chunks of a story were made with other settings",
        "`cortexfs story rebuild NAME` makes them anew",
    ),
    "loose-notes": FindingCode(
        WARNING,
        "the tree contains Markdown files that are not part of the format",
        "`cortexfs import .` creates atoms from them",
    ),
    "not-writable": FindingCode(
        WARNING, "a file that is out of date is not writable", "`chmod u+w` the file"
    ),
    "bad-log-line": FindingCode(
        WARNING, "a line of the access log is invalid", "remove the line; it is not counted"
    ),
    "bad-project-name": FindingCode(
        WARNING, "the name of a project is not valid on every file system", "rename the folder"
    ),
    "bad-setting": FindingCode(
        ERROR, "a setting in cortexfs.yaml is invalid", "correct the setting"
    ),
}


def get_severity(code: str) -> str:
    """Return the severity of a code: `error` or `warning`."""
    return FINDING_CODES[code].severity


def is_error(code: str) -> bool:
    """Return whether a finding of this code breaks the format."""
    return get_severity(code) == ERROR


def get_hint(code: str) -> str:
    """Return what fixes a finding of this code."""
    return FINDING_CODES[code].hint
