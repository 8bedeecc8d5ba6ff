"""The style and the scripts of the panel, under an address that changes with their content."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import Response

if TYPE_CHECKING:
    from starlette.requests import Request

TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


def _read_files() -> dict[str, bytes]:
    folder = files("cortexfs.interfaces.web").joinpath("static")
    found = {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}
    return {name: found[name] for name in sorted(found) if f".{name.rpartition('.')[2]}" in TYPES}


_FILES = _read_files()
_VERSION = hashlib.sha256(b"\0".join(_FILES.values())).hexdigest()[:12]
STATIC_PATH = f"/static/{_VERSION}"
"""Where the files are: a module imports another by its name, so the folder has the version."""


async def answer_static(request: Request) -> Response:
    """Return one file, which a browser may keep for ever."""
    name = request.path_params["name"]
    content = _FILES.get(name) if request.path_params["version"] == _VERSION else None
    if content is None:
        return Response(status_code=404)
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(content, headers=headers, media_type=TYPES[f".{name.rpartition('.')[2]}"])
