"""The parameters that several routes have, with their limits and descriptions."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Path, Query
from pydantic import BeforeValidator, Field

from cortexfs.core.memory.memory_record import MAX_NUMBER

MAX_RESULTS = 100
MAX_OFFSET = 1_000_000
MAX_NAME_CHARS, MAX_QUERY_CHARS = 300, 2000
MAX_EDGE_ID = 10**30
"""More than any relation of two memories has."""


def _refuse_null(value: object) -> object:
    """Refuse a character that no file name and no text of ours has."""
    if isinstance(value, str) and "\0" in value:
        raise ValueError("it has a null character")
    return value


Name = Annotated[str, Field(max_length=MAX_NAME_CHARS), BeforeValidator(_refuse_null)]
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
