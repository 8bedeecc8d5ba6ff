from __future__ import annotations

import os
from typing import TYPE_CHECKING

from cortexfs.session.daemon_files import MAX_LOG_BYTES, open_log, trim_log

if TYPE_CHECKING:
    from pathlib import Path


def test_a_large_log_is_begun_anew(tmp_path: Path) -> None:
    log = open_log(str(tmp_path))
    os.write(log, b"x" * MAX_LOG_BYTES)
    trim_log(str(tmp_path), log)
    assert os.fstat(log).st_size == MAX_LOG_BYTES
    os.write(log, b"x")
    trim_log(str(tmp_path), log)
    os.write(log, b"new\n")
    os.close(log)
    assert (tmp_path / ".cortexfs/daemon.log").read_text() == "new\n"


def test_another_file_than_the_log_is_never_shortened(tmp_path: Path) -> None:
    log = open_log(str(tmp_path))
    os.write(log, b"x" * (MAX_LOG_BYTES + 1))
    os.close(log)
    with (tmp_path / "mine").open("wb") as mine:
        mine.write(b"y" * (MAX_LOG_BYTES + 1))
        mine.flush()
        trim_log(str(tmp_path), mine.fileno())
    assert (tmp_path / "mine").stat().st_size == MAX_LOG_BYTES + 1
