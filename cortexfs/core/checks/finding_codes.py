"""All finding codes: severity, meaning, and hint."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"
WARNING = "warning"


class FindingCodeInfo(NamedTuple):
    """The severity, meaning and hint of a code.

    An error breaks the format; a warning needs the judgement of a person.
    """

    severity: str
    description: str
    hint: str


FINDING_CODES = {
    # unreadable files
    "not-a-file": FindingCodeInfo(
        ERROR, "a folder, pipe or device is in the place of a file", "move it out of the tree"
    ),
    "symlink": FindingCodeInfo(
        ERROR, "the file is a symlink, which is not followed", "replace the symlink with the file"
    ),
    "bad-name": FindingCodeInfo(
        ERROR, "the file name contains a backslash, or is not UTF-8", "rename the file"
    ),
    "no-permission": FindingCodeInfo(ERROR, "the file is not readable", "`chmod u+r` the file"),
    "read-failed": FindingCodeInfo(ERROR, "reading the file failed", "check the disk"),
    "file-too-large": FindingCodeInfo(
        ERROR,
        "an atom has over 16 MiB, another text over 4 MiB, or a file to commit over 32 MiB",
        "split it, or name it in `.gitignore`",
    ),
    "not-utf8": FindingCodeInfo(ERROR, "the text is not UTF-8", "save it as UTF-8"),
    "no-frontmatter": FindingCodeInfo(
        ERROR, "the first line is not `---`", "begin the file with frontmatter"
    ),
    "unclosed-frontmatter": FindingCodeInfo(
        ERROR, "the frontmatter has no closing `---`", "add a line `---` after the last field"
    ),
    "frontmatter-too-large": FindingCodeInfo(
        ERROR, "the frontmatter has over 64 KiB", "move text to the body"
    ),
    "frontmatter-too-deep": FindingCodeInfo(
        ERROR, "the frontmatter is nested deeper than 16 levels", "nest it less deeply"
    ),
    "frontmatter-too-many-keys": FindingCodeInfo(
        ERROR, "the frontmatter has over 512 keys", "move some to the body"
    ),
    "yaml-feature": FindingCodeInfo(
        ERROR, "the frontmatter has an anchor, alias, tag or merge key", "write out the value"
    ),
    "duplicate-key": FindingCodeInfo(ERROR, "a key occurs twice", "keep one of the two"),
    "non-text-key": FindingCodeInfo(ERROR, "a key is not text in YAML", "quote or rename the key"),
    "not-a-mapping": FindingCodeInfo(
        ERROR, "the frontmatter is not a list of `key: value` lines", "write `key: value` lines"
    ),
    "bad-yaml": FindingCodeInfo(ERROR, "the frontmatter is not valid YAML", "correct the line"),
    # atoms
    "missing-field": FindingCodeInfo(
        ERROR, "a required field is missing or empty", "add the field"
    ),
    "bad-id": FindingCodeInfo(
        ERROR,
        "the id does not have the form of its kind",
        "correct the id; `cortexfs check --fix` does so if no ref uses it",
    ),
    "name-mismatch": FindingCodeInfo(
        ERROR,
        "the file name and the id differ",
        "rename the file or correct the id; `cortexfs check --fix` corrects the id of a copy",
    ),
    "duplicate-id": FindingCodeInfo(
        ERROR,
        "two atoms, or two tasks, have the same id",
        "`cortexfs renumber PATH` gives an atom another id; edit the id of a task",
    ),
    "project-mismatch": FindingCodeInfo(
        ERROR,
        "the field `project` names another project",
        "correct the field or move the file; `cortexfs check --fix` replaces an unknown project",
    ),
    "bad-date": FindingCodeInfo(ERROR, "the date is not YYYY-MM-DD", "correct the date"),
    "bad-status": FindingCodeInfo(
        ERROR, "the status is unknown", "docs/format.md, section Status, lists all"
    ),
    "summary-too-long": FindingCodeInfo(
        ERROR, "the summary has over 300 characters", "shorten the summary"
    ),
    "summary-lines": FindingCodeInfo(
        WARNING, "the summary has several lines", "write it in one line"
    ),
    "dangling-ref": FindingCodeInfo(
        ERROR, "a ref names an atom that does not exist", "correct the ref, or restore the atom"
    ),
    "anti-pattern-tag": FindingCodeInfo(
        WARNING,
        "an atom has `ANTI-PATTERN:` or the tag `anti-pattern`, but not both",
        "`cortexfs check --fix` adds the tag",
    ),
    "status-case": FindingCodeInfo(
        WARNING, "the status is not in lower case", "`cortexfs check --fix` corrects it"
    ),
    "missing-section": FindingCodeInfo(
        WARNING, "the body lacks a section that its kind requires", "add the section"
    ),
    "bad-refs": FindingCodeInfo(
        WARNING, "`refs` is not a number, or `last-ref` is not a time", "correct the field"
    ),
    "bad-review": FindingCodeInfo(
        WARNING, "an entry of `reviewed` is not `REF YYYY-MM-DD`", "correct or remove the entry"
    ),
    "crlf": FindingCodeInfo(WARNING, "the line endings are CRLF", "convert them to LF"),
    "bom": FindingCodeInfo(
        WARNING, "the file begins with a byte order mark", "save the file without it"
    ),
    "conflict-marker": FindingCodeInfo(
        ERROR,
        "the file contains conflict markers",
        "resolve the conflict; in an access log, `cortexfs check --fix` keeps both sides",
    ),
    "stale-evidence": FindingCodeInfo(
        WARNING,
        "evidence of the atom is no longer current",
        "review the atom; if it is still valid, `cortexfs mark REF --reviewed EVIDENCE-REF`",
    ),
    "one-way-link": FindingCodeInfo(
        WARNING,
        "a successor does not link to the atom that it replaces",
        "`cortexfs check --fix` adds the link",
    ),
    "few-alternatives": FindingCodeInfo(
        WARNING,
        "an accepted decision has fewer than two alternatives",
        "supersede it by a decision that compares alternatives",
    ),
    "decision-changed": FindingCodeInfo(
        WARNING,
        "the text of a decision was edited after it was accepted",
        "`cortexfs restore REF --at COMMIT`, or supersede it by a new decision",
    ),
    "removed-field": FindingCodeInfo(
        WARNING,
        "an edit by hand removed the status, a challenge or the date of an atom",
        "write it back; `cortexfs mark REF STATUS` changes a status and ends a challenge",
    ),
    "no-provenance": FindingCodeInfo(
        WARNING,
        "a number has no source",
        "add a ref, a `file:line`, a commit, an address, or the calculation",
    ),
    "cited-line-changed": FindingCodeInfo(
        WARNING,
        "a cited line has changed since it was cited",
        "review the citation and remove its `#` checksum; `cortexfs check --fix` adds the new one",
    ),
    "too-many-cited-lines": FindingCodeInfo(
        WARNING,
        "a text cites more lines than are compared",
        "cite fewer lines, or split the text",
    ),
    "broken-link": FindingCodeInfo(
        WARNING, "a link leads to a file or title that does not exist", "correct the link"
    ),
    "secret": FindingCodeInfo(
        ERROR,
        "the text contains a key, token or password",
        "remove and revoke it; if it is not a secret, add `pragma: allowlist secret` to its line",
    ),
    # governance files
    "over-cap": FindingCodeInfo(
        ERROR, "a governance file is larger than its cap", "remove what is no longer needed"
    ),
    "says-nothing": FindingCodeInfo(
        WARNING,
        "all sections of a STATUS.md are empty, or a mission has no goal",
        "use `cortexfs status set` or `cortexfs mission edit`",
    ),
    "bare-milestone": FindingCodeInfo(
        WARNING, "a phase or milestone has no checklist", "add `- [ ]` items"
    ),
    # tasks
    "bad-tasks": FindingCodeInfo(
        ERROR, "TASKS.yaml, or a task in it, is unreadable", "fix the file by hand"
    ),
    "missing-id": FindingCodeInfo(
        WARNING, "a task has no id", "add `id:` with four characters of 0-9 and a-f"
    ),
    "missing-why": FindingCodeInfo(WARNING, "a task has no reason", "add `why:`"),
    "missing-done-when": FindingCodeInfo(
        WARNING, "a task has no condition for being done", "add `done-when:`, best with a path"
    ),
    "missing-template": FindingCodeInfo(
        WARNING, "a task does not name the kind of atom that it produces", "add `template:`"
    ),
    "missing-plan": FindingCodeInfo(WARNING, "a task has no plan", "add `plan:`"),
    "unknown-template": FindingCodeInfo(
        ERROR, "the template of a task is not a kind of the tree", "correct `template`"
    ),
    "missing-dependency": FindingCodeInfo(
        ERROR, "a task depends on a task that does not exist", "correct `depends-on`"
    ),
    "dependency-cycle": FindingCodeInfo(
        ERROR, "tasks depend on each other in a cycle", "remove one of them from `depends-on`"
    ),
    "missing-parent": FindingCodeInfo(
        ERROR, "the parent of a task does not exist", "correct `parent`"
    ),
    "parent-cycle": FindingCodeInfo(ERROR, "a task is its own ancestor", "correct `parent`"),
    "bad-priority": FindingCodeInfo(
        WARNING,
        "a priority is not high, medium or low",
        "correct it; until then it counts as medium",
    ),
    "stale-claim": FindingCodeInfo(
        WARNING,
        "a task was claimed more than three days ago",
        "`cortexfs task unclaim ID` clears the claim",
    ),
    "low-actionable-supply": FindingCodeInfo(
        WARNING, "fewer than two tasks of a project are ready", "`cortexfs task add` adds more"
    ),
    # the tree
    "index-stale": FindingCodeInfo(
        WARNING, "an index.md is out of date", "`cortexfs index regen --all` updates it"
    ),
    "listing-stale": FindingCodeInfo(
        WARNING, "the list in a CORTEX.md is out of date", "`cortexfs check --fix` updates it"
    ),
    "overview-stale": FindingCodeInfo(
        WARNING, "OVERVIEW.md is out of date", "`cortexfs check --fix` updates it"
    ),
    "story-outdated": FindingCodeInfo(
        WARNING,
        "chunks of a story were made with other settings",
        "`cortexfs story rebuild NAME` makes them anew",
    ),
    "loose-notes": FindingCodeInfo(
        WARNING,
        "the tree contains Markdown files that are not part of the format",
        "`cortexfs import .` creates atoms from them",
    ),
    "not-writable": FindingCodeInfo(
        WARNING, "a file that is out of date is not writable", "`chmod u+w` the file"
    ),
    "bad-log-line": FindingCodeInfo(
        WARNING, "a line of the access log is invalid", "remove the line; it is not counted"
    ),
    "bad-project-name": FindingCodeInfo(
        WARNING, "the name of a project is not valid on every file system", "rename the folder"
    ),
    "bad-setting": FindingCodeInfo(
        ERROR, "a setting in cortexfs.yaml is invalid", "correct the setting"
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
