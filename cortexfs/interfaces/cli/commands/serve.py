"""`cortexfs serve`."""

from __future__ import annotations

from typing import Annotated

import typer

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import Host, Port, Quiet, Root, SocketPath, TokenFile

app = typer.Typer(rich_markup_mode=None, add_completion=False)


@app.command()
def serve(
    port: Port = 7438,
    host: Host = "127.0.0.1",
    socket: SocketPath = "",
    token_file: TokenFile = "",
    openapi: Annotated[
        bool, typer.Option("--openapi", help="Print the OpenAPI document, and exit.")
    ] = False,
    root: Root = None,
    quiet: Quiet = False,
) -> None:
    """Serve the tree to programs and browsers over HTTP.

    Runs until it is stopped. Each request needs the token in `.cortexfs/server-token`.

    Example: cortexfs serve --openapi
    """
    from cortexfs.interfaces.cli.start_server import (
        ServerAddress,
        open_server,
        print_openapi,
        serve_tree,
    )
    from cortexfs.operations.shared.extras import require_extra

    require_extra("server")
    run = CommandContext(OutputPrinter(quiet=quiet), root, ExecutionMode.COMMIT)
    if openapi:
        print_openapi(run)
        return
    session = run.open_session()
    with open_server(session, ServerAddress(host, port, socket, token_file)) as server:
        run.output.print_message(f"serving {server.address}; the token is in {server.token_path}")
        serve_tree(run, session, server)
