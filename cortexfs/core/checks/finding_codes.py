"""All finding codes: severity, meaning, and hint."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"
WARNING = "warning"


class FindingCode(NamedTuple):
    """The severity, meaning and hint of a code.

    An `error` violates the format; a `warning` is for a person to judge.
    """

    severity: str
    description: str
    hint: str


FINDING_CODES = {
    # files that cannot be read
    "not-a-file": FindingCode(
        ERROR, "a folder, pipe or device is in the place of a file", "move it elsewhere"
    ),
    "symlink": FindingCode(
        ERROR, "a symbolic link; links are not followed", "replace the link with the file itself"
    ),
    "bad-name": FindingCode(
        ERROR, "the file name contains a backslash or is not UTF-8", "rename the file"
    ),
    "no-permission": FindingCode(ERROR, "no permission to read the file", "`chmod u+r` it"),
    "read-failed": FindingCode(ERROR, "the file could not be read from disk", "check the disk"),
    "file-too-large": FindingCode(
        ERROR,
        "an atom over 16 MiB or another text over 4 MiB is not read",
        "split the file: one fact per file",
    ),
    "not-utf8": FindingCode(ERROR, "the text is not UTF-8", "save it as UTF-8"),
    "no-frontmatter": FindingCode(
        ERROR, "the first line is not `---`", "add frontmatter at the beginning"
    ),
    "unclosed-frontmatter": FindingCode(
        ERROR, "no line `---` ends the frontmatter", "add a line `---`"
    ),
    "frontmatter-too-large": FindingCode(
        ERROR, "the frontmatter is over 64 KiB", "move text to the body"
    ),
    "frontmatter-too-deep": FindingCode(
        ERROR, "the frontmatter is nested deeper than 16 levels", "reduce the nesting"
    ),
    "frontmatter-too-many-keys": FindingCode(
        ERROR, "the frontmatter has over 512 keys", "move some to the body"
    ),
    "yaml-feature": FindingCode(
        ERROR, "anchors, aliases, tags and merge keys are not supported", "write the value out"
    ),
    "duplicate-key": FindingCode(ERROR, "a key is repeated", "keep one of the two"),
    "non-text-key": FindingCode(
        ERROR, "a key that YAML reads as a number, a date or the like", "quote or rename the key"
    ),
    "not-a-mapping": FindingCode(
        ERROR, "the frontmatter is not a list of `key: value` lines", "write `key: value` lines"
    ),
    "bad-yaml": FindingCode(ERROR, "the frontmatter is not valid YAML", "correct the line"),
    # atoms
    "missing-field": FindingCode(ERROR, "a required field is missing or empty", "add the field"),
    "bad-id": FindingCode(
        ERROR,
        "the id does not have the form of its kind",
        "correct it; `cortexfs check --fix` does if no ref can mean the present id",
    ),
    "name-mismatch": FindingCode(
        ERROR,
        "the file name and the id differ",
        "rename the file or correct the id; `cortexfs check --fix` corrects a copy",
    ),
    "duplicate-id": FindingCode(
        ERROR,
        "two atoms or two tasks have the same id",
        "`cortexfs renumber PATH` gives an atom the next id",
    ),
    "project-mismatch": FindingCode(
        ERROR,
        "the field `project` names another project",
        "correct it or move the file; `cortexfs check --fix` does if there is no such project",
    ),
    "bad-date": FindingCode(ERROR, "the date is not YYYY-MM-DD", "correct the date"),
    "bad-status": FindingCode(ERROR, "an unknown status", "see docs/format.md, Status"),
    "summary-too-long": FindingCode(ERROR, "the summary has over 300 characters", "shorten it"),
    "summary-lines": FindingCode(WARNING, "the summary has several lines", "make it one line"),
    "dangling-ref": FindingCode(
        ERROR, "a ref to an atom that does not exist", "correct the ref or restore the atom"
    ),
    "anti-pattern-tag": FindingCode(
        WARNING,
        "`ANTI-PATTERN:` in the summary and the tag `anti-pattern` go together",
        "`cortexfs check --fix` adds the tag",
    ),
    "status-case": FindingCode(
        WARNING, "the status is not in lower case", "`cortexfs check --fix`"
    ),
    "missing-section": FindingCode(
        WARNING, "the body lacks a section of its kind", "add the section"
    ),
    "bad-refs": FindingCode(
        WARNING, "`refs` is not a number or `last-ref` is not a time", "correct it"
    ),
    "bad-review": FindingCode(
        WARNING, "an entry of `reviewed` is not `REF YYYY-MM-DD`", "correct or remove it"
    ),
    "crlf": FindingCode(WARNING, "the line ends are CRLF", "convert them to LF"),
    "bom": FindingCode(WARNING, "the file begins with a byte order mark", "save it without"),
    "conflict-marker": FindingCode(
        ERROR,
        "a merge left its markers",
        "resolve the conflict; in an access log `cortexfs check --fix` unites both sides",
    ),
    "stale-evidence": FindingCode(
        WARNING,
        "the evidence is superseded or invalidated",
        "review the atom; if it is still valid, `cortexfs mark REF --reviewed EVIDENCE`",
    ),
    "one-way-link": FindingCode(
        WARNING,
        "a successor does not link to the atom that it replaces",
        "`cortexfs check --fix` adds the link",
    ),
    "few-alternatives": FindingCode(
        WARNING,
        "an accepted decision with fewer than two alternatives",
        "supersede it with a decision that lists them",
    ),
    "decision-changed": FindingCode(
        WARNING,
        "a decision was edited after it was accepted",
        "`cortexfs restore REF --at COMMIT`, or supersede it with a new decision",
    ),
    "removed-field": FindingCode(
        WARNING,
        "a hand edit, as `cortexfs commit` sees it, removes an atom's status, challenge or date",
        "write it back; `cortexfs mark REF STATUS` changes a status and ends a challenge",
    ),
    "no-provenance": FindingCode(
        WARNING,
        "a claimed number without a source",
        "cite a ref, a `file:line`, a commit, a URL or the calculation",
    ),
    "cited-line-changed": FindingCode(
        WARNING,
        "a cited line has changed since it was cited",
        "check the citation and remove its `#…`; `cortexfs check --fix` adds the new checksum",
    ),
    "too-many-cited-lines": FindingCode(
        WARNING, "a text cites more lines than are compared", "cite fewer lines or split the text"
    ),
    "broken-link": FindingCode(
        WARNING, "a link to a file or title that does not exist", "correct the link"
    ),
    "secret": FindingCode(
        ERROR,
        "a key, token or password",
        "remove and revoke it; for a false positive add `pragma: allowlist secret` to the line",
    ),
    # governance files
    "over-cap": FindingCode(ERROR, "a governance file exceeds its cap", "remove what is settled"),
    "says-nothing": FindingCode(
        WARNING,
        "a STATUS.md without a filled-in section or a mission without a goal",
        "fill it in: `cortexfs status set`, `cortexfs mission edit`",
    ),
    "bare-milestone": FindingCode(
        WARNING, "a phase or milestone without a checklist", "add `- [ ]` items"
    ),
    # tasks
    "bad-tasks": FindingCode(
        ERROR, "a TASKS.yaml or an item in it cannot be read", "correct the file by hand"
    ),
    "missing-id": FindingCode(
        WARNING, "a task without an id", "add `id:` with four characters of 0-9 and a-f"
    ),
    "missing-why": FindingCode(WARNING, "a task without a reason", "add `why:`"),
    "missing-done-when": FindingCode(
        WARNING, "a task without a completion criterion", "add `done-when:`, preferably with a path"
    ),
    "missing-template": FindingCode(
        WARNING, "a task without the kind of atom that it produces", "add `template:`"
    ),
    "missing-plan": FindingCode(WARNING, "a task without a plan", "add `plan:`"),
    "unknown-template": FindingCode(ERROR, "the template of a task is not a kind", "correct it"),
    "missing-dependency": FindingCode(
        ERROR, "a task depends on a task that does not exist", "correct `depends-on`"
    ),
    "dependency-cycle": FindingCode(
        ERROR, "tasks depend on each other in a cycle", "remove one of them from `depends-on`"
    ),
    "missing-parent": FindingCode(ERROR, "the parent of a task does not exist", "correct `parent`"),
    "parent-cycle": FindingCode(ERROR, "a task is its own ancestor", "correct `parent`"),
    "bad-priority": FindingCode(
        WARNING, "the priority is not high, medium or low; it is treated as medium", "correct it"
    ),
    "stale-claim": FindingCode(
        WARNING, "a task was claimed more than three days ago", "`cortexfs task unclaim` it"
    ),
    "low-actionable-supply": FindingCode(
        WARNING, "a project has fewer than two tasks that are ready", "`cortexfs task add` more"
    ),
    # the tree
    "index-stale": FindingCode(
        WARNING, "an index.md is out of date", "`cortexfs index regen --all`"
    ),
    "listing-stale": FindingCode(
        WARNING, "the list in a CORTEX.md is out of date", "`cortexfs check --fix`"
    ),
    "overview-stale": FindingCode(WARNING, "OVERVIEW.md is out of date", "`cortexfs check --fix`"),
    "loose-notes": FindingCode(
        WARNING,
        "Markdown files that are neither atoms nor other files of the format",
        "`cortexfs import .` imports them as atoms",
    ),
    "not-writable": FindingCode(WARNING, "an outdated file cannot be written", "`chmod u+w` it"),
    "bad-log-line": FindingCode(
        WARNING,
        "a line of the access log cannot be read; it is skipped",
        "correct or remove the line",
    ),
    "bad-project-name": FindingCode(
        WARNING, "the name of a project is not valid on every file system", "rename the folder"
    ),
    "bad-setting": FindingCode(
        ERROR, "cortexfs.yaml has an invalid setting", "correct the setting"
    ),
}

UNREADABLE_CODES = frozenset(FINDING_CODES) - frozenset(
    list(FINDING_CODES)[list(FINDING_CODES).index("missing-field") :]
)
"""The codes of files that could not be read: all codes before `missing-field`."""


def get_severity(code: str) -> str:
    """Return the severity of a code: `error` or `warning`."""
    return FINDING_CODES[code].severity


def get_hint(code: str) -> str:
    """Return what fixes a finding of this code."""
    return FINDING_CODES[code].hint
