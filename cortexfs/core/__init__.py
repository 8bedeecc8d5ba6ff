"""Values in, values out: no files, no clock, no environment, no printing."""
