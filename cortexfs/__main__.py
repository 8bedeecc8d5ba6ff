"""`cortexfs`, and `python -m cortexfs`."""

import gc

gc.disable()  # a command ends before it pays: a third of the time of a large regeneration

from cortexfs.interfaces.cli.app import main  # noqa: E402 - what is imported is not collected either

if __name__ == "__main__":
    main()
