"""What a build of entities is about to write, kept beside the tree until the next one.

The files of a build are written one after the other, and `_generated.tsv` is one of them. When a
build is killed, some files are as before and some are new; without this note the next build would
take what the killed one wrote for the work of a person, and what it removed for removed by one.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.generated_lines import Lines, digest_record, digest_text

if TYPE_CHECKING:
    from collections.abc import Mapping

_READS = re.compile(r"^(?:refs|last-ref): .*\n", re.MULTILINE)


class FileState(NamedTuple):
    """The lines that were generated of a file, and the digest of its text."""

    lines: Lines
    digest: str


class PendingBuild(NamedTuple):
    """The digests of `_generated.tsv` before and after a build, and the files that it changes.

    They are by owner: `before` has those that it replaces or removes, and those of a build that was
    killed before; `after` has those that it writes.
    """

    record_before: str
    record_after: str
    before: Mapping[str, FileState]
    after: Mapping[str, FileState]


def make_state(lines: Lines, text: str) -> FileState:
    """Return the state of a file; its counts of reads do not matter."""
    return FileState(lines, digest_text(_READS.sub("", text)))


def format_pending(build: PendingBuild) -> bytes:
    """Return the content of the note."""
    return json.dumps(build).encode()


def parse_pending(content: bytes) -> PendingBuild | None:
    """Return the build of a note; None if it is not one."""
    try:
        record_before, record_after, before, after = json.loads(content)
        return PendingBuild(
            str(record_before), str(record_after), _read_states(before), _read_states(after)
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def complete_generated(
    record: str,
    recorded: Mapping[str, Lines],
    pending: PendingBuild | None,
    texts: Mapping[str, str | None],
) -> dict[str, Lines | None]:
    """Return what `_generated.tsv` does not say of a killed build: by owner, None without a file.

    `record` is its text and `recorded` what it says, `texts` has the text of each file by owner. A
    file that is as the build found or wrote it has the lines that the build says; of any other
    nothing is returned.
    """
    if pending is None or digest_record(record) not in pending[:2]:
        return {}
    is_recorded = digest_record(record) == pending.record_after
    completed: dict[str, Lines | None] = {}
    for owner in pending.before.keys() | pending.after.keys():
        if is_recorded and owner in recorded and owner not in pending.after:
            continue  # its file was not written, so that the record has its latest lines
        text = texts.get(owner)
        states = (pending.after.get(owner), pending.before.get(owner))
        if text is not None:
            digest = make_state({}, text).digest
            if state := next((each for each in states if each and each.digest == digest), None):
                completed[owner] = state.lines
        elif owner not in texts and owner not in pending.after and not is_recorded:
            completed[owner] = None
    return {owner: found for owner, found in completed.items() if found != recorded.get(owner)}


def _read_states(value: Mapping[str, tuple[Mapping[str, str], str]]) -> dict[str, FileState]:
    return {
        str(owner): FileState({str(key): str(each) for key, each in lines.items()}, str(digest))
        for owner, (lines, digest) in value.items()
    }
