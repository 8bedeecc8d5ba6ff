"""One connection to the server behind the proxy, over HTTP/1.1: a request, then its answer."""

from __future__ import annotations

import asyncio
import socket
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

import h11

from cortexfs.core.language_model.model_settings import is_private_address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from cortexfs.interfaces.story_proxy.upstream_address import UpstreamAddress

    Header = tuple[bytes, bytes]

CONNECT_S = 15.0
SILENCE_S = 600.0
"""Seconds in which a connection is made, and in which some part of an answer arrives."""
READ_BYTES = 65_536
MAX_HEAD_BYTES = 65_536
OK = 200
_SEE_SERVER, _SEE_ADDRESS = "see what it reports itself", "is the address of --upstream right?"
_SEE_PROXY = "see HTTPS_PROXY and NO_PROXY"


class UpstreamFailed(Exception):
    """The server cannot be reached, or broke the protocol; the text says how, without addresses."""

    def __init__(self, detail: str, hint: str = "is it running?") -> None:
        super().__init__(detail)
        self.hint = hint


class UpstreamClosed(UpstreamFailed):
    """The server has closed the connection without a byte of an answer."""


class UpstreamRequest(NamedTuple):
    """What is sent: the headers are those of the client that the server may see."""

    method: str
    target: str
    headers: Sequence[Header]
    body: bytes


class UpstreamAnswer(NamedTuple):
    """The beginning of an answer."""

    status: int
    headers: Sequence[Header]


class UpstreamConnection:
    """An open connection; `close` may be called at any time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)
        self.was_used, self._is_answered = False, False

    async def send(self, request: UpstreamRequest) -> UpstreamAnswer:
        """Send a request, and return the beginning of its answer.

        A server may answer before it has read everything, and read no more.
        """
        self._is_answered = False
        try:
            head = h11.Request(
                method=request.method, target=request.target, headers=list(request.headers)
            )
            parts = (head, h11.Data(data=request.body), h11.EndOfMessage())
            self._writer.write(b"".join(self._http.send(part) or b"" for part in parts))
            while not isinstance(event := await self._receive(), h11.Response):
                pass  # what precedes an answer
        except (OSError, h11.ProtocolError) as error:
            raise _make_error(
                error, UpstreamFailed if self._is_answered else UpstreamClosed
            ) from None
        return UpstreamAnswer(event.status_code, list(event.headers.raw_items()))

    async def iterate_body(self) -> AsyncIterator[bytes]:
        """Yield the parts of the body as they arrive; raise `UpstreamFailed` if it is cut off."""
        try:
            while not isinstance(event := await self._receive(), h11.EndOfMessage):
                if isinstance(event, h11.Data):
                    yield bytes(event.data)
        except (OSError, h11.ProtocolError) as error:
            raise _make_error(error) from None

    def can_be_used_again(self) -> bool:
        """Return whether the answer is complete, and the server keeps the connection open.

        What follows an answer would be taken for that to the next request.
        """
        states = {self._http.our_state, self._http.their_state}
        unsent = self._writer.transport.get_write_buffer_size()
        if states != {h11.DONE} or self._reader.at_eof() or self._http.trailing_data[0] or unsent:
            return False
        self._http.start_next_cycle()
        self.was_used = True
        return True

    async def is_quiet(self) -> bool:
        """Return whether the server has neither ended an unused connection nor sent anything."""
        try:
            async with asyncio.timeout(0):
                await self._reader.read(1)
        except TimeoutError:
            return not self._reader.at_eof() and not self._writer.is_closing()
        except OSError:
            return False
        return False

    def close(self) -> None:
        """Close the connection at once, whatever is under way."""
        with suppress(OSError, RuntimeError):
            self._writer.transport.abort()

    async def _receive(self) -> object:
        """Return the next event of the answer."""
        while True:
            event = self._http.next_event()
            if event is not h11.NEED_DATA:
                return event
            try:
                async with asyncio.timeout(SILENCE_S):
                    received = await self._reader.read(READ_BYTES)
            except TimeoutError:
                raise UpstreamFailed("the model's server sends nothing", _SEE_SERVER) from None
            self._is_answered = self._is_answered or bool(received)
            self._http.receive_data(received)


async def connect(address: UpstreamAddress) -> UpstreamConnection:
    """Return a new connection; raise `UpstreamFailed` where there is none."""
    try:
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await _open(address)
    except TimeoutError:
        raise UpstreamFailed("the model's server does not answer") from None
    except (OSError, UnicodeError) as error:
        raise _make_error(error, is_open=False) from None
    if not address.may_be_public and not is_private_address(writer.get_extra_info("peername")[0]):
        writer.transport.abort()
        raise UpstreamFailed(
            "the model's server is in a public network, and its address begins with http://",
            "start `story serve` with https://, or with --insecure",
        )
    return UpstreamConnection(reader, writer)


async def _open(address: UpstreamAddress) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    host, port, proxy = address.host, address.port, address.proxy
    if not address.has_tls:
        return await asyncio.open_connection(host, port)
    context = ssl.create_default_context()
    if proxy is None:
        return await asyncio.open_connection(host, port, ssl=context)
    reader, writer = await asyncio.open_connection(proxy.host, proxy.port)
    login = f"Proxy-Authorization: {proxy.authorization}\r\n" if proxy.authorization else ""
    place = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
    writer.write(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{login}\r\n".encode())
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError):
        head = b""
    if head.split(b" ")[1:2] != [str(OK).encode()]:
        writer.transport.abort()
        raise UpstreamFailed("the proxy of the environment refuses the connection", _SEE_PROXY)
    await writer.start_tls(context, server_hostname=host)
    return reader, writer


def _make_error(
    error: Exception, kind: type[UpstreamFailed] = UpstreamFailed, *, is_open: bool = True
) -> UpstreamFailed:
    """Return what went wrong with the connection, in words that name no address."""
    match error:
        case ssl.SSLCertVerificationError():
            return kind("the certificate of the model's server is not valid", _SEE_ADDRESS)
        case socket.gaierror() | UnicodeError():
            return kind("the name of the model's server is not known", _SEE_ADDRESS)
        case h11.ProtocolError():
            detail = "the model's server ended its answer too early, or sent what is no HTTP"
            return kind(detail, _SEE_SERVER)
    if is_open:
        return kind("the connection to the model's server broke off", _SEE_SERVER)
    return kind("the model's server cannot be reached")
