"""List the tags of a tree, and rename one in every atom that has it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.changes.plan import Plan, Write, attach_outcome
from cortexfs.core.find.atom_filter import AtomFilter
from cortexfs.core.frontmatter.rename_tag import rename_tag, require_valid_tag
from cortexfs.core.text.nearest_names import nearest_names
from cortexfs.errors import NoSuchTag, Refused
from cortexfs.operations.shared.filters import require_known_filter_names

if TYPE_CHECKING:
    from cortexfs.core.changes.plan import Outcome
    from cortexfs.session.session import Session
    from cortexfs.session.view import View

NO_FILTER = AtomFilter()
"""No filter."""


class TagCount(NamedTuple):
    """One tag, how many atoms have it, and in which projects."""

    tag: str
    atoms: int
    projects: tuple[str, ...]


class RenamedTag(NamedTuple):
    """The paths in which a tag was renamed, and the result of the plan."""

    paths: tuple[str, ...]
    plan: Plan
    outcome: Outcome | None = None

    @property
    def own_changes(self) -> tuple[str, ...]:
        """Return the files in which uncommitted changes of the user came into the commit."""
        return self.outcome.own_changes if self.outcome else ()


def list_tags(session: Session, only: AtomFilter = NO_FILTER) -> list[TagCount]:
    """Return the tags of the matching atoms, the most used first."""
    atoms: dict[str, int] = defaultdict(int)
    projects: dict[str, set[str]] = defaultdict(set)
    with session.read(drain=True) as view:
        require_known_filter_names(view, only)
        for project, count, tags in view.entries.iter_tags(only):
            for tag in tags:
                atoms[tag] += count
                projects[tag] |= {project} - {""}
    counts = [TagCount(tag, count, tuple(sorted(projects[tag]))) for tag, count in atoms.items()]
    return sorted(counts, key=lambda each: (-each.atoms, each.tag))


def rename_tag_in_atoms(
    session: Session,
    old: str,
    new: str,
    only: AtomFilter = NO_FILTER,
    *,
    mode: ExecutionMode = ExecutionMode.COMMIT,
) -> RenamedTag:
    """Rename a tag in the matching atoms, in one commit; one that has both keeps the new one.

    Raises `NoSuchTag` if none has it, and `Refused` if the new name cannot be a tag.
    """
    require_valid_tag(new)
    if old == new:
        raise Refused("both tags are the same", hint="`cortexfs tag rename OLD NEW`")

    def decide(view: View) -> RenamedTag:
        return _decide(view, old, new, only)

    return attach_outcome(session.execute(decide, mode))


def _decide(view: View, old: str, new: str, only: AtomFilter) -> RenamedTag:
    require_known_filter_names(view, only)
    tagged = [each for each in view.queries.iter_tagged() if _is_in_projects(each[1], only)]
    paths = tuple(path for path, _, tags in tagged if old in tags)
    if not paths:
        raise NoSuchTag(old, close=nearest_names(old, {tag for *_, tags in tagged for tag in tags}))
    with view.tree.open_batch_reader() as read:
        texts = {path: str(getattr(read(path), "text", "")) for path in paths}
    writes = (
        Write(path, rename_tag(text, old, new), text)
        for path, text in texts.items()
        if text  # else it has become unreadable since
    )
    return RenamedTag(paths, Plan(f"rename tag {old} to {new}", tuple(writes)))


def _is_in_projects(project: str, only: AtomFilter) -> bool:
    return not only.projects or project in only.projects
