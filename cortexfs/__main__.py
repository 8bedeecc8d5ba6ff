"""`cortexfs`, and `python -m cortexfs`."""

from __future__ import annotations

import gc
from typing import NoReturn


def main() -> NoReturn:
    """Run one command."""
    gc.disable()  # a command ends before it pays: a third of the time of a large regeneration
    # what is imported is not collected either
    from cortexfs.interfaces.cli.app import main as run  # noqa: PLC0415

    run()


if __name__ == "__main__":
    main()
