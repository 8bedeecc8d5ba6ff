"""All finding codes: severity, meaning, and hint."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"
WARNING = "warning"


class FindingCode(NamedTuple):
    """The severity, meaning and hint of a code.

    `error` violates the format; `advice` is a warning that a person should look at.
    """

    severity: str
    description: str
    hint: str


FINDING_CODES = {
    # what cannot be read at all
    "not-a-file": FindingCode(
        ERROR, "a folder, pipe or device stands where a file should", "move it elsewhere"
    ),
    "symlink": FindingCode(ERROR, "links are not followed", "put the file itself in its place"),
    "bad-name": FindingCode(
        ERROR, "a file name with a backslash, or that is no UTF-8", "rename the file"
    ),
    "no-permission": FindingCode(ERROR, "the file may not be read", "`chmod u+r` it"),
    "read-failed": FindingCode(ERROR, "the disk did not give the file", "look at the disk"),
    "file-too-large": FindingCode(
        ERROR,
        "an atom over 16 MiB, or any other text over 4 MiB, is not read",
        "keep one fact a file",
    ),
    "not-utf8": FindingCode(ERROR, "the bytes are no UTF-8", "save it as UTF-8"),
    "no-frontmatter": FindingCode(ERROR, "the first line is not `---`", "begin with frontmatter"),
    "unclosed-frontmatter": FindingCode(
        ERROR, "no line `---` ends the frontmatter", "add a line `---`"
    ),
    "frontmatter-too-large": FindingCode(
        ERROR, "over 64 KiB of frontmatter", "move it to the body"
    ),
    "frontmatter-too-deep": FindingCode(ERROR, "nested deeper than 16", "make it flatter"),
    "frontmatter-too-many-keys": FindingCode(ERROR, "over 512 keys", "move them to the body"),
    "yaml-feature": FindingCode(
        ERROR, "anchors, aliases, tags and merge keys are not read", "write the value out"
    ),
    "duplicate-key": FindingCode(ERROR, "a key stands twice", "keep one of the two"),
    "non-text-key": FindingCode(
        ERROR, "a key that YAML takes for no text", "quote it, or rename it"
    ),
    "not-a-mapping": FindingCode(
        ERROR, "the frontmatter is no `key: value` list", "write it as one"
    ),
    "bad-yaml": FindingCode(ERROR, "the frontmatter is not YAML", "fix the line"),
    # what an atom must say
    "missing-field": FindingCode(ERROR, "a required field is absent or empty", "add the field"),
    "bad-id": FindingCode(
        ERROR,
        "the id has not the form of its kind",
        "correct it; where no ref could mean it, `cortexfs check --fix`",
    ),
    "name-mismatch": FindingCode(
        ERROR,
        "file name and id differ",
        "rename the file or correct the id; in a copy, `cortexfs check --fix`",
    ),
    "duplicate-id": FindingCode(
        ERROR,
        "two atoms, or two tasks, bear one id",
        "`cortexfs renumber PATH` gives an atom the next id",
    ),
    "project-mismatch": FindingCode(
        ERROR,
        "the field `project` names another project",
        "correct it or move the file; where no project is called so, `cortexfs check --fix`",
    ),
    "bad-date": FindingCode(ERROR, "the date is not YYYY-MM-DD", "write it so"),
    "bad-status": FindingCode(
        ERROR, "the status is none of the table", "see docs/format.md, Status"
    ),
    "summary-too-long": FindingCode(ERROR, "a summary over 300 characters", "say it shorter"),
    "summary-lines": FindingCode(WARNING, "a summary of several lines", "make it one line"),
    "dangling-ref": FindingCode(ERROR, "a ref names no atom", "correct it, or restore the atom"),
    "anti-pattern-tag": FindingCode(
        WARNING,
        "`ANTI-PATTERN:` and the tag `anti-pattern` go together",
        "`cortexfs check --fix` adds the tag",
    ),
    "status-case": FindingCode(WARNING, "a status not in lower case", "`cortexfs check --fix`"),
    "missing-section": FindingCode(
        WARNING, "the body lacks a section of its kind", "add the section"
    ),
    "bad-refs": FindingCode(WARNING, "`refs` is no number or `last-ref` no time", "correct it"),
    "bad-review": FindingCode(
        WARNING, "an entry of `reviewed` is not `REF YYYY-MM-DD`", "write it so, or take it out"
    ),
    "crlf": FindingCode(WARNING, "line ends are CRLF", "LF is what other tools expect"),
    "bom": FindingCode(WARNING, "the file begins with a byte order mark", "save it without"),
    "conflict-marker": FindingCode(
        ERROR,
        "a merge left its markers",
        "resolve the conflict; in an access log, `cortexfs check --fix` unites both sides",
    ),
    "stale-evidence": FindingCode(
        WARNING,
        "what it rests on no longer stands",
        "read it again; if it still holds, `cortexfs mark REF --reviewed THE-OTHER`",
    ),
    "one-way-link": FindingCode(
        WARNING,
        "an heir does not name what it took the place of",
        "`cortexfs check --fix` adds that to its `links`",
    ),
    "few-alternatives": FindingCode(
        WARNING,
        "a decision was accepted, and names fewer than two alternatives",
        "supersede it by one that weighs them",
    ),
    "decision-changed": FindingCode(
        WARNING,
        "a decision does not say what it said when it was accepted",
        "`cortexfs restore REF --at COMMIT`, or decide anew and `cortexfs decision supersede` it",
    ),
    "removed-field": FindingCode(
        WARNING,
        "a hand edit, as `cortexfs commit` sees it, removes an atom's status, challenge or date",
        "write it back; `cortexfs mark REF STATUS` changes a status and ends a challenge",
    ),
    "no-provenance": FindingCode(
        WARNING,
        "a number is claimed, and nothing says where it comes from",
        "name a ref, a `file:line`, a commit, an address, or the calculation",
    ),
    "cited-line-changed": FindingCode(
        WARNING,
        "a cited line does not read as it did when it was cited",
        "read it again, take out the `#` and its sum; `cortexfs check --fix` adds the new one",
    ),
    "too-many-cited-lines": FindingCode(
        WARNING,
        "a text cites more lines of files than are compared",
        "cite fewer lines, or part the text",
    ),
    "broken-link": FindingCode(
        WARNING, "a link leads to no file of the tree, or to no title", "correct the link"
    ),
    "secret": FindingCode(
        ERROR,
        "a key, token or password",
        "take it out and revoke it; what is none needs `pragma: allowlist secret` on its line",
    ),
    # governance files
    "over-cap": FindingCode(
        ERROR, "a governance file holds more than its cap", "delete what is settled"
    ),
    "says-nothing": FindingCode(
        WARNING,
        "a STATUS.md with no section that is filled in, or a mission without a goal",
        "fill it in: `cortexfs status set`, `cortexfs mission edit`",
    ),
    "bare-milestone": FindingCode(
        WARNING, "a phase or milestone without a checklist", "add `- [ ]` items"
    ),
    # tasks
    "bad-tasks": FindingCode(
        ERROR, "a TASKS.yaml, or an item of it, cannot be read", "fix the file by hand"
    ),
    "missing-id": FindingCode(WARNING, "a task has no id", "add `id:`, four of 0-9 and a-f"),
    "missing-why": FindingCode(WARNING, "a task does not say why", "add `why:`"),
    "missing-done-when": FindingCode(
        WARNING, "a task does not say when it is done", "add `done-when:`, best with a path"
    ),
    "missing-template": FindingCode(
        WARNING, "a task does not say which kind of atom it leads to", "add `template:`"
    ),
    "missing-plan": FindingCode(WARNING, "a task does not say how to go about it", "add `plan:`"),
    "unknown-template": FindingCode(
        ERROR, "a task's template is no kind of the tree", "correct it"
    ),
    "missing-dependency": FindingCode(
        ERROR, "a task depends on one that is nowhere", "correct `depends-on`"
    ),
    "dependency-cycle": FindingCode(
        ERROR, "tasks depend on one another in a circle", "take one of them out of `depends-on`"
    ),
    "missing-parent": FindingCode(
        ERROR, "a task is part of one that is nowhere", "correct `parent`"
    ),
    "parent-cycle": FindingCode(ERROR, "a task is part of itself in the end", "correct `parent`"),
    "bad-priority": FindingCode(
        WARNING, "a priority that is not high, medium or low", "it counts as medium: correct it"
    ),
    "stale-claim": FindingCode(
        WARNING, "a task was claimed more than three days ago", "`cortexfs task unclaim` it"
    ),
    "low-actionable-supply": FindingCode(
        WARNING, "fewer than two tasks of a project are ready", "`cortexfs task add` more"
    ),
    # the tree
    "index-stale": FindingCode(
        WARNING, "an index.md is out of date", "`cortexfs index regen --all`"
    ),
    "listing-stale": FindingCode(
        WARNING, "a CORTEX.md does not list what lies in its folder", "`cortexfs check --fix`"
    ),
    "overview-stale": FindingCode(
        WARNING, "OVERVIEW.md lacks a project, an activity or a scan", "`cortexfs check --fix`"
    ),
    "loose-notes": FindingCode(
        WARNING,
        "Markdown files in the tree that are no atoms, and no files of the tree",
        "`cortexfs import .` makes atoms of them",
    ),
    "not-writable": FindingCode(
        WARNING, "it may not be written, and what it should say by now is not", "`chmod u+w` it"
    ),
    "bad-log-line": FindingCode(WARNING, "a line of the access log is unreadable", "it is skipped"),
    "bad-project-name": FindingCode(
        WARNING, "a project's name may not travel to every file system", "rename the folder"
    ),
    "bad-setting": FindingCode(ERROR, "cortexfs.yaml says what cannot be", "correct the setting"),
}


UNREADABLE_CODES = frozenset(FINDING_CODES) - frozenset(
    list(FINDING_CODES)[list(FINDING_CODES).index("missing-field") :]
)
"""The codes of files that could not be read: all codes before `missing-field`."""


def get_severity(code: str) -> str:
    """Return the severity of a code: `error` or `advice`."""
    return FINDING_CODES[code].severity


def get_severity_label(code: str) -> str:
    """Return the displayed severity of a code: `error` or `warning`."""
    return ERROR if get_severity(code) == ERROR else "warning"


def get_hint(code: str) -> str:
    """Return what fixes a finding of this code."""
    return FINDING_CODES[code].hint
