"""`cortexfs ui` opens the panel, and tells the code of its link to nobody else."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

from place import build_tree
from running_server import RunningServer, make_server_fixture

server = make_server_fixture(build_tree)

OPENER = """#!/bin/sh
exec > {seen}
stat -c %a "$1" "$(dirname "$1")"
echo "$1"
cat "$1"
"""
"""A browser that tells what it was given."""


def test_the_code_of_the_link_is_in_a_private_file_alone(
    server: RunningServer, tmp_path: Path
) -> None:
    seen = tmp_path / "seen"
    os.mkfifo(seen)
    for name in ("xdg-open", "open"):
        (tmp_path / name).write_text(OPENER.format(seen=seen))
        (tmp_path / name).chmod(0o755)
    words = ["--root", str(server.place.root), "ui", "--port", str(server.access.port)]
    environ = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "DISPLAY": ":0"}
    running = subprocess.Popen([sys.executable, "-m", "cortexfs", *words], env=environ)
    *modes, path, page = seen.read_text().split("\n", 3)
    running.send_signal(signal.SIGINT)
    running.wait(20)
    assert modes == ["600", "700"]
    assert not Path(path).exists()
    link = re.search(r"url=http://127\.0\.0\.1:\d+(/login\?code=[^\"]+)", page)
    assert link
    assert server.send("GET", link[1], None, {}).status == 200
