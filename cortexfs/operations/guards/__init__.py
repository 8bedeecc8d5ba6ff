"""Check what an agent writes: before it is written, and after."""
