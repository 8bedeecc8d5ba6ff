"""Generate a client from the OpenAPI document, and let it work: `python -m bench.generated_client`.

`--generator` is the path of openapi-python-client, in an environment of its own:

    python -m venv generator && generator/bin/pip install openapi-python-client
    python -m bench.generated_client --generator generator/bin/openapi-python-client

The client runs a session of the original (create, search, relate, score, delete), and one of
`/api/v1`, with a server of the sample. `--keep` names a folder for the client, to read it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from bench.contract import make_sample
from bench.measure import make_environment
from bench.server_process import serve

if TYPE_CHECKING:
    from collections.abc import Mapping

NAME = "cortexfs_client"
SESSION = Path(__file__).parent / "generated" / "client_session.py"


def main() -> None:
    """Generate the client, run the session, and exit with its code."""
    asked = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    asked.add_argument("--generator", metavar="PATH", type=Path, required=True)
    asked.add_argument("--keep", metavar="FOLDER", type=Path)
    options = asked.parse_args()
    with tempfile.TemporaryDirectory(prefix="cortexfs-bench-") as name:
        folder = Path(name)
        environ = make_environment(folder)
        client = generate_client(options.generator, folder, environ)
        if options.keep:
            shutil.copytree(client, options.keep, dirs_exist_ok=True)
        with serve(make_sample(folder, environ), environ) as server:
            command = [str(options.generator.parent / "python"), str(SESSION)]
            command += [f"http://127.0.0.1:{server.port}", server.token]
            found = {**os.environ, "PYTHONPATH": str(folder)}
            code = subprocess.run(command, env=found, check=False).returncode
    raise SystemExit(code)


def generate_client(generator: Path, folder: Path, environ: Mapping[str, str]) -> Path:
    """Return the folder of a client that was made of the OpenAPI document."""
    document, client = folder / "openapi.json", folder / NAME
    words = [sys.executable, "-m", "cortexfs", "serve", "--openapi"]
    document.write_bytes(subprocess.run(words, env=environ, check=True, capture_output=True).stdout)
    command = [str(generator), "generate", "--path", str(document), "--meta", "none"]
    subprocess.run([*command, "--output-path", str(client)], check=True, capture_output=True)
    return client


if __name__ == "__main__":
    main()
