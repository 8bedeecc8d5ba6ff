"""`cortexfs stats`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from cortexfs.interfaces.cli.command_context import CommandContext, filter_command

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from cortexfs.operations.stats import TreeStats

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
@filter_command("project", "kind", "status", "tag")
def stats(
    run: CommandContext,
) -> None:
    """Show statistics of the tree: atoms, reads, tasks, size.

    Filters restrict the atoms and tasks that are counted, not the files and their sizes.

    Example: cortexfs stats -p driftwood
    """
    from cortexfs.interfaces.json.tree_state import to_statistics_json
    from cortexfs.operations.stats import stats as count_stats

    session, only = run.open_filtered()
    found = count_stats(session, only)
    run.output.print_document(stats=to_statistics_json(found))
    run.output.print_table(("What", "Count"), _make_rows(found))


def _make_rows(found: TreeStats) -> Iterator[tuple[str, str]]:
    yield "atoms", f"{found.atoms:,}"
    for what, counts in (
        ("kind", found.kinds),
        ("status", found.statuses),
        ("project", found.projects),
    ):
        yield from _make_count_rows(what, counts)
    yield "reads", f"{found.reads:,}"
    yield "reads, last 30 days", f"{found.recent_reads:,}"
    yield "hot", f"{found.hot:,}"
    yield "cold", f"{found.cold:,}"
    yield "open tasks", f"{found.open_tasks:,}"
    yield "unreadable files", f"{found.unreadable:,}"
    yield "files", f"{found.files:,}"
    yield "size of the files", _format_size(found.tree_bytes)
    yield "size of the catalog", _format_size(found.catalog_bytes)


def _make_count_rows(what: str, counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    return ((f"{what} {name}", f"{count:,}") for name, count in counts.items())


def _format_size(count: int) -> str:
    """Return a number of bytes as `12 KiB` or `3.4 MiB`."""
    if count < 1 << 20:
        return f"{-(-count // 1024):,} KiB"
    return f"{count / (1 << 20):,.1f} MiB"
