"""How far an operation goes: a dry run, files alone, or a commit too."""

from __future__ import annotations

from enum import StrEnum


class ExecutionMode(StrEnum):
    """How far an operation goes."""

    DRY_RUN = "dry-run"
    """Plan, with all checks, and write nothing."""
    DRY_RUN_WRITE = "dry-run-write"
    """As `DRY_RUN`, for `WRITE`."""
    WRITE = "write"
    """Write the files without a commit."""
    COMMIT = "commit"
    """Write the files and commit them."""
    DEFER = "defer"
    """Write the files durably; one commit a second has the changes of all, see `Session`."""

    @property
    def makes_commit(self) -> bool:
        """Whether a commit is made, at once or later."""
        return self in {ExecutionMode.COMMIT, ExecutionMode.DEFER}

    @property
    def is_deferred(self) -> bool:
        """Whether the commit and the indexes follow later."""
        return self is ExecutionMode.DEFER

    @property
    def is_dry_run(self) -> bool:
        """Whether nothing is written."""
        return self in {ExecutionMode.DRY_RUN, ExecutionMode.DRY_RUN_WRITE}

    @property
    def is_committing(self) -> bool:
        """Whether a commit is made, or would be made without the dry run."""
        return self.makes_commit or self is ExecutionMode.DRY_RUN
