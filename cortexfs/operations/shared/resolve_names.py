"""Understand the names that a person types: refs, projects, kinds."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.errors import (
    AmbiguousRef,
    NoSuchAtom,
    NoSuchKind,
    NoSuchProject,
    OutsideTree,
    Refused,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from cortexfs.core.atoms.atom import Ref
    from cortexfs.core.atoms.kinds import Kind
    from cortexfs.session.view import FileView, View


def resolve(view: View, typed: str, cwd: str) -> tuple[Ref, str]:
    """Give the full ref and the path that `EXP-042` or `flywheel/EXP-042` means.

    A short one is sought in the project of the working directory first. Raises
    `NoSuchAtom` with the nearest, or `AmbiguousRef` with the candidates.
    """
    here = project_here(view, cwd)
    for wanted in dict.fromkeys((f"{here}/{typed}" if here else typed, typed)):
        if found := view.facts.named(wanted):
            return found
    known = view.facts.refs()
    for ref, path in known:
        if typed in {path, f"./{path}"}:
            return ref, path
    within = [(ref, path) for ref, path in known if _is_meant(typed.lower(), ref.lower())]
    if len(within) == 1:
        return within[0]
    if within:
        alike = len({ref for ref, _ in within}) < len(within)
        raise AmbiguousRef(typed, [path if alike else ref for ref, path in within])
    raise NoSuchAtom(typed, close=_close(typed, (ref for ref, _ in known)))


def _is_meant(typed: str, ref: str) -> bool:
    return typed in {ref, ref.rpartition("/")[2]}


def project_here(view: FileView, cwd: str) -> str | None:
    """Name the project that the working directory lies in."""
    inside = os.path.relpath(os.path.realpath(cwd), os.path.realpath(view.tree.root))
    steps = inside.split(os.sep)
    if len(steps) > 1 and steps[0] == "projects" and steps[1] in view.tree.projects():
        return steps[1]
    return None


def project_named(view: FileView, name: str) -> str:
    """Make sure that a project exists; raises `NoSuchProject` with the nearest."""
    present = view.tree.projects()
    if name in present:
        return name
    if "/" in name or name.startswith(".") or not is_project_name(name):
        raise OutsideTree(f"`{name!a}` is no name of a project")
    raise NoSuchProject(name, close=_close(name, present))


def one_project(view: FileView, name: str | None, cwd: str) -> str:
    """Give the project that is meant: the named one, the one around, or the only one."""
    if name:
        return project_named(view, name)
    if here := project_here(view, cwd):
        return here
    present = view.tree.projects()
    if len(present) == 1:
        return present[0]
    if not present:
        raise Refused("there is no project yet", hint="`cortexfs project new NAME --goal TEXT`")
    raise Refused("which project?", hint=f"--project, one of: {', '.join(present)}")


def scope(view: FileView, name: str | None, cwd: str) -> list[str]:
    """Name the projects that are meant: the named one, the one around, or all."""
    if name:
        return [project_named(view, name)]
    here = project_here(view, cwd)
    return [here] if here else view.tree.projects()


def kind_named(view: FileView, name: str) -> Kind:
    """Look a kind up; raises `NoSuchKind` with the nearest."""
    kind = view.kinds.named(name)
    if kind is None:
        known: Sequence[str] = [row.name for row in view.kinds]
        raise NoSuchKind(name, known, close=_close(name, known))
    return kind


def _close(typed: str, known: Iterable[str]) -> list[str]:
    """Give what was probably meant; a short ref is compared with the short refs."""
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is not found

    names = list(known)
    short = {name.rpartition("/")[2]: name for name in reversed(names)} if "/" not in typed else {}
    found = get_close_matches(typed, [*names, *short], n=1, cutoff=0.6)
    return [short.get(name, name) for name in found]
