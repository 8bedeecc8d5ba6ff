"""Ingest content of changed files that few commands need, after the catalog was refreshed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.session.view import NeededContents

if TYPE_CHECKING:
    from collections.abc import Callable

    from cortexfs.catalog.catalog import Catalog
    from cortexfs.tree.tree import Tree


def ingest_contents(
    catalog: Catalog,
    tree: Tree,
    contents: NeededContents,
    progress: Callable[[int, int], None] | None,
) -> None:
    """Ingest these contents of the files that have changed; refresh the catalog first."""
    if NeededContents.TEXTS in contents:
        from cortexfs.catalog.content_queries import ingest_changed_texts  # noqa: PLC0415 - few commands need it

        ingest_changed_texts(catalog, tree, progress)
    if NeededContents.PAGES in contents:
        from cortexfs.catalog.page_index import refresh_page_index  # noqa: PLC0415 - as above

        refresh_page_index(catalog, tree, catalog.kinds)
    if NeededContents.FINDINGS in contents:
        from cortexfs.catalog.finding_cache import update_finding_cache  # noqa: PLC0415 - as above

        update_finding_cache(catalog, tree, catalog.kinds)
