"""`cortexfs ui`."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.errors import Refused
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import Port, Quiet, Root

if TYPE_CHECKING:
    from cortexfs.interfaces.http.find_server import FoundServer
    from cortexfs.interfaces.http.server_access import ServerAccess

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def ui(
    port: Port = 7438,
    link: Annotated[
        bool, typer.Option("--link", help="Print a link to the server that runs, and exit.")
    ] = False,
    root: Root = None,
    quiet: Quiet = False,
) -> None:
    """Serve the tree and open its panel in the browser.

    Runs until it is stopped. The link that it opens works once.

    Example: cortexfs ui --link
    """
    from cortexfs.interfaces.cli import start_server
    from cortexfs.operations.shared.extras import require_extra

    require_extra("server")
    run = CommandContext(OutputPrinter(quiet=quiet), root, ExecutionMode.COMMIT)
    session = run.open_session()
    wanted = start_server.ServerAddress(port=port)
    running = start_server.find_running_server(session, wanted)
    if link:
        run.output.print_lines(_make_link(*_require_running(running, port)))
        return
    if running:
        _open_panel(run, *running)
        return
    with start_server.open_server(session, wanted) as server:
        opening = threading.Thread(
            target=_open_panel, args=(run, server.access, server.address), daemon=True
        )
        opening.start()  # the browser waits until the server answers
        start_server.serve_tree(run, session, server)


def _require_running(running: FoundServer | None, port: int) -> FoundServer:
    if running is None:
        hint = "start one with `cortexfs serve`, or name the port of the one that runs: --port"
        raise Refused(f"no server of this tree runs on port {port}", hint=hint)
    return running


def _make_link(access: ServerAccess, address: str) -> str:
    """Return a link to the panel that logs a browser in, once."""
    from cortexfs.interfaces.http.server_access import make_login_path

    return f"{address}{make_login_path(access)}"


def _open_panel(run: CommandContext, access: ServerAccess, address: str) -> None:
    """Open a link to the panel in the browser; print it where there is none."""
    from cortexfs.interfaces.cli.desktop import find_opener, open_file

    link = _make_link(access, address)
    if not (opener := find_opener()):
        run.output.print_message(f"open {link}")
        return
    try:
        open_file(opener, link)
    except Refused as error:
        run.output.print_message(f"{error}; open {link}")
