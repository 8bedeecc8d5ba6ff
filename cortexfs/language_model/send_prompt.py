"""Send one prompt to the configured program or endpoint."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.language_model.model_settings import ModelSettings
    from cortexfs.core.language_model.model_types import FailedCall, ModelRequest, RawAnswer


def send_prompt(
    settings: ModelSettings, request: ModelRequest, environ: Mapping[str, str], timeout_s: float
) -> RawAnswer | FailedCall:
    """Make one call, which ends within `timeout_s` seconds."""
    instructions = request.instructions
    if request.schema is not None:
        form = json.dumps(request.schema, sort_keys=True)
        instructions += f"\n\nAnswer with one JSON value of this schema and nothing else:\n{form}"
    if settings.command:
        from cortexfs.language_model.run_command import run_command  # noqa: PLC0415 - one of two

        return run_command(settings, f"{instructions}\n\n{request.text}\n", environ, timeout_s)
    from cortexfs.language_model.call_endpoint import (  # noqa: PLC0415 - it imports ssl
        call_endpoint,
        make_chat_body,
    )

    body = make_chat_body(settings, instructions, request.text, request.schema)
    return call_endpoint(settings, body, environ, timeout_s)
