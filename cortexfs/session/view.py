"""One consistent state of a tree, for requests and for planners."""

from __future__ import annotations

from enum import Flag, auto
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cortexfs.errors import format_extra_hint

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from cortexfs.catalog.atom_queries import AtomQueries
    from cortexfs.catalog.browse_queries import BrowseFilter, BrowseQueries
    from cortexfs.catalog.bulletin_queries import BulletinQueries
    from cortexfs.catalog.catalog import Catalog
    from cortexfs.catalog.content_queries import TextQueries
    from cortexfs.catalog.embeddings.embedding_model import EmbeddingModel
    from cortexfs.catalog.entry_queries import EntryQueries
    from cortexfs.catalog.entry_store import EntryStore
    from cortexfs.catalog.finding_cache import FindingCache
    from cortexfs.catalog.finding_store import FindingStore
    from cortexfs.catalog.index_plans import IndexPlanner
    from cortexfs.catalog.memory_queries import MemoryQueries
    from cortexfs.catalog.name_store import NameStore
    from cortexfs.catalog.stored_atoms import StoredAtoms
    from cortexfs.catalog.story_queries import StoryQueries
    from cortexfs.core.atoms.atom import Finding
    from cortexfs.core.atoms.kinds import Kinds
    from cortexfs.core.find.atom_filter import AtomFilter
    from cortexfs.core.indexes.atom_with_reads import AtomWithReads
    from cortexfs.core.renaming.name_meanings import NamedAtom
    from cortexfs.core.settings.settings import Settings
    from cortexfs.session.tree_repository import TreeRepository
    from cortexfs.tree.tree import Tree


class NeededContents(Flag):
    """The content of changed files that the catalog ingests before a view of it begins."""

    ATOMS = 0
    """Frontmatter, refs and logs: always included."""
    TEXTS = auto()
    """Full text, links and mentions."""
    PAGES = auto()
    """Full text of the Markdown files that are not atoms."""
    FINDINGS = auto()
    """The findings of `check` within each text."""


