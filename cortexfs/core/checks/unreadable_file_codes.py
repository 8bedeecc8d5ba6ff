"""The codes of findings about files that cannot be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.checks.finding_code import ERROR, FindingCode

if TYPE_CHECKING:
    from collections.abc import Iterable

    from cortexfs.core.atoms.atom import Flaw

UNREADABLE_FILE_CODES = {
    "not-a-file": FindingCode(
        ERROR, "a folder, pipe or device is in the place of a file", "move it out of the tree"
    ),
    "symlink": FindingCode(
        ERROR, "the file is a symlink, which is not followed", "replace the symlink with the file"
    ),
    "bad-name": FindingCode(
        ERROR, "the file name contains a backslash, or is not UTF-8", "rename the file"
    ),
    "no-permission": FindingCode(ERROR, "the file is not readable", "`chmod u+r` the file"),
    "read-failed": FindingCode(ERROR, "reading the file failed", "check the disk"),
    "file-too-large": FindingCode(
        ERROR,
        "an atom has over 16 MiB, another text over 4 MiB, or a file to commit over 32 MiB",
        "split it, or name it in `.gitignore`",
    ),
    "not-utf8": FindingCode(ERROR, "the text is not UTF-8", "save it as UTF-8"),
    "no-frontmatter": FindingCode(
        ERROR, "the first line is not `---`", "begin the file with frontmatter"
    ),
    "unclosed-frontmatter": FindingCode(
        ERROR, "the frontmatter has no closing `---`", "add a line `---` after the last field"
    ),
    "frontmatter-too-large": FindingCode(
        ERROR, "the frontmatter has over 64 KiB", "move text to the body"
    ),
    "frontmatter-too-deep": FindingCode(
        ERROR, "the frontmatter is nested deeper than 16 levels", "nest it less deeply"
    ),
    "frontmatter-too-many-keys": FindingCode(
        ERROR, "the frontmatter has over 512 keys", "move some to the body"
    ),
    "yaml-feature": FindingCode(
        ERROR, "the frontmatter has an anchor, alias, tag or merge key", "write out the value"
    ),
    "duplicate-key": FindingCode(ERROR, "a key occurs twice", "keep one of the two"),
    "non-text-key": FindingCode(ERROR, "a key is not text in YAML", "quote or rename the key"),
    "not-a-mapping": FindingCode(
        ERROR, "the frontmatter is not a list of `key: value` lines", "write `key: value` lines"
    ),
    "bad-yaml": FindingCode(ERROR, "the frontmatter is not valid YAML", "correct the line"),
}


def is_readable(flaws: Iterable[Flaw]) -> bool:
    """Return whether a file with these flaws can be read."""
    return not any(flaw.code in UNREADABLE_FILE_CODES for flaw in flaws)
