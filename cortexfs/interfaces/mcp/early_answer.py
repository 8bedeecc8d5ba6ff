"""Answer the first request of a connection while the SDK is still being imported.

Clients wait for this answer, and importing the SDK takes longer than all else at the start. The SDK
gets the request too; its own answer, which is the same, is dropped.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from cortexfs.interfaces.mcp.server_identity import (
    HANDSHAKE_VERSIONS,
    META,
    MODERN_VERSION,
    make_capabilities,
    make_server_fields,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

_HANDSHAKE_KEYS = {"protocolVersion", "capabilities", "clientInfo"}
_ENVELOPE_KEYS = {f"{META}protocolVersion", f"{META}clientInfo", f"{META}clientCapabilities"}


def make_early_answer(line: bytes, instructions: str) -> dict[str, object] | None:
    """Return the answer to a simple `initialize` or `server/discover`; None for anything else."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return None
    match message:
        case {"jsonrpc": "2.0", "id": str() | int() as ident, "method": str(), "params": dict()}:
            result = _make_result(message["method"], message["params"], instructions)
            is_plain = result is not None and not isinstance(ident, bool) and len(message) == 4  # noqa: PLR2004 - these keys alone
            return {"jsonrpc": "2.0", "id": ident, "result": result} if is_plain else None
        case _:
            return None


def _make_result(
    method: str, params: Mapping[str, object], instructions: str
) -> dict[str, object] | None:
    if method == "initialize" and params.keys() == _HANDSHAKE_KEYS:
        return _initialize(params, instructions)
    meta = params.get("_meta")
    if method == "server/discover" and isinstance(meta, dict) and len(params) == 1:
        return _discover(meta, instructions)
    return None


def _initialize(params: Mapping[str, object], instructions: str) -> dict[str, object] | None:
    """Return the result of `initialize`: the client's version if it is known, else the newest."""
    version = params["protocolVersion"]
    is_valid = isinstance(version, str) and isinstance(params["capabilities"], dict)
    if not (is_valid and _is_client_info(params["clientInfo"])):
        return None
    return {
        "protocolVersion": version if version in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1],
        "capabilities": make_capabilities(),
        "serverInfo": make_server_fields(),
        "instructions": instructions,
    }


def _discover(meta: Mapping[str, object], instructions: str) -> dict[str, object] | None:
    """Return the result of `server/discover`."""
    if meta.keys() != _ENVELOPE_KEYS or meta[f"{META}protocolVersion"] != MODERN_VERSION:
        return None
    if not (
        _is_client_info(meta[f"{META}clientInfo"])
        and isinstance(meta[f"{META}clientCapabilities"], dict)
    ):
        return None
    return {
        "resultType": "complete",
        "supportedVersions": [MODERN_VERSION],
        "capabilities": make_capabilities(),
        "instructions": instructions,
        "ttlMs": 0,
        "cacheScope": "private",
        "_meta": {f"{META}serverInfo": make_server_fields()},
    }


def _is_client_info(value: object) -> bool:
    return isinstance(value, dict) and all(
        isinstance(value.get(key), str) for key in ("name", "version")
    )
