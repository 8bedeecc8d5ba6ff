"""Drive the MCP server by clients from elsewhere: `python tests/clients/check_mcp_clients.py`.

The command line of the MCP inspector and the client of the SDK list every tool and call each one;
the MCP conformance suite runs its scenarios that need no special server over HTTP. `mcp-inspector`
and `conformance` are programs of npm packages (@modelcontextprotocol/inspector and
@modelcontextprotocol/conformance) and are used if they are on the PATH. Exit code 1 if a call
fails. Not a part of `make test`.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
from check_real_clients import cortexfs, make_environ, run
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

if TYPE_CHECKING:
    from collections.abc import Iterator

    from check_real_clients import Check

CALLS: dict[str, dict[str, object]] = {
    "cortex_proposals": {},
    "cortex_decide": {"id": "", "decision": "reject"},
    "mem_session_start": {"id": "s-1", "project": "flywheel"},
    "mem_save": {"title": "Nil token", "content": "**What**: guarded", "session_id": "s-1"},
    "mem_save_prompt": {"content": "fix the login"},
    "mem_capture_passive": {"content": "## Key Learnings:\n\n1. A guard costs nothing at all\n"},
    "mem_search": {"query": "token"},
    "mem_context": {},
    "mem_get_observation": {"id": "1"},
    "mem_update": {"id": "1", "content": "**What**: guarded twice"},
    "mem_suggest_topic_key": {"title": "Nil token"},
    "mem_relate": {"from_id": 1, "to_id": 2, "relation_type": "relates_to"},
    "mem_graph": {"observation_id": "1"},
    "mem_score": {"observation_id": "OBS-001"},
    "mem_search_hybrid": {"query": "guard"},
    "mem_timeline": {"observation_id": "1"},
    "mem_stats": {},
    "mem_session_summary": {"content": "## Goal\nLogin", "project": "flywheel"},
    "mem_session_end": {"id": "s-1"},
    "mem_archive": {"observation_id": "2"},
    "mem_delete": {"id": "1", "hard_delete": True},
    "cortex_new": {"kind": "experiment", "project": "flywheel", "summary": "Runs", "tags": ["a"]},
    "cortex_find": {"query": "runs"},
    "cortex_show": {"ref": "flywheel/EXP-001"},
    "cortex_mark": {"ref": "flywheel/EXP-001", "status": "deprecated"},
    "cortex_brief": {"project": "flywheel"},
    "cortex_check": {},
    "cortex_tasks": {},
    "story_append": {
        "story": "road",
        "speaker": "Melina",
        "text": "I promise.",
        "project": "flywheel",
    },
    "story_list": {"project": "flywheel"},
    "story_render": {"story": "road", "project": "flywheel"},
    "story_correct": {
        "entity": "Melina",
        "change": "type",
        "value": "faction",
        "dry_run": True,
        "project": "flywheel",
    },
    "story_recall": {"story": "road", "query": "Who promised?", "project": "flywheel"},
}
SIMILAR = "The token cache expires after sixty minutes in production"
SCENARIOS = (
    "server-initialize",
    "ping",
    "tools-list",
    "resources-list",
    "prompts-list",
    "dns-rebinding-protection",
    "server-sse-multiple-streams",
)
"""Those that use nothing that only the example server of the suite has."""
PASSED = re.compile(r"Passed: ([1-9]\d*)/\1, 0 failed")


def propose_merge(home: Path) -> str:
    """Write two similar observations; return the id of the proposal to merge them."""
    folder = home / ".cortex/context/projects/caching/observations"
    folder.mkdir(parents=True)
    for number, text in enumerate((SIMILAR, f"{SIMILAR} today"), start=1):
        name, time = f"OBS-{number:03}", "2026-05-06T10:00:00Z"
        (folder / f"{name}.md").write_text(
            f'---\nid: {name}\ndate: 2026-05-06\nproject: caching\nsummary: "Cache {number}"\n'
            f"tags: [manual]\ntype: manual\nscope: project\nsession: manual-save-caching\n"
            f'revision: 1\ncreated: "{time}"\nlast-seen: "{time}"\n---\n\n{text}\n'
        )
    cortexfs(home, "commit", "-m", "two observations", str(folder))
    printed = cortexfs(home, "maintain", "--proposals", "--json")
    return str(json.loads(printed)["proposals"][0]["id"])


def check_inspector(home: Path) -> Iterator[Check]:
    """List and call with the inspector, which starts a server for each call."""
    code, printed = _inspect(home, "tools/list", "--strict")
    listed = {tool["name"] for tool in json.loads(printed).get("tools", ())} if not code else set()
    yield "tools/list --strict", listed == CALLS.keys(), printed
    for method in ("resources/list", "resources/templates/list", "prompts/list"):
        code, printed = _inspect(home, method)
        yield method, code == 0, printed
    for tool, given in CALLS.items():
        pairs = [
            f"{name}={value if isinstance(value, str) else json.dumps(value)}"
            for name, value in given.items()
        ]
        words = ["--tool-arg", *pairs] if pairs else []
        code, printed = _inspect(home, "tools/call", "--tool-name", tool, *words)
        yield tool, code == 0 and '"isError": false' in printed, printed
    code, printed = _inspect(home, "resources/read", "--uri", "cortex://flywheel/EXP-001")
    yield "resources/read", code == 0 and "text/markdown" in printed, printed
    code, printed = _inspect(home, "prompts/get", "--prompt-name", "start_session")
    yield "prompts/get", code == 0 and "mem_context" in printed, printed


def _inspect(home: Path, method: str, *options: str) -> tuple[int, str]:
    """Call a method with the inspector; return its exit code and its output, or else its errors."""
    server = [sys.executable, "-m", "cortexfs", "mcp", "--project", "flywheel"]
    done = subprocess.run(
        ["mcp-inspector", "--cli", *server, "--method", method, *options],
        cwd=home / "app",
        env=make_environ(home),
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout or done.stderr


def check_sdk(home: Path) -> Iterator[Check]:
    """List and call with the SDK's client, in one session."""
    words = ["-m", "cortexfs", "mcp", "--project", "flywheel"]
    server = StdioServerParameters(
        command=sys.executable, args=words, env=make_environ(home), cwd=home / "app"
    )

    async def drive() -> list[Check]:
        with anyio.fail_after(60):
            async with Client(stdio_client(server)) as client:
                listed = {tool.name for tool in (await client.list_tools()).tools}
                done = [("list_tools", listed == CALLS.keys(), str(sorted(listed)))]
                for tool, given in CALLS.items():
                    result = await client.call_tool(tool, given)
                    done.append((tool, not result.is_error, str(result.content)))
                return done

    yield from anyio.run(drive)


