"""What a page is, and what it gets to load its content."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.interfaces.tui.shown_content import Content
    from cortexfs.session.session import Session

PAGE_ROWS = 100
"""Rows that are loaded first, and more each time the cursor comes near the last one."""


class PanelContext(NamedTuple):
    """The tree, and who looks at it from where."""

    session: Session
    cwd: str
    environ: Mapping[str, str]
    owner: str


class Request(NamedTuple):
    """What is wanted: the thing that a page is about, the words sought, and how many rows."""

    argument: str = ""
    query: str = ""
    limit: int = PAGE_ROWS
    sort: str = ""


class Load(Protocol):
    """Load the content of a page, in a worker thread."""

    def __call__(self, context: PanelContext, request: Request, /) -> Content:
        """Return the content."""


class Page(NamedTuple):
    """One page: its name, its title, its key if it has a tab, and how it is loaded.

    `load` runs in a worker thread. With `has_query` the page has a field for words to search.
    `sorts` are the orders that can be chosen, `default_sort` the first one. `preview` loads what
    is shown until `load` has ended.
    """

    name: str
    title: str
    load: Load
    key: str = ""
    has_query: bool = False
    sorts: tuple[str, ...] = ()
    default_sort: str = ""
    help: str = ""
    preview: Load | None = None
