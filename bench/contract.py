"""Compare the answers of `cortexfs serve` with its OpenAPI document: `python -m bench.contract`.

Sends what schemathesis makes of the document to a server of the sample, with the token and without:
examples, the limits of each parameter (coverage) and random requests. Exit code 1 if an answer is a
server error, or has a status, content type or shape that the document does not name. `--command`
names a schemathesis of another environment, `--examples` the number of random requests of each
operation.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.measure import make_environment
from bench.server import serve

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bench.server import Server

SAMPLE = Path(__file__).parent.parent / "sample-context"
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance"
)
PHASES = "examples,coverage,fuzzing"
"""Without `stateful`: the document has no links."""
VALUES = {
    "path.ref": ["driftwood/EXP-012", "lighthouse/DR-0002", "DR-0003", "IDEA-001"],
    "path.project": ["driftwood", "greenhouse", "lighthouse"],
    "path.client": ["codex", "gemini"],
    "query.project": ["driftwood", ""],
    "query.at": ["HEAD", "2026-05-06"],
}
"""Values that lead to the atoms of the sample; schemathesis tries others too."""
NUMBERS = ("observations", "graph", "scores")
TASKS = ["51e0", "3fa9", "f16a"]


def main() -> None:
    """Run schemathesis twice, and exit with 1 if it found something."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    default = str(Path(sys.executable).parent / "schemathesis")
    asked.add_argument("--command", metavar="PATH", default=default)
    asked.add_argument("--examples", metavar="N", type=int, default=20)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as folder:
        environ = make_environment(Path(folder))
        with serve(make_sample(Path(folder), environ), environ) as server:
            codes = check_contract(server, Path(folder), options.command, options.examples)
    raise SystemExit(codes)


def make_sample(folder: Path, environ: Mapping[str, str]) -> Path:
    """Return the root of a copy of the sample, in a repository of its own."""
    root = folder / "context"
    shutil.copytree(SAMPLE, root, ignore=shutil.ignore_patterns(".cortexfs"))
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "start"]):
        subprocess.run(["git", *words], cwd=root, env=environ, check=True)
    return root


def check_contract(server: Server, folder: Path, schemathesis: str, examples: int) -> int:
    """Run schemathesis with and without the token; return 1 if an answer is not as described."""
    document, settings = folder / "openapi.json", folder / "schemathesis.toml"
    document.write_bytes(server.ask("GET", "/api/v1/openapi.json")[1])
    settings.write_text(format_settings(json.loads(document.read_text())))
    command = [schemathesis, "--config-file", str(settings), "run", str(document)]
    command += ["--url", f"http://127.0.0.1:{server.port}", "--checks", CHECKS]
    command += ["--exclude-path", "/api/v1/events", "--phases", PHASES]
    command += ["-n", str(examples), "--no-color", "--warnings", "off", "--continue-on-failure"]
    with_token = ["-H", f"Authorization: Bearer {server.token}"]
    codes = [
        subprocess.run([*command, *more], check=False, cwd=folder).returncode
        for more in (with_token, [])
    ]
    return int(any(codes))


def format_settings(document: Mapping[str, Mapping[str, object]]) -> str:
    """Return the settings of schemathesis: values for each parameter that names something."""
    lines = ["[parameters]", *(f'"{name}" = {json.dumps(each)}' for name, each in VALUES.items())]
    for path in document["paths"]:
        if "{id}" in path:
            is_number = any(name in path for name in NUMBERS)
            values = json.dumps([1, 2] if is_number else TASKS)
            lines += ["[[operations]]", f'include-path = "{path}"']
            lines += [f'parameters = {{ "path.id" = {values} }}']
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
