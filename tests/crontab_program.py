"""A `crontab` with a table in its own folder, for machines and tests that have none."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_CRONTAB = """#!/bin/sh
if [ "$1" = -l ]; then
    if [ -e "{folder}/broken" ]; then echo "crontab: cannot open it" >&2; exit 1; fi
    if [ ! -e "{folder}/table" ]; then echo "no crontab for ada" >&2; exit 1; fi
    cat "{folder}/table"
else
    cat > "{folder}/table"
fi
"""


def make_crontab_program(folder: Path) -> None:
    """Write the program; its table is the file `table`, and `broken` makes it fail."""
    program = folder / "crontab"
    program.write_text(_CRONTAB.format(folder=folder))
    program.chmod(0o700)
