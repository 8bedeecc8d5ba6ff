"""`python -m cortexfs`."""

from cortexfs.faces.cli.app import main

if __name__ == "__main__":
    main()
