"""The memory of agents as plain Markdown in git."""
