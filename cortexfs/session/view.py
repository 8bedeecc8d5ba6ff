"""One consistent state of a tree: what a request reads, and what a planner plans from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Flag, auto
from typing import TYPE_CHECKING, Protocol

from cortexfs.catalog import index_plans, index_state
from cortexfs.catalog.index_plans import format_day

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime

    from cortexfs.catalog.atom_queries import AtomQueries
    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.catalog.index_plans import IndexPlans
    from cortexfs.catalog.text_queries import TextQueries
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.settings.settings import Settings
    from cortexfs.session.tree_repository import TreeRepository
    from cortexfs.tree.tree import Tree


class IngestScope(Flag):
    """What the catalog takes in of changed files before a view of it begins."""

    ATOMS = 0
    """Frontmatter, refs and logs: always."""
    TEXTS = auto()
    """Full text, links and mentions."""
    PAGES = auto()
    """Full text of the Markdown files that are not atoms."""
    FINDINGS = auto()
    """What `check` finds within each text."""


class FileView(Protocol):
    """The files of a tree and what git knows of them, without the catalog: a session or a view."""

    @property
    def tree(self) -> Tree:
        """The files."""

    @property
    def settings(self) -> Settings:
        """What `cortexfs.yaml` says."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""

    @property
    def clock(self) -> Callable[[], datetime]:
        """What tells the time (aware)."""

    @property
    def repository(self) -> TreeRepository:
        """The repository around the tree."""


def render_no_indexes(_view: View) -> tuple[str, ...]:
    """Name no folder: no index follows from the change."""
    return ()


@dataclass(frozen=True, slots=True)
class View:
    """The files, and one snapshot of the catalog; nothing can be written through it."""

    tree: Tree
    settings: Settings
    catalog: Catalog
    repository: TreeRepository
    clock: Callable[[], datetime]
    model: EmbeddingModel | None
    """What embeds texts, where it is not the installed model."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""
        return self.settings.kinds

    @property
    def queries(self) -> AtomQueries:
        """What the catalog knows of atoms, refs and logs."""
        from cortexfs.catalog.atom_queries import AtomQueries  # noqa: PLC0415 - an idle run asks nothing

        return AtomQueries(self.catalog)

    def text_queries(self) -> TextQueries:
        """Return what the catalog knows of texts; the view began with `Intake.TEXTS`."""
        from cortexfs.catalog.text_queries import TextQueries  # noqa: PLC0415 - few commands ask

        return TextQueries(self.catalog, self.tree)

    def list_index_folders(self, projects: Sequence[str] | None = None) -> Iterator[str]:
        """Name the existing folders that have an index, of some projects or of all."""
        return index_plans.list_index_folders(self.tree, self.kinds, projects)

    def list_stale_folders(self, projects: Sequence[str] | None) -> list[str]:
        """Name the folders whose index may be out of date."""
        known = index_state.read_current_indexes(self.catalog.db, format_day(self.clock()))
        return [folder for folder in self.list_index_folders(projects) if folder not in known]

    def plan_indexes(self, folders: Iterable[str], *, afresh: bool = False) -> IndexPlans:
        """Decide what these indexes should read; `afresh` as of the time that each bears."""
        now = self.clock()
        return index_plans.plan_indexes(
            self.tree, self.catalog, self.kinds, folders, now, ignore_cache=afresh
        )
