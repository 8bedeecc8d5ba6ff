"""How an atom is named by others: in full, in short, and which names one ref may mean."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container

_REF = re.compile(r"(?:[a-z0-9][a-z0-9._-]{0,63}/)?[A-Z]{1,8}-[0-9]{3,}[a-z]?", re.ASCII)


def is_ref(text: str) -> bool:
    """Tell whether a text has the form of a ref: `EXP-042`, or `flywheel/EXP-042`."""
    return bool(_REF.fullmatch(text))


def to_full_ref(cited: str, project: str) -> str:
    """Write a ref in full, as seen from a project (empty: from outside of any)."""
    return f"{project}/{cited}" if project and "/" not in cited else cited


def to_short_ref(ref: str, project: str) -> str:
    """Write a ref as it is written in a project: short within its own."""
    return ref.removeprefix(f"{project}/") if project else ref


def list_candidate_refs(cited: str, project: str) -> tuple[str, ...]:
    """Give the full refs that a cited one may mean; the first that exists is the one."""
    return tuple(dict.fromkeys((to_full_ref(cited, project), cited)))


def find_ref(cited: str, project: str, known: Container[str]) -> str | None:
    """Give the full ref that a cited one means among those known; None where there is none."""
    return next((ref for ref in list_candidate_refs(cited, project) if ref in known), None)


def can_refer_to(cited: str, project: str, ref: str) -> bool:
    """Tell whether a cited ref may mean the atom of this full ref."""
    return ref in list_candidate_refs(cited, project)
