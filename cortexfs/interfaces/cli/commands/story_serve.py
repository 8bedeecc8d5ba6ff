"""`cortexfs story serve`."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.stories.chat_api.place_memories import MemoryPlace
from cortexfs.errors import Refused, Usage
from cortexfs.interfaces.cli.command_context import CommandContext
from cortexfs.interfaces.cli.console import OutputPrinter
from cortexfs.interfaces.cli.options import Host, Project, Quiet, Root, StringList, TokenFile

if TYPE_CHECKING:
    from cortexfs.interfaces.cli.start_server import ServerAddress
    from cortexfs.interfaces.story_proxy.proxy_access import ProxyAccess
    from cortexfs.interfaces.story_proxy.proxy_settings import ProxySettings
    from cortexfs.interfaces.story_proxy.upstream_address import UpstreamAddress
    from cortexfs.session.session import Session

DEFAULT_PORT = 7439

Upstream = Annotated[
    str, typer.Option(metavar="URL", help="Address of the model's server: http://127.0.0.1:11434.")
]
ChosenStory = Annotated[
    str, typer.Option(metavar="NAME", help="Story of every chat (default: one for each chat).")
]
Port = Annotated[int, typer.Option(metavar="PORT", min=0, max=65_535, help="Port to listen on.")]
AllowedHosts = Annotated[
    StringList,
    typer.Option(metavar="NAME", help="Another name of this machine in addresses (repeatable)."),
]
KeyVariable = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="Variable with the key of the model's server (default: the client's)."
    ),
]
Memories = Annotated[
    MemoryPlace,
    typer.Option(metavar="PLACE", help="Where memories are inserted: last, first, or none."),
]
Insecure = Annotated[bool, typer.Option("--insecure", help="Accept http:// to a public network.")]


def register_command(app: typer.Typer) -> None:
    """Add the command to a group."""
    app.command()(serve)


def serve(
    upstream: Upstream,
    project: Project = None,
    story: ChosenStory = "",
    port: Port = DEFAULT_PORT,
    host: Host = "127.0.0.1",
    token_file: TokenFile = "",
    allow_host: AllowedHosts = None,
    key_env: KeyVariable = "",
    memories: Memories = MemoryPlace.LAST,
    insecure: Insecure = False,
    root: Root = None,
    quiet: Quiet = False,
) -> None:
    """Serve a proxy that remembers chats, in front of a model.

    Set the base URL of a chat front end to the address that is printed. What is said becomes a
    story, and what is remembered of it is put into each prompt. Runs until it is stopped.

    Example: cortexfs story serve --upstream http://127.0.0.1:11434 -p driftwood
    """
    from cortexfs.interfaces.cli.start_server import ServerAddress
    from cortexfs.interfaces.story_proxy.proxy_settings import ProxySettings
    from cortexfs.interfaces.story_proxy.upstream_address import parse_upstream
    from cortexfs.operations.shared.extras import require_extra
    from cortexfs.operations.stories.story_record import require_valid_story_name

    require_extra("server")
    run = CommandContext(OutputPrinter(quiet=quiet), root, ExecutionMode.COMMIT)
    address = parse_upstream(upstream, insecure=insecure, environ=os.environ)
    if story:
        require_valid_story_name(story)
    session, within = run.open_project(project)
    settings = ProxySettings(address, within, memories, story, _read_key(key_env))
    _serve(run, session, settings, ServerAddress(host, port, "", token_file), allow_host or [])


def _serve(
    run: CommandContext,
    session: Session,
    settings: ProxySettings,
    wanted: ServerAddress,
    names: list[str],
) -> None:
    """Serve on an address, which other machines may call by some other names too."""
    from cortexfs.interfaces.cli import start_server
    from cortexfs.interfaces.http.listening_socket import format_address
    from cortexfs.interfaces.story_proxy.serve_proxy import serve_proxy

    start_server.require_token_file(wanted)
    token, token_path = start_server.find_token(session, wanted.token_file)
    with start_server.listen(wanted, token) as listener:
        bound = listener.getsockname()[:2]
        _refuse_itself(settings.upstream, bound)
        access = _make_access(bound, token, names, has_key=bool(settings.key))
        shown = f"http://{format_address(*bound)}/v1"
        run.output.print_message(f"serving {shown} for {settings.upstream.host_header}")
        if access.needs_token:
            run.output.print_message(f"clients need the token in {token_path}")
        with start_server.serve_in_process(run, session):
            report = partial(start_server.print_if_read, run)
            serve_proxy(session, settings, access, listener, report)


def _refuse_itself(upstream: UpstreamAddress, bound: tuple[str, int]) -> None:
    """Refuse a proxy that would send each request to itself, again and again."""
    from cortexfs.interfaces.http.listening_socket import is_loopback

    is_here = upstream.host == bound[0] or (is_loopback(upstream.host) and is_loopback(bound[0]))
    if is_here and upstream.port == bound[1]:
        raise Refused(
            "--upstream is the address of the proxy itself",
            hint="name that of the model's server, or another --port",
        )


def _make_access(
    bound: tuple[str, int], token: str, names: list[str], *, has_key: bool
) -> ProxyAccess:
    from cortexfs.interfaces.http.listening_socket import is_loopback
    from cortexfs.interfaces.http.server_access import make_access
    from cortexfs.interfaces.story_proxy.proxy_access import ProxyAccess

    server = make_access(*bound, token)
    hosts = {f"{name.lower()}:{bound[1]}" for name in names}
    server = server._replace(hosts=server.hosts | hosts)
    return ProxyAccess(server, needs_token=not is_loopback(bound[0]), has_key=has_key)


def _read_key(name: str) -> str:
    if not name:
        return ""
    key = os.environ.get(name, "").strip()
    if not key:
        raise Usage(f"the environment has no {name}", hint="set it, or leave out --key-env")
    if not (key.isascii() and key.isprintable()):
        raise Usage(f"{name} holds no key: a key is one line of ASCII", hint="set it to the key")
    return key