def check_conformance(home: Path) -> Iterator[Check]:
    """Run the scenarios over HTTP; a proxy adds the token, which the suite cannot send."""
    with serve_http(home) as url:
        for scenario in SCENARIOS:
            words = ("conformance", "server", "--url", url, "--scenario", scenario)
            code, printed = run(home, *words)
            yield scenario, code == 0 and bool(PASSED.search(printed)), printed


@contextmanager
def serve_http(home: Path) -> Iterator[str]:
    """Serve the tree over HTTP, and give the address of a proxy to it."""
    server = subprocess.Popen(
        [sys.executable, "-m", "cortexfs", "mcp", "--http", "0"],
        cwd=home / "app",
        env=make_environ(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert server.stdout
        port = int(re.findall(r":(\d+)/mcp", server.stdout.readline())[0])
        token = (home / ".cortex/context/.cortexfs/mcp-token").read_text().strip()
        with TokenProxy(port, token) as proxy:
            threading.Thread(target=proxy.serve_forever, daemon=True).start()
            yield f"http://127.0.0.1:{proxy.server_address[1]}/mcp"
            proxy.shutdown()
    finally:
        server.terminate()
        server.wait()


class TokenProxy(ThreadingHTTPServer):
    """A server on 127.0.0.1 that passes requests on with the token."""

    daemon_threads = True

    def __init__(self, port: int, token: str) -> None:
        super().__init__(("127.0.0.1", 0), _PassOn)
        self.port, self.token = port, token


class _PassOn(BaseHTTPRequestHandler):
    server: TokenProxy

    def log_message(self, *_: object) -> None:
        """Print nothing."""

    def _pass_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        headers = {name: value for name, value in self.headers.items() if name != "connection"}
        headers["authorization"] = f"Bearer {self.server.token}"
        asked = HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        asked.request(self.command, self.path, body, headers)
        answer = asked.getresponse()
        self.send_response(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in ("transfer-encoding", "connection"):
                self.send_header(name, value)
        self.end_headers()
        with suppress(HTTPException, OSError):  # the server may end before its streams
            while part := answer.read1(65_536):
                self.wfile.write(part)
                self.wfile.flush()

    def do_GET(self) -> None:
        self._pass_on()

    def do_POST(self) -> None:
        self._pass_on()

    def do_DELETE(self) -> None:
        self._pass_on()


CLIENTS = {
    "mcp-inspector": check_inspector,
    "sdk": check_sdk,
    "conformance": check_conformance,
}


def check_client(name: str) -> bool:
    """Run the checks of one client on a new tree; print each failure."""
    if name != "sdk" and not shutil.which(name):
        print(f"{name}: not on the PATH")
        return True
    with tempfile.TemporaryDirectory(prefix="cortexfs-client-") as at:
        home = Path(at)
        (home / "app").mkdir()
        cortexfs(home, "init", str(home / ".cortex/context"))
        CALLS["cortex_decide"]["id"] = propose_merge(home)
        results = list(CLIENTS[name](home))
    failed = [(subject, printed) for subject, passed, printed in results if not passed]
    for subject, printed in failed:
        print(f"{name}: FAILED: {subject}\n{printed}")
    print(f"{name}: {len(results) - len(failed)} of {len(results)} passed")
    return not failed


if __name__ == "__main__":
    passed = [check_client(name) for name in sys.argv[1:] or CLIENTS]
    sys.exit(0 if all(passed) else 1)
