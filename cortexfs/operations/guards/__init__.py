"""Check the files that an agent writes, before and after the write."""
