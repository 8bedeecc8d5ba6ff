"""Resolve the names that a person types: refs, projects, kinds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from cortexfs.core.atoms.atom import Ref
from cortexfs.core.atoms.complete_id import complete_id
from cortexfs.core.atoms.kinds import OBSERVATION_KIND
from cortexfs.core.atoms.tree_paths import is_project_name
from cortexfs.core.indexes.atom_with_reads import parse_id_number
from cortexfs.core.text.nearest_names import nearest_names
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

    from cortexfs.core.atoms.kind import Kind
    from cortexfs.session.view import TreeFilesAndGit, View

_NUMBERED_REF = re.compile(r"(?:.*/)?[A-Za-z]+-[0-9]{3,}")
"""Pattern of a ref; the kind need not exist."""
_NUMBER = re.compile(r"#?[0-9]{1,15}", re.ASCII)
"""An observation by its number alone: `117`; observations are numbered over the whole tree."""
MAX_CANDIDATES = 10
"""Maximum number of atoms with the same title that an error names."""


def resolve_ref(view: View, typed: str, cwd: str) -> tuple[Ref, str]:
    """Return the full ref and the path of `EXP-042`, `flywheel/EXP-042`, or `117` for OBS-117.

    A short one is searched in the project of the working directory first. What is no ref may be the
    summary, title or alias of one atom, or lack zeros and hyphen: `k1`. Raises `NoSuchAtom` or
    `NoSuchProject` with the nearest, `AtomRemoved`, or `AmbiguousRef` with the candidates.
    """
    current = find_current_project(view, cwd)
    for wanted in dict.fromkeys((f"{current}/{typed}" if current else typed, typed)):
        if found := view.queries.find_ref(wanted):
            return found
    if _NUMBER.fullmatch(typed) and (
        memory := view.memories.find_number(OBSERVATION_KIND, int(typed.removeprefix("#")))
    ):
        return Ref(memory.ref), memory.path
    known = view.queries.list_refs()
    for ref, path in known:
        if typed in {path, f"./{path}"}:
            return ref, path
    matching = [(ref, path) for ref, path in known if _is_same_ref(typed.lower(), ref.lower())]
    if matching:
        has_twins = len({ref for ref, _ in matching}) < len(matching)
        return _only_one(typed, matching, [path if has_twins else ref for ref, path in matching])
    if titled := _find_titled(view, typed):
        return _only_one(typed, titled, [path for _, path in titled[:MAX_CANDIDATES]])
    if (completed := complete_id(typed, view.kinds)) != typed:
        return resolve_ref(view, completed, cwd)
    from cortexfs.operations.removed_atoms import refuse_removed  # noqa: PLC0415 - only for what is not found

    refuse_removed(view, typed, current)
    raise _make_refusal(view, typed, current, [ref for ref, _ in known])


def _only_one(
    typed: str, found: list[tuple[Ref, str]], candidates: Sequence[str]
) -> tuple[Ref, str]:
    """Return the only atom that was found; raise `AmbiguousRef` with the candidates of several."""
    if len(found) > 1:
        raise AmbiguousRef(typed, candidates)
    return found[0]


def _make_refusal(
    view: View, typed: str, current: str | None, refs: Sequence[str]
) -> NoSuchAtom | NoSuchProject:
    """Return the error of a ref that no atom has; `NoSuchProject` if its project is unknown too."""
    close = _nearest_refs(typed, refs)
    project, _, ident = typed.rpartition("/")
    projects = view.tree.list_projects()
    is_elsewhere = project in projects or any(ref.startswith(f"{project}/") for ref in refs)
    if not (close or is_elsewhere) and is_project_name(project) and _NUMBERED_REF.fullmatch(ident):
        return NoSuchProject(project, close=nearest_names(project, projects))
    return NoSuchAtom(typed, close=close, known=_describe_id_range(view, typed, current, refs))


def _find_titled(view: View, typed: str) -> list[tuple[Ref, str]]:
    """Return the atoms with a text as their summary, title or alias; case and accents do not count.

    What has the form of a ref is never taken for a title.
    """
    from cortexfs.core.find.extract_links import normalize_wiki_name  # noqa: PLC0415 - only for what is not found

    wanted = normalize_wiki_name(typed)
    if not wanted or _NUMBERED_REF.fullmatch(typed):
        return []
    every = view.queries.iter_titles()
    return [(ref, path) for ref, path, names in every if wanted in map(normalize_wiki_name, names)]


def _is_same_ref(typed: str, ref: str) -> bool:
    return typed in {ref, ref.rpartition("/")[2]}


def find_current_project(view: TreeFilesAndGit, cwd: str) -> str | None:
    """Return the project of the working directory; None if it is in none."""
    from cortexfs.session.working_folders import find_tree_project  # noqa: PLC0415 - its imports

    return find_tree_project(view.tree, cwd)


def require_project(view: TreeFilesAndGit, name: str) -> str:
    """Return the name of a project that exists; raise `NoSuchProject` with the nearest."""
    projects = view.tree.list_projects()
    if name in projects:
        return name
    if "/" in name or name.startswith(".") or not is_project_name(name):
        close = nearest_names(name, projects)
        hint = (
            f"did you mean `{close[0]}`?"
            if close
            else "a name may contain a-z, 0-9, `.`, `_` and `-`"
        )
        raise OutsideTree(f"{name!a} cannot be the name of a project", hint=hint)
    raise NoSuchProject(name, close=nearest_names(name, projects))


def require_valid_project_name(name: str) -> None:
    """Raise `OutsideTree` if a new project cannot have this name."""
    if not is_project_name(name):
        raise OutsideTree(
            f"{name!a} cannot be the name of a project",
            hint="use up to 64 of a-z, 0-9, `.`, `_` and `-`; begin with a letter or digit",
        )


def resolve_project(view: TreeFilesAndGit, name: str | None, cwd: str) -> str:
    """Return the project: the named one, the current one, or the only one."""
    if name:
        return require_project(view, name)
    if current := find_current_project(view, cwd):
        return current
    projects = view.tree.list_projects()
    if len(projects) == 1:
        return projects[0]
    if not projects:
        raise Refused(
            "there is no project yet",
            hint="create one with `cortexfs project new NAME --goal TEXT`",
        )
    hint = f"add --project with one of: {', '.join(projects)}"
    raise Refused("no project is given, and the tree has several", hint=hint)


def resolve_atom_project(view: TreeFilesAndGit, kind: Kind, name: str | None, cwd: str) -> str:
    """Return the project of a new atom: the named one, the current one, or the only one.

    Empty for the root of the tree, where a kind that may be there goes without another project.
    """
    if name or "root" not in kind.scopes:
        return resolve_project(view, name, cwd)
    return (find_current_project(view, cwd) or "") if "project" in kind.scopes else ""


def resolve_scope(view: TreeFilesAndGit, name: str | None, cwd: str) -> list[str]:
    """Return the projects: the named one, the current one, or all."""
    if name:
        return [require_project(view, name)]
    current = find_current_project(view, cwd)
    return [current] if current else view.tree.list_projects()


def resolve_scopes(view: TreeFilesAndGit, names: Sequence[str], cwd: str) -> list[str]:
    """Return the projects: the given ones, that of the working directory, or all."""
    return [require_project(view, name) for name in names] or resolve_scope(view, None, cwd)


def require_kind(view: TreeFilesAndGit, name: str) -> Kind:
    """Return a kind; raise `NoSuchKind` with the nearest."""
    kind = view.kinds.find_by_name(name)
    if kind is None:
        known: Sequence[str] = [row.name for row in view.kinds]
        raise NoSuchKind(name, known, close=nearest_names(name, known))
    return kind


def _nearest_refs(typed: str, refs: Sequence[str]) -> list[str]:
    """Return the most similar refs; for an id only one with the same number."""
    names = {ref if "/" in typed else ref.rpartition("/")[2]: ref for ref in reversed(refs)}
    if _NUMBERED_REF.fullmatch(typed):
        names = {
            name: ref for name, ref in names.items() if _parse_number(name) == _parse_number(typed)
        }
    return [names[name] for name in nearest_names(typed, names)]


def _parse_number(ref: str) -> int:
    digits = ref.rpartition("-")[2]
    return int(digits[:18]) if digits.isascii() and digits.isdecimal() else -1


def _describe_id_range(
    view: TreeFilesAndGit, typed: str, current: str | None, refs: Iterable[str]
) -> str:
    """Return the range of ids of the typed kind: `flywheel has EXP-001 to EXP-099`."""
    project, _, ident = typed.rpartition("/")
    kind = view.kinds.find_by_id(ident)
    project = project or current or ""
    if kind is None or not project:
        return ""
    ids = [ref.rpartition("/")[2] for ref in refs if ref.rpartition("/")[0] == project]
    own = sorted((each for each in ids if kind.id_pattern.fullmatch(each)), key=parse_id_number)
    if not own:
        return f"{project} has no {kind.name}"
    return f"{project} has {own[0]} to {own[-1]}" if len(own) > 1 else f"{project} has {own[0]}"
