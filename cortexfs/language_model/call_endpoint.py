"""Ask an OpenAI-compatible endpoint: one request, no redirect, bounded in time and size."""

from __future__ import annotations

import http.client
import json
import queue
import socket
import ssl
import threading
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from cortexfs.core.language_model.call_limits import can_retry_status, parse_retry_after
from cortexfs.core.language_model.https_proxy import find_https_proxy
from cortexfs.core.language_model.model_settings import is_private_address
from cortexfs.core.language_model.model_types import (
    FailedCall,
    FailureReason,
    ModelFailure,
    RawAnswer,
)
from cortexfs.core.language_model.read_output import read_chat_completion

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.language_model.model_settings import ModelSettings
    from cortexfs.core.language_model.model_types import JsonSchema

MAX_BODY_BYTES = 1 << 20
"""Maximum bytes of an answer that are read."""
OK = 200
_REDIRECTS = range(300, 400)
_HINTS = {401: "key-env", 403: "key-env", 404: "endpoint and name", 400: "name and json-schema"}


class _Reply(NamedTuple):
    status: int
    body: bytes
    retry_after_s: float


class _Exchange(NamedTuple):
    """A connection that is not open yet, and where its socket is put for the one who waits."""

    connection: http.client.HTTPConnection
    is_public_allowed: bool
    path: str
    body: bytes
    headers: dict[str, str]
    sockets: list[socket.socket]


class _PublicAddress(Exception):
    """The host of a plain http:// address is not in a private network."""


class _TooLarge(Exception):
    """The answer has more bytes than are read."""


def make_chat_body(
    settings: ModelSettings, instructions: str, text: str, schema: JsonSchema | None
) -> bytes:
    """Return the document of a request."""
    document: dict[str, object] = {
        "model": settings.name,
        "messages": [
            {"role": "system", "content": instructions},
            {"role": "user", "content": text},
        ],
        "stream": False,
    }
    if schema is not None and settings.sends_schema:
        form = {"name": "answer", "strict": True, "schema": schema}
        document["response_format"] = {"type": "json_schema", "json_schema": form}
    return json.dumps(document).encode()


def call_endpoint(
    settings: ModelSettings, body: bytes, environ: Mapping[str, str], timeout_s: float
) -> RawAnswer | FailedCall:
    """Send one request and return the answer; no exception of the network leaves here."""
    exchange = _prepare(settings, body, environ, timeout_s)
    replies: queue.SimpleQueue[_Reply | Exception] = queue.SimpleQueue()
    # In a thread: resolving a name and a slow trickle of bytes have no limit of their own.
    threading.Thread(target=_exchange_in_thread, args=(exchange, replies), daemon=True).start()
    try:
        reply = replies.get(timeout=timeout_s)
    except queue.Empty:
        _shut(exchange)
        return _fail(FailureReason.TIMEOUT, "no complete answer in time")
    return _judge_error(reply) if isinstance(reply, Exception) else _judge_reply(reply)


def _prepare(
    settings: ModelSettings, body: bytes, environ: Mapping[str, str], timeout_s: float
) -> _Exchange:
    parts = urlsplit(settings.endpoint)
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "Accept-Encoding": "identity",
        "Connection": "close",
        "User-Agent": "cortexfs",
    }
    if settings.key_variable:
        headers["Authorization"] = f"Bearer {environ[settings.key_variable].strip()}"
    host = parts.hostname or ""
    connection = (
        _connect_tls(host, parts.port or 443, environ, timeout_s)
        if parts.scheme == "https"
        else http.client.HTTPConnection(host, parts.port or 80, timeout=timeout_s)
    )
    is_public_allowed = parts.scheme == "https" or settings.is_insecure_allowed
    return _Exchange(connection, is_public_allowed, parts.path, body, headers, [])


def _connect_tls(
    host: str, port: int, environ: Mapping[str, str], timeout_s: float
) -> http.client.HTTPSConnection:
    """Return a connection with TLS, through the proxy of the environment if it names one."""
    context = ssl.create_default_context()
    proxy = find_https_proxy(host, environ)
    if proxy is None:
        return http.client.HTTPSConnection(host, port, timeout=timeout_s, context=context)
    connection = http.client.HTTPSConnection(
        proxy.host, proxy.port, timeout=timeout_s, context=context
    )
    login = {"Proxy-Authorization": proxy.authorization} if proxy.authorization else {}
    connection.set_tunnel(host, port, login)
    return connection


def _exchange_in_thread(
    exchange: _Exchange, replies: queue.SimpleQueue[_Reply | Exception]
) -> None:
    try:
        replies.put(_send_and_read(exchange))
    except Exception as error:  # noqa: BLE001 - judged, or raised again, by the thread that waits
        replies.put(error)
    finally:
        exchange.connection.close()


def _send_and_read(exchange: _Exchange) -> _Reply:
    connection = exchange.connection
    connection.connect()
    exchange.sockets.append(connection.sock)
    if not exchange.is_public_allowed and not is_private_address(connection.sock.getpeername()[0]):
        raise _PublicAddress
    connection.request("POST", exchange.path, exchange.body, exchange.headers)
    response = connection.getresponse()
    body = response.read(MAX_BODY_BYTES + 1)
    if len(body) > MAX_BODY_BYTES:
        raise _TooLarge
    if response.length:  # a read with a limit does not report that bytes are missing
        raise http.client.IncompleteRead(body, response.length)
    retry_after_s = parse_retry_after(response.getheader("Retry-After", ""), datetime.now(UTC))
    return _Reply(response.status, body, retry_after_s)


def _shut(exchange: _Exchange) -> None:
    """End the exchange of another thread."""
    for connected in exchange.sockets:
        with suppress(OSError):
            connected.shutdown(socket.SHUT_RDWR)


def _judge_reply(reply: _Reply) -> RawAnswer | FailedCall:
    if reply.status == OK:
        return read_chat_completion(reply.body)
    if reply.status in _REDIRECTS:
        return _fail(FailureReason.BAD_STATUS, "it redirects elsewhere, which is not followed")
    hint = f" (see {_HINTS[reply.status]})" if reply.status in _HINTS else ""
    failed = _fail(FailureReason.BAD_STATUS, f"it answered with status {reply.status}{hint}")
    return failed._replace(
        can_retry=can_retry_status(reply.status), retry_after_s=reply.retry_after_s
    )


def _judge_error(error: Exception) -> FailedCall:
    """Return the failed call; raises what is neither the network's fault nor the server's."""
    if isinstance(error, _PublicAddress):
        message = "it is in a public network, and its address begins with http://"
        return _fail(FailureReason.INVALID_SETTINGS, message)
    if isinstance(error, _TooLarge):
        return _fail(FailureReason.TOO_LARGE, f"it sent more than {MAX_BODY_BYTES} bytes")
    if isinstance(error, TimeoutError):
        return _fail(FailureReason.TIMEOUT, "no complete answer in time")
    if isinstance(error, ssl.SSLCertVerificationError):
        return _fail(FailureReason.BROKEN_CONNECTION, "its certificate is not valid")
    if isinstance(error, UnicodeError):
        return _fail(FailureReason.INVALID_SETTINGS, "its name is not a valid host name")
    if isinstance(error, (OSError, http.client.HTTPException)):
        message = f"the connection failed ({type(error).__name__})"
        return _fail(FailureReason.BROKEN_CONNECTION, message)._replace(can_retry=True)
    raise error


def _fail(reason: FailureReason, message: str) -> FailedCall:
    return FailedCall(ModelFailure(reason, f"the model's server: {message}"))