class TreeFilesAndGit(Protocol):
    """The files of a tree and their git state, without the catalog: a session or a view."""

    @property
    def tree(self) -> Tree:
        """The files."""

    @property
    def settings(self) -> Settings:
        """The settings in `cortexfs.yaml`."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""

    @property
    def clock(self) -> Callable[[], datetime]:
        """Function that returns the current time (aware)."""

    @property
    def repository(self) -> TreeRepository:
        """The repository around the tree."""


def render_no_indexes(_view: View) -> tuple[str, ...]:
    """Return no folder: the change affects no index."""
    return ()


class View(NamedTuple):
    """The files, and one snapshot of the catalog; a view cannot write."""

    tree: Tree
    settings: Settings
    catalog: Catalog
    repository: TreeRepository
    clock: Callable[[], datetime]
    model: EmbeddingModel | None
    """The embedding model, if it is not the installed one: see `find_model`."""

    @property
    def kinds(self) -> Kinds:
        """The kinds of this tree."""
        return self.settings.kinds

    @property
    def queries(self) -> AtomQueries:
        """Queries of the catalog about atoms, refs and logs."""
        from cortexfs.catalog.atom_queries import AtomQueries  # noqa: PLC0415 - an idle run needs no query

        return AtomQueries(self.catalog.db)

    @property
    def entries(self) -> EntryQueries:
        """Lists of the atoms with an id, each with its reads."""
        from cortexfs.catalog.entry_queries import EntryQueries  # noqa: PLC0415 - an idle run needs no query

        return EntryQueries(self.catalog.db, self.clock().date())

    @property
    def memories(self) -> MemoryQueries:
        """Queries of the catalog about observations, sessions and prompts."""
        from cortexfs.catalog.memory_queries import MemoryQueries  # noqa: PLC0415 - few commands need it

        return MemoryQueries(self.catalog.db)

    def describe_contents(self) -> str:
        """Return a text that is another one after a file got another path or content."""
        from cortexfs.catalog.files_digest import describe_contents  # noqa: PLC0415 - only panels ask

        return describe_contents(self.catalog)

    @property
    def browse(self) -> BrowseQueries:
        """Queries for lists of everything; the view must have begun with `TEXTS`."""
        from cortexfs.catalog.browse_queries import BrowseQueries  # noqa: PLC0415 - only panels list

        return BrowseQueries(self.catalog.db, self.tree, self.kinds)

    def make_browse_filter(
        self,
        only: AtomFilter,
        text: str = "",
        origins: tuple[str, ...] = (),
        *,
        archived: bool = False,
    ) -> BrowseFilter:
        """Return the conditions of a list: see `BrowseFilter`."""
        from cortexfs.catalog.browse_queries import BrowseFilter  # noqa: PLC0415 - as above

        return BrowseFilter(only, text, origins, archived)

    @property
    def bulletin(self) -> BulletinQueries:
        """Queries of the catalog for bulletins."""
        from cortexfs.catalog.bulletin_queries import BulletinQueries  # noqa: PLC0415 - few commands need it

        return BulletinQueries(self.catalog.db)

    @property
    def stories(self) -> StoryQueries:
        """Queries on the files of stories."""
        from cortexfs.catalog.story_queries import StoryQueries  # noqa: PLC0415 - few commands need it

        return StoryQueries(self.catalog.db)

    @property
    def indexes(self) -> IndexPlanner:
        """The indexes: their folders, which of them are stale, and their plans."""
        from cortexfs.catalog.index_plans import IndexPlanner  # noqa: PLC0415 - most commands only read

        return IndexPlanner(self.tree, self.catalog, self.kinds, self.clock())

    def text_queries(self) -> TextQueries:
        """Return queries about texts; the view must have begun with `NeededContents.TEXTS`."""
        from cortexfs.catalog.content_queries import TextQueries  # noqa: PLC0415 - few commands need it

        return TextQueries(self.catalog, self.tree)

    @property
    def stored_atoms(self) -> StoredAtoms:
        """The atoms, which are read when they are needed, in path order and by ref."""
        from cortexfs.catalog.stored_atoms import StoredAtoms  # noqa: PLC0415 - few commands need it

        return StoredAtoms(self.catalog.db)

    @property
    def finding_cache(self) -> FindingCache:
        """The findings of each text, as examined before the view began."""
        from cortexfs.catalog.finding_cache import FindingCache  # noqa: PLC0415 - only `check` asks
        from cortexfs.tree.non_atoms import list_text_paths  # noqa: PLC0415

        known = self.catalog.text_paths
        paths = list_text_paths(self.tree.root, self.kinds) if known is None else known
        return FindingCache(self.catalog.db, self.tree, paths)

    def store_findings(self, findings: Iterable[Finding]) -> FindingStore:
        """Return findings in their order, which can be read after the view has ended."""
        from cortexfs.catalog.finding_store import FindingStore  # noqa: PLC0415 - only `check` asks

        return FindingStore.collect(findings)

    def store_names(self, atoms: Iterable[NamedAtom]) -> NameStore:
        """Return the names of atoms, to look up what a name refers to."""
        from cortexfs.catalog.name_store import NameStore  # noqa: PLC0415 - only renaming asks

        return NameStore.collect(atoms)

    def store_entries(self, entries: Iterable[AtomWithReads]) -> EntryStore:
        """Return atoms in their order, which can be read after the view has ended."""
        from cortexfs.catalog.entry_store import EntryStore  # noqa: PLC0415 - only in a large tree

        return EntryStore.collect(entries)

    def read_head(self, path: str, max_bytes: int) -> bytes:
        """Return the first bytes of a file of any size, or the target of a symlink."""
        from cortexfs.tree.read_head import read_head  # noqa: PLC0415 - only `commit` asks

        return read_head(self.tree.root, path, max_bytes)

    def find_model(self) -> EmbeddingModel | None:
        """Return the embedding model; None if there is none."""
        from cortexfs.catalog.embeddings.embedding_model import find_installed_model  # noqa: PLC0415 - few need one

        return self.model or find_installed_model()

    def describe_missing_model(self) -> tuple[str, str]:
        """Return why `find_model` returns None, and what to do about it."""
        from cortexfs.catalog.embeddings.embedding_model import SWITCH_VARIABLE, is_switched_off  # noqa: PLC0415 - as above

        if is_switched_off():
            return "vectors are switched off", f"unset {SWITCH_VARIABLE}, which is `off`"
        return "no model is installed", format_extra_hint("vectors")

    def find_token_counter(self) -> Callable[[str], int] | None:
        """Return a function that counts the tokens of a text; None if no tokenizer is installed."""
        from cortexfs.catalog.embeddings.embedding_model import load_token_counter  # noqa: PLC0415 - as above

        return load_token_counter()
