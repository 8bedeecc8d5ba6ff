"""The memory of agents as plain Markdown in git."""

__version__ = "0.1.0"
