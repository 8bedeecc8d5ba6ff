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
        ERROR, "a folder, pipe or device stands where an atom should", "move it elsewhere"
    ),
    "symlink": Meaning(
        ERROR, "atoms are not followed through links", "put the file itself in its place"
    ),
    "bad-name": Meaning(
        ERROR, "a file name with a backslash, or that is no UTF-8", "rename the file"
    ),
    "no-permission": Meaning(ERROR, "the file may not be read", "`chmod u+r` it"),
    "read-failed": Meaning(ERROR, "the disk did not give the file", "look at the disk"),
    "file-too-large": Meaning(ERROR, "an atom over 16 MiB is not read", "keep one fact a file"),
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
    "bad-id": Meaning(ERROR, "the id has not the form of its kind", "correct the id"),
    "name-mismatch": Meaning(ERROR, "file name and id differ", "rename one of them"),
    "duplicate-id": Meaning(ERROR, "two files bear one id", "give one of them the next id"),
    "project-mismatch": Meaning(
        ERROR, "the field `project` names another project", "correct the field, or move the file"
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
    "crlf": Meaning(ADVICE, "line ends are CRLF", "LF is what other tools expect"),
    "bom": Meaning(ADVICE, "the file begins with a byte order mark", "save it without"),
    "conflict-marker": Meaning(ERROR, "a merge left its markers", "resolve the conflict"),
    "stale-evidence": Meaning(
        ADVICE, "what it rests on no longer stands", "read it again in that light"
    ),
    # the tree
    "index-stale": Meaning(ADVICE, "an index.md is out of date", "`cortexfs index regen --all`"),
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


def hint(code: str) -> str:
    """Tell what mends a finding of this code."""
    return CODES[code].hint
