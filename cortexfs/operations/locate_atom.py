"""Return the path of an atom's file."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.operations.shared.resolve_names import resolve_ref

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Ref
    from cortexfs.session.session import Session


class AtomLocation(NamedTuple):
    """An atom, its path below the root, and the absolute path of its file."""

    ref: Ref
    path: str
    absolute_path: str


def locate_atom(session: Session, typed: str, cwd: str) -> AtomLocation:
    """Return the file of an atom that a person names; raise as `resolve_ref` does."""
    with session.read() as view:
        ref, path = resolve_ref(view, typed, cwd)
    return AtomLocation(ref, path, os.path.join(os.path.abspath(session.tree.root), path))
