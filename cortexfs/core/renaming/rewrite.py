"""Replace old names in a text with new ones, and verify that they refer to the same things."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.tree_paths import project_from_path
from cortexfs.core.find.tokenize import fold_text
from cortexfs.core.renaming.links import Target, relinked
from cortexfs.core.renaming.scan import NameForm, names_in
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from cortexfs.core.renaming.name_meanings import NameMeanings, Renaming
    from cortexfs.core.renaming.scan import NameInText


class Worlds(NamedTuple):
    """The renaming, and what names refer to before and after it."""

    renaming: Renaming
    before: NameMeanings
    after: NameMeanings


def rewritten(text: str, path: str, worlds: Worlds) -> str:
    """Return a text in which every name of a renamed atom, file or project is updated.

    Code blocks are not changed. Raises `Refused` if the result would refer to something else.
    """
    names = _names(text, path, worlds)
    parts, at = [], 0
    for name in names:
        parts += [text[at : name.start], _new_name(text, name, path, worlds)]
        at = name.end
    changed = "".join([*parts, text[at:]])
    if changed != text or worlds.renaming.path(path) != path:
        _prove(names, changed, path, worlds)
    return changed


def renamed_in(text: str, path: str, worlds: Worlds) -> list[NameInText]:
    """Return the names in a text that refer to something that is renamed."""
    renaming = worlds.renaming
    return [n for n in _names(text, path, worlds) if n.means and renaming.is_renamed(n.means)]


def _names(text: str, path: str, worlds: Worlds) -> list[NameInText]:
    return names_in(text, path, worlds.before, worlds.renaming.old_paths)


def _prove(names: list[NameInText], changed: str, path: str, worlds: Worlds) -> None:
    """Raise `Refused` unless a text refers to the same things as the old one, in the same order."""
    renaming = worlds.renaming
    found = names_in(changed, renaming.path(path), worlds.after, renaming.new_paths)
    before = [renaming.any(worlds.before.named(name.means)) for name in names if name.means]
    if before != [worlds.after.named(name.means) for name in found if name.means]:
        raise Refused(
            f"a name in {path} would come to mean something else",
            hint="`cortexfs check` shows the names that mean nothing yet; correct these first",
        )


def _new_name(text: str, name: NameInText, path: str, worlds: Worlds) -> str:
    written, renaming = text[name.start : name.end], worlds.renaming
    if name.how is NameForm.LINK:
        return relinked(Target(name.start, name.end, written, name.is_angled), path, renaming)
    project, new_project = project_from_path(path), project_from_path(renaming.path(path))
    if name.how is NameForm.PATH:
        return _new_path(written, name.means or "", new_project, renaming)
    if name.means is None:
        return _new_dangling(written, name, (project, new_project), worlds)
    new = renaming.ref(name.means)
    if new == name.means and project == new_project:
        return written
    if name.how is NameForm.WIKI:
        return _new_wiki(written, name.means, new_project, worlds)
    is_file = text.startswith(".md", name.end)
    return _new_ref(written, new, new_project, worlds, is_file=is_file)


def _new_path(written: str, means: str, project: str, renaming: Renaming) -> str:
    """Return a path in prose: relative to its project if it was and still can be."""
    new, above = renaming.path(means), f"projects/{project}/"
    return new.removeprefix(above) if written != means and new.startswith(above) else new


def _new_ref(written: str, new: str, project: str, worlds: Worlds, *, is_file: bool) -> str:
    """Return a ref: short if it was short and refers to the same atom, else with its project."""
    short = new.rpartition("/")[2]
    if "/" not in written and worlds.after.means(short, project) == new:
        return short
    if is_file:  # `EXP-012.md`: with a project before it that would be a path
        path = worlds.after.path_of(new)
        return path.removesuffix(".md") if path else new
    return new


def _new_wiki(written: str, old: str, project: str, worlds: Worlds) -> str:
    """Return the name in a wiki link: the new id or file name; a title is not changed."""
    new, after = worlds.renaming.ref(old), worlds.after
    bare = written.strip()
    base = bare if worlds.before.bears(bare) else bare.rpartition("/")[2]
    ending = ".md" if fold_text(base).endswith(".md") else ""
    stem = fold_text(base.removesuffix(".md"))
    stems = {fold_text(_stem(worlds.before.path_of(old))): _stem(after.path_of(new))}
    stems[fold_text(old.rpartition("/")[2])] = new.rpartition("/")[2]
    name = f"{stems[stem]}{ending}" if stem in stems else base
    if base == bare and after.wiki_means(name, project) == new:
        return name
    return f"{new.rpartition('/')[0]}/{name}".lstrip("/")


def _new_dangling(written: str, name: NameInText, projects: tuple[str, str], worlds: Worlds) -> str:
    """Return a name without a target so that it has none in the new project either."""
    old, new = projects
    if name.how is NameForm.REF and "/" in written:
        return worlds.renaming.ref(written)
    is_taken = old != new and worlds.after.means(written, new)
    return f"{old}/{written}" if name.how is NameForm.REF and old and is_taken else written


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")
