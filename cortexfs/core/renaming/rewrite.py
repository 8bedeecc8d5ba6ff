"""Replace old names in a text with new ones, and verify that they refer to the same things."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.find.tokenize import fold_text
from cortexfs.core.renaming.links import LinkTarget, rewrite_link_target
from cortexfs.core.renaming.name_meanings import RenamedPaths
from cortexfs.core.renaming.scan import NameForm, find_names
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.core.renaming.name_meanings import NameMeanings, Renaming
    from cortexfs.core.renaming.scan import NameInText


class RenameContext(NamedTuple):
    """The renaming, and what names refer to before and after it."""

    renaming: Renaming
    before: NameMeanings
    after: NameMeanings


def rewrite_names(
    text: str, path: str, context: RenameContext, chosen: Collection[NameInText] | None = None
) -> str:
    """Return a text in which every name of a renamed atom, file or project is updated.

    With `chosen`, only these names are. Code blocks are not changed. Raises `Refused` if the result
    would refer to something else.
    """
    names = _find_names_before(text, path, context)
    parts, at = [], 0
    for name in names if chosen is None else sorted(chosen):
        parts += [text[at : name.start], _format_new_name(text, name, path, context)]
        at = name.end
    changed = "".join([*parts, text[at:]])
    if changed != text or context.renaming.new_path(path) != path:
        replaced = frozenset(names if chosen is None else chosen)
        _verify_targets(names, changed, path, context, replaced)
    return changed


def find_renamed_names(text: str, path: str, context: RenameContext) -> list[NameInText]:
    """Return the names in a text that refer to something that is renamed."""
    renaming = context.renaming
    return [
        n
        for n in _find_names_before(text, path, context)
        if n.target and renaming.is_renamed(n.target)
    ]


def _find_names_before(text: str, path: str, context: RenameContext) -> list[NameInText]:
    return find_names(text, path, context.before, context.renaming.old_paths)


def _verify_targets(
    names: list[NameInText],
    changed: str,
    path: str,
    context: RenameContext,
    replaced: frozenset[NameInText],
) -> None:
    """Raise `Refused` unless a text refers to the same things as the old one, in the same order."""
    renaming, paths = context.renaming, context.renaming.new_paths
    if len(replaced) < len(names):  # the others still have the old paths
        paths = RenamedPaths((*paths.files, *renaming.old_paths.files), paths.folder)
    found = find_names(changed, renaming.new_path(path), context.after, paths)
    before = [
        renaming.new_name(context.before.to_ref(name.target))
        if name in replaced
        else context.after.to_ref(name.target)
        for name in names
        if name.target
    ]
    if before != [context.after.to_ref(name.target) for name in found if name.target]:
        raise Refused(
            f"a name in {path} would refer to something else",
            hint="`cortexfs check` shows the refs without a target; correct these first",
        )


def _format_new_name(text: str, name: NameInText, path: str, context: RenameContext) -> str:
    written, renaming = text[name.start : name.end], context.renaming
    if name.form is NameForm.LINK:
        return rewrite_link_target(
            LinkTarget(name.start, name.end, written, name.is_angled), path, renaming
        )
    project, new_project = project_from_path(path), project_from_path(renaming.new_path(path))
    if name.form is NameForm.PATH:
        return _format_new_path(written, name.target or "", new_project, renaming)
    if name.target is None:
        return _format_new_dangling(written, name, (project, new_project), context)
    new = renaming.new_ref(name.target)
    if new == name.target and project == new_project:
        return written
    if name.form is NameForm.WIKI:
        return _format_new_wiki(written, name.target, new_project, context)
    is_file = text.startswith(".md", name.end)
    return _format_new_ref(written, new, new_project, context, is_file=is_file)


def _format_new_path(written: str, target: str, project: str, renaming: Renaming) -> str:
    """Return a path in prose: relative to its project if it was and still can be."""
    new, above = renaming.new_path(target), f"projects/{project}/"
    return new.removeprefix(above) if written != target and new.startswith(above) else new


def _format_new_ref(
    written: str, new: str, project: str, context: RenameContext, *, is_file: bool
) -> str:
    """Return a ref: short if it was short and refers to the same atom, else with its project."""
    short = new.rpartition("/")[2]
    if "/" not in written and context.after.resolve_ref(short, project) == new:
        return short
    if is_file:  # `EXP-012.md`: with a project before it that would be a path
        path = context.after.find_path(new)
        return path.removesuffix(".md") if path else new
    return new


def _format_new_wiki(written: str, old: str, project: str, context: RenameContext) -> str:
    """Return the name in a wiki link: the new id or file name; a title is not changed.

    It gets a project if it would mean another atom without, or is an id that is no ref there.
    """
    new, after = context.renaming.new_ref(old), context.after
    name_in_link = written.strip()
    base = (
        name_in_link
        if context.before.has_wiki_name(name_in_link)
        else name_in_link.rpartition("/")[2]
    )
    ending = ".md" if fold_text(base).endswith(".md") else ""
    old_stem = fold_text(base.removesuffix(".md"))
    stems = {fold_text(_stem(context.before.find_path(old))): _stem(after.find_path(new))}
    stems[fold_text(old.rpartition("/")[2])] = new.rpartition("/")[2]
    name = f"{stems[old_stem]}{ending}" if old_stem in stems else base
    if base == name_in_link and _is_enough(name, new, project, after):
        return name
    return f"{new.rpartition('/')[0]}/{name}".lstrip("/")


def _is_enough(name: str, target: str, project: str, after: NameMeanings) -> bool:
    """Return whether a name without a project suffices for a wiki link in a project."""
    ident = target.rpartition("/")[2]
    if name.removesuffix(".md") == ident:  # the project can give its id to a new atom
        return after.resolve_ref(ident, project) == target
    return after.resolve_wiki_name(name, project) == target


def _format_new_dangling(
    written: str, name: NameInText, projects: tuple[str, str], context: RenameContext
) -> str:
    """Return a name without a target so that it has none in the new project either."""
    old, new = projects
    if name.form is NameForm.REF and "/" in written:
        return context.renaming.new_ref(written)
    is_taken = old != new and context.after.resolve_ref(written, new)
    return f"{old}/{written}" if name.form is NameForm.REF and old and is_taken else written


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
