"""Which clients are connected to the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.interfaces.tui.shown_content import Column, Row, Subject, TableContent, Tone
from cortexfs.interfaces.tui.shown_text import cell, make_note

if TYPE_CHECKING:
    from cortexfs.interfaces.tui.page import PanelContext, Request
    from cortexfs.operations.setup import ClientChoices

COLUMNS = (Column("Client", 14), Column("State", 15), Column("What it is", 0))


def load_setup(context: PanelContext, _request: Request) -> TableContent:
    """Return the clients that can be connected."""
    from cortexfs.operations.setup import list_clients

    rows = tuple(_make_row(context, client) for client in list_clients())
    return TableContent(COLUMNS, rows, len(rows))


def _make_row(context: PanelContext, client: ClientChoices) -> Row:
    from cortexfs.operations.setup import has_records

    is_connected = has_records(context.session, context.environ, client.name)
    state = cell("connected", Tone.GOOD) if is_connected else cell("not connected", Tone.MUTED)
    note = "d disconnects it again" if is_connected else "Enter shows the change and asks"
    return Row(
        (cell(client.name, Tone.ACCENT), state, cell(client.title)),
        client.name,
        Subject.CLIENT,
        None,
        make_note(client.title, note),
    )
