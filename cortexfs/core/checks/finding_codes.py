"""Every finding code: how grave it is, what it means, and what to do about it."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"
ADVICE = "advice"


class Meaning(NamedTuple):
    """What a code says: `error` breaks the contract, `advice` wants a person's look."""

    severity: str
    meaning: str
    hint: str


CODES = {
    # what cannot be read at all
    "not-a-file": Meaning(
        ERROR, "a folder, pipe or device stands where a file should", "move it elsewhere"
    ),
    "symlink": Meaning(ERROR, "links are not followed", "put the file itself in its place"),
    "bad-name": Meaning(
        ERROR, "a file name with a backslash, or that is no UTF-8", "rename the file"
    ),
    "no-permission": Meaning(ERROR, "the file may not be read", "`chmod u+r` it"),
    "read-failed": Meaning(ERROR, "the disk did not give the file", "look at the disk"),
    "file-too-large": Meaning(
        ERROR,
        "an atom over 16 MiB, or any other text over 4 MiB, is not read",
        "keep one fact a file",
    ),
    "not-utf8": Meaning(ERROR, "the bytes are no UTF-8", "save it as UTF-8"),
    "no-frontmatter": Meaning(ERROR, "the first line is not `---`", "begin with frontmatter"),
    "unclosed-frontmatter": Meaning(
        ERROR, "no line `---` ends the frontmatter", "add a line `---`"
    ),
    "frontmatter-too-large": Meaning(ERROR, "over 64 KiB of frontmatter", "move it to the body"),
    "frontmatter-too-deep": Meaning(ERROR, "nested deeper than 16", "make it flatter"),
    "frontmatter-too-many-keys": Meaning(ERROR, "over 512 keys", "move them to the body"),
    "yaml-feature": Meaning(
        ERROR, "anchors, aliases, tags and merge keys are not read", "write the value out"
    ),
    "duplicate-key": Meaning(ERROR, "a key stands twice", "keep one of the two"),
    "non-text-key": Meaning(ERROR, "a key that YAML takes for no text", "quote it, or rename it"),
    "not-a-mapping": Meaning(ERROR, "the frontmatter is no `key: value` list", "write it as one"),
    "bad-yaml": Meaning(ERROR, "the frontmatter is not YAML", "mend the line"),
    # what an atom must say
    "missing-field": Meaning(ERROR, "a required field is absent or empty", "add the field"),
    "bad-id": Meaning(
        ERROR,
        "the id has not the form of its kind",
        "correct it; where no ref could mean it, `cortexfs check --fix`",
    ),
    "name-mismatch": Meaning(
        ERROR,
        "file name and id differ",
        "rename the file or correct the id; in a copy, `cortexfs check --fix`",
    ),
    "duplicate-id": Meaning(
        ERROR,
        "two atoms, or two tasks, bear one id",
        "`cortexfs renumber PATH` gives an atom the next id",
    ),
    "project-mismatch": Meaning(
        ERROR,
        "the field `project` names another project",
        "correct it or move the file; where no project is called so, `cortexfs check --fix`",
    ),
    "bad-date": Meaning(ERROR, "the date is not YYYY-MM-DD", "write it so"),
    "bad-status": Meaning(ERROR, "the status is none of the table", "see docs/format.md, Status"),
    "summary-too-long": Meaning(ERROR, "a summary over 300 characters", "say it shorter"),
    "summary-lines": Meaning(ADVICE, "a summary of several lines", "make it one line"),
    "dangling-ref": Meaning(ERROR, "a ref names no atom", "correct it, or restore the atom"),
    "anti-pattern-tag": Meaning(
        ADVICE,
        "`ANTI-PATTERN:` and the tag `anti-pattern` go together",
        "`cortexfs check --fix` adds the tag",
    ),
    "status-case": Meaning(ADVICE, "a status not in lower case", "`cortexfs check --fix`"),
    "missing-section": Meaning(ADVICE, "the body lacks a section of its kind", "add the section"),
    "bad-refs": Meaning(ADVICE, "`refs` is no number or `last-ref` no time", "correct it"),
    "bad-review": Meaning(
        ADVICE, "an entry of `reviewed` is not `REF YYYY-MM-DD`", "write it so, or take it out"
    ),
    "crlf": Meaning(ADVICE, "line ends are CRLF", "LF is what other tools expect"),
    "bom": Meaning(ADVICE, "the file begins with a byte order mark", "save it without"),
    "conflict-marker": Meaning(
        ERROR,
        "a merge left its markers",
        "resolve the conflict; in an access log, `cortexfs check --fix` unites both sides",
    ),
    "stale-evidence": Meaning(
        ADVICE,
        "what it rests on no longer stands",
        "read it again; if it still holds, `cortexfs mark REF --reviewed THE-OTHER`",
    ),
    "one-way-link": Meaning(
        ADVICE,
        "an heir does not name what it took the place of",
        "`cortexfs check --fix` adds that to its `links`",
    ),
    "few-alternatives": Meaning(
        ADVICE,
        "a decision was accepted, and names fewer than two alternatives",
        "supersede it by one that weighs them",
    ),
    "decision-changed": Meaning(
        ADVICE,
        "a decision does not say what it said when it was accepted",
        "`cortexfs restore REF --at COMMIT`, or decide anew and `cortexfs decision supersede` it",
    ),
    "no-provenance": Meaning(
        ADVICE,
        "a number is claimed, and nothing says where it comes from",
        "name a ref, a `file:line`, a commit, an address, or the calculation",
    ),
    "cited-line-changed": Meaning(
        ADVICE,
        "a cited line does not read as it did when it was cited",
        "read it again, take out the `#` and its sum; `cortexfs check --fix` adds the new one",
    ),
    "too-many-cited-lines": Meaning(
        ADVICE,
        "a text cites more lines of files than are compared",
        "cite fewer lines, or part the text",
    ),
    "broken-link": Meaning(
        ADVICE, "a link leads to no file of the tree, or to no title", "correct the link"
    ),
    "secret": Meaning(
        ERROR,
        "a key, token or password",
        "take it out and revoke it; what is none needs `pragma: allowlist secret` on its line",
    ),
    # governance files
    "over-cap": Meaning(
        ERROR, "a governance file holds more than its cap", "delete what is settled"
    ),
    "says-nothing": Meaning(
        ADVICE,
        "a STATUS.md with no section that is filled in, or a mission without a goal",
        "fill it in: `cortexfs status set`, `cortexfs mission edit`",
    ),
    "bare-milestone": Meaning(
        ADVICE, "a phase or milestone without a checklist", "add `- [ ]` items"
    ),
    # tasks
    "bad-tasks": Meaning(
        ERROR, "a TASKS.yaml, or an item of it, cannot be read", "mend the file by hand"
    ),
    "missing-id": Meaning(ADVICE, "a task has no id", "add `id:`, four of 0-9 and a-f"),
    "missing-why": Meaning(ADVICE, "a task does not say why", "add `why:`"),
    "missing-done-when": Meaning(
        ADVICE, "a task does not say when it is done", "add `done-when:`, best with a path"
    ),
    "missing-template": Meaning(
        ADVICE, "a task does not say which kind of atom it leads to", "add `template:`"
    ),
    "missing-plan": Meaning(ADVICE, "a task does not say how to go about it", "add `plan:`"),
    "unknown-template": Meaning(ERROR, "a task's template is no kind of the tree", "correct it"),
    "missing-dependency": Meaning(
        ERROR, "a task depends on one that is nowhere", "correct `depends-on`"
    ),
    "dependency-cycle": Meaning(
        ERROR, "tasks depend on one another in a circle", "take one of them out of `depends-on`"
    ),
    "missing-parent": Meaning(ERROR, "a task is part of one that is nowhere", "correct `parent`"),
    "parent-cycle": Meaning(ERROR, "a task is part of itself in the end", "correct `parent`"),
    "bad-priority": Meaning(
        ADVICE, "a priority that is not high, medium or low", "it counts as medium: correct it"
    ),
    "stale-claim": Meaning(
        ADVICE, "a task was claimed more than three days ago", "`cortexfs task unclaim` it"
    ),
    "low-actionable-supply": Meaning(
        ADVICE, "fewer than two tasks of a project are ready", "`cortexfs task add` more"
    ),
    # the tree
    "index-stale": Meaning(ADVICE, "an index.md is out of date", "`cortexfs index regen --all`"),
    "listing-stale": Meaning(
        ADVICE, "a CORTEX.md does not list what lies in its folder", "`cortexfs check --fix`"
    ),
    "overview-stale": Meaning(
        ADVICE, "OVERVIEW.md lacks a project, an activity or a scan", "`cortexfs check --fix`"
    ),
    "loose-notes": Meaning(
        ADVICE,
        "Markdown files in the tree that are no atoms, and no files of the tree",
        "`cortexfs import .` makes atoms of them",
    ),
    "not-writable": Meaning(
        ADVICE, "it may not be written, and what it should say by now is not", "`chmod u+w` it"
    ),
    "bad-log-line": Meaning(ADVICE, "a line of the access log is unreadable", "it is skipped"),
    "bad-project-name": Meaning(
        ADVICE, "a project's name may not travel to every file system", "rename the folder"
    ),
    "bad-setting": Meaning(ERROR, "cortexfs.yaml says what cannot be", "correct the setting"),
}


UNREADABLE = frozenset(CODES) - frozenset(list(CODES)[list(CODES).index("missing-field") :])
"""The codes of files that could not be read: all that stands before `missing-field`."""


def severity(code: str) -> str:
    """Tell how grave a finding of this code is: `error` or `advice`."""
    return CODES[code].severity


def label(code: str) -> str:
    """Give the word for how grave a finding of this code is: `error` or `warning`."""
    return ERROR if severity(code) == ERROR else "warning"


def hint(code: str) -> str:
    """Tell what mends a finding of this code."""
    return CODES[code].hint
