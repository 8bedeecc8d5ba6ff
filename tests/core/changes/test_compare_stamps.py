"""What must be read again: stamps on disk against stamps that are known."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.changes.compare_stamps import (
    DeletedFile,
    FileStamp,
    ModifiedFile,
    find_changed_files,
)

MS = 1_000_000
SECOND = 1000 * MS

paths = st.sampled_from(["a", "b", "c", "d"])
stamps = st.builds(FileStamp, st.integers(0, 2), st.integers(0, 2), st.integers(0, 2))
listings = st.dictionaries(paths, stamps)


@given(listings, listings)
def test_applying_the_changes_makes_the_known_stamps_match_the_disk(
    on_disk: dict[str, FileStamp], known: dict[str, FileStamp]
) -> None:
    updated = dict(known)
    seen = []
    for change in find_changed_files(on_disk, known):
        seen.append(change.path)
        match change:
            case ModifiedFile(path):
                assert on_disk[path] != known.get(path), "what is the same is not read"
                updated[path] = on_disk[path]
            case DeletedFile(path):
                del updated[path]
    assert updated == on_disk
    assert seen == sorted(set(seen))


@given(st.integers(0, 10 * SECOND), st.integers(0, 10 * SECOND), st.integers(0, 20 * SECOND))
def test_a_stamp_that_a_second_edit_could_share_is_not_trusted(
    mtime: int, ctime: int, now: int
) -> None:
    stamp = FileStamp(1, mtime, ctime)
    latest = max(mtime, ctime)
    tick = 10 * MS if latest % SECOND else 2 * SECOND
    if latest + tick > now:
        assert stamp.without_unsettled_times(now) != stamp
    if latest + 2 * SECOND <= now:
        assert stamp.without_unsettled_times(now) == stamp, (
            "an old file is not read again and again"
        )
