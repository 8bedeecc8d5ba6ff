"""Compare the answers of `cortexfs serve` with its OpenAPI document: `python -m bench.contract`.

Sends what schemathesis makes of the document to a server of the sample: examples, the limits of
each parameter (coverage) and random requests; about atoms that exist, about others, and without the
token. Exit code 1 if an answer is a
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
from bench.server_process import serve

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from bench.server import Server

SAMPLE = Path(__file__).parent.parent / "sample-context"
CHECKS = (
    "not_a_server_error,status_code_conformance,content_type_conformance,"
    "response_headers_conformance,response_schema_conformance,allow_header_conformance,"
    "ignored_auth,missing_required_header"
)
PHASES = "examples,coverage,fuzzing"
"""Without `stateful`: the document has no links."""
VALUES = {"path.ref": "driftwood/EXP-012", "path.project": "driftwood", "path.client": "codex"}
OWN_VALUES = {
    "/decisions/{ref}": {"path.ref": "DR-0003"},
    "/ideas/{ref}": {"path.ref": "IDEA-001"},
    "/tasks/{id}": {"path.id": "51e0"},
    "/observations/{id}": {"path.id": 1},
    "/graph/{id}": {"path.id": 1},
    "/scores/{id}": {"path.id": 1},
}
"""What exists in the sample; another run tries what schemathesis makes up."""


def main() -> None:
    """Run schemathesis, and exit with 1 if it found something."""
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
    """Run schemathesis three times; return 1 if an answer is not as described."""
    document, settings = folder / "openapi.json", folder / "values.toml"
    document.write_bytes(server.ask("GET", "/api/v1/openapi.json")[1])
    settings.write_text(format_values(json.loads(document.read_text())["paths"]))
    words = ["run", str(document), "--url", f"http://127.0.0.1:{server.port}", "--checks", CHECKS]
    words += ["--exclude-path", "/api/v1/events", "--phases", PHASES, "-n", str(examples)]
    words += ["--no-color", "--warnings", "off", "--continue-on-failure"]
    with_token = ["-H", f"Authorization: Bearer {server.token}"]
    runs = (
        [schemathesis, "--config-file", str(settings), *words, *with_token],
        [schemathesis, *words, *with_token],
        [schemathesis, *words],
    )
    codes = [subprocess.run(each, check=False, cwd=folder).returncode for each in runs]
    return int(any(codes))


def format_values(paths: Iterable[str]) -> str:
    """Return the settings of schemathesis that name what exists in the sample."""
    lines = ["[parameters]", *(f'"{name}" = {json.dumps(each)}' for name, each in VALUES.items())]
    for part, values in OWN_VALUES.items():
        for path in (each for each in paths if part in each):
            own = ", ".join(f'"{name}" = {json.dumps(each)}' for name, each in values.items())
            lines += ["[[operations]]", f'include-path = "{path}"', f"parameters = {{ {own} }}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
