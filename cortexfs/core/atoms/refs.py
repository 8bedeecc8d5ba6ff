"""Full and short refs, and the atoms that a ref may name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

_REF = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,63}/)?[A-Z]{1,8}-[0-9]{3,}[a-z]?", re.ASCII)


def is_ref(text: str) -> bool:
    """Return whether a text has the form of a ref: `EXP-042` or `flywheel/EXP-042`."""
    return bool(_REF.fullmatch(text))


def to_full_ref(cited: str, project: str) -> str:
    """Return the full form of a ref cited in a project (empty: outside of projects)."""
    return f"{project}/{cited}" if project and "/" not in cited else cited


def to_short_ref(ref: str, project: str) -> str:
    """Return a ref as written in a project: without the project's own name."""
    return ref.removeprefix(f"{project}/") if project else ref


def list_candidate_refs(cited: str, project: str) -> tuple[str, ...]:
    """Return the full refs that a cited ref may mean; the first one that exists counts."""
    return tuple(dict.fromkeys((to_full_ref(cited, project), cited)))


def find_ref(cited: str, project: str, known: Container[str]) -> str | None:
    """Return the full ref that a cited ref means among the known ones, or None."""
    full = to_full_ref(cited, project)
    if full in known:
        return full
    return cited if cited in known else None


def can_refer_to(cited: str, project: str, ref: str) -> bool:
    """Return whether a cited ref may mean the atom with this full ref."""
    return ref in list_candidate_refs(cited, project)
