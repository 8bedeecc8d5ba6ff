"""Import the server of the SDK without its client and its second server.

`import mcp` runs the `__init__` of its packages, which import all of it, with an HTTP client and
cryptography: 11 MB and 0.1 s that a server over stdio never uses.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec, module_from_spec

PACKAGES = ("mcp", "mcp.server", "mcp.client")
"""The packages whose modules are imported one by one."""
_NEEDED = "mcp.server.lowlevel"


def preload_sdk_server() -> None:
    """Import the server; if its modules need the whole SDK, as later ones may, import all of it."""
    if "mcp" in sys.modules:
        return
    for name in PACKAGES:
        if spec := find_spec(name):
            sys.modules[name] = module_from_spec(spec)
    try:
        import_module(_NEEDED)
    except (ImportError, AttributeError):
        for name in [name for name in sys.modules if name.partition(".")[0] == "mcp"]:
            del sys.modules[name]
        import_module(_NEEDED)
