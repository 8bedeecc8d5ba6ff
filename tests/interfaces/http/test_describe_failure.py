"""What an error means to a client over HTTP."""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING

from tree_strategies import open_session

from cortexfs import errors
from cortexfs.interfaces.http.describe_failure import describe_failure, report_bug

if TYPE_CHECKING:
    from place import Place

STATUSES = {
    404: errors.NoSuchAtom("EXP-999"),
    400: errors.Usage("no option named `x`"),
    409: errors.Refused("a merge is in progress"),
    507: OSError(errno.ENOSPC, "No space left on device", "a"),
    503: OSError(errno.EIO, "Input/output error", "a"),
}


def test_an_error_has_the_status_that_says_what_to_do() -> None:
    for status, error in STATUSES.items():
        failure = describe_failure(error)
        assert failure
        assert failure.status == status
    changed = describe_failure(errors.AtomChanged("a.md"), is_conditional=True)
    assert changed
    assert changed.status == 412


def test_a_bug_is_reported_in_the_private_folder_without_secrets(tree: Place) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    error = RuntimeError(f"with {secret}")
    assert describe_failure(error) is None
    with open_session(tree.root) as session:
        failure = report_bug(session, error)
    (report,) = (tree.root / ".cortexfs/crash").iterdir()
    assert failure.status == 500
    assert str(report) in str(failure.hint)
    assert secret not in report.read_text()
