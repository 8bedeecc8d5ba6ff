from __future__ import annotations

import subprocess
import sys

import pytest

START = "import sys\nfrom cortexfs.interfaces.mcp import sdk_import\n"
END = (
    "sdk_import.preload_sdk_server()\n"
    "import cortexfs.interfaces.mcp.serve_wire\n"
    "print(sorted({'mcp.client.client', 'mcp.server.mcpserver', 'httpx2'} & {*sys.modules}))\n"
)


def run(*lines: str) -> str:
    code = "".join((START, *lines, END))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_client_of_the_sdk_is_not_imported() -> None:
    assert run() == "[]"


@pytest.mark.soak
def test_if_the_server_needs_its_package_all_of_it_is_imported() -> None:
    hide = (
        "class Refuse:\n"
        "    tried = False\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'mcp.server.lowlevel' and not Refuse.tried:\n"
        "            Refuse.tried = True\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Refuse())\n"
    )
    assert run(hide) == "['httpx2', 'mcp.client.client', 'mcp.server.mcpserver']"
