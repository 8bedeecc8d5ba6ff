"""One file, one use case, one function of the same name."""
