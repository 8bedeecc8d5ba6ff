"""Guard a tree against what an agent writes: before, and after."""
