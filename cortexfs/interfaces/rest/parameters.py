"""The parameters that several routes have, with their limits and descriptions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

from fastapi import Depends, Path, Query
from pydantic import Field

from cortexfs.core.memory.memory_record import MAX_NUMBER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.session.session import Session

MAX_RESULTS = 100
MAX_OFFSET = 1_000_000
MAX_NAME_CHARS, MAX_QUERY_CHARS = 300, 2000
MAX_EDGE_ID = 10**30
"""More than any relation of two memories has."""


WITHOUT_NULL = r"^[^\x00]*$"
"""No file name and no text of ours has a null character."""
Name = Annotated[str, Field(max_length=MAX_NAME_CHARS, pattern=WITHOUT_NULL)]
MemoryId = Annotated[int, Path(ge=1, le=MAX_NUMBER, description="Number of the memory.")]
EdgeId = Annotated[int, Path(ge=1, le=MAX_EDGE_ID, description="Number of the relation.")]
SessionId = Annotated[str, Path(min_length=1, max_length=MAX_NAME_CHARS)]
ProjectQuery = Annotated[Name, Query(description="Only this project.")]
ScopeQuery = Annotated[Literal["", "project", "personal"], Query(description="Only this scope.")]
TypeQuery = Annotated[Name, Query(description="Only this type.")]
LimitQuery = Annotated[int, Query(ge=1, le=MAX_RESULTS, description="Maximum number of results.")]
OffsetQuery = Annotated[int, Query(ge=0, le=MAX_OFFSET, description="Number of results to skip.")]
SearchQuery = Annotated[
    str, Query(min_length=1, max_length=MAX_QUERY_CHARS, description="Words to search for.")
]
REF_PATTERN = r"^[^\x00-\x1f]+$"
Ref = Annotated[
    str,
    Path(
        min_length=1,
        max_length=MAX_NAME_CHARS,
        pattern=REF_PATTERN,
        description="Ref of the atom: `EXP-042` or `driftwood/EXP-042`.",
    ),
]
ProjectName = Annotated[
    str, Path(min_length=1, max_length=64, pattern=r"^[^/\x00-\x1f]+$", description="The project.")
]
Ident = Annotated[str, Path(min_length=1, max_length=64, pattern=r"^[^/\x00-\x1f]+$")]
CursorQuery = Annotated[
    str, Query(max_length=MAX_NAME_CHARS * 2, description="The `next` of the part before.")
]
Names = Annotated[list[Name], Query(max_length=MAX_RESULTS)]
DayQuery = Annotated[Name, Query(description="A day, `2026-05-06`, or a time span, `2w`.")]


def require_projects(session: Session, names: Sequence[str]) -> list[str] | None:
    """Return these projects, which must exist; None for all."""
    from cortexfs.operations.shared.resolve_names import require_project

    return [require_project(session, name) for name in names] or None


def read_filters(
    project: Names = [],  # noqa: B006 - never changed
    kind: Names = [],  # noqa: B006
    status: Names = [],  # noqa: B006
    tag: Names = [],  # noqa: B006
    since: DayQuery = "",
    until: DayQuery = "",
) -> FilterQuery:
    """Return the filters of a list, as typed."""
    return FilterQuery(project, kind, status, tag, since, until)


class FilterQuery(NamedTuple):
    """The filters of a list, as typed."""

    projects: list[str]
    kinds: list[str]
    statuses: list[str]
    tags: list[str]
    since: str
    until: str

    def parse(self, session: Session) -> AtomFilter:
        """Return the filter; raises for names that do not exist."""
        from cortexfs.operations.shared.filters import parse_filters

        return parse_filters(
            session,
            kinds=self.kinds,
            projects=self.projects,
            statuses=self.statuses,
            tags=self.tags,
            since=self.since,
            until=self.until,
        )


Filters = Annotated[FilterQuery, Depends(read_filters)]
