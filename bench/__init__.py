"""Measure the figures in docs/: `make bench`."""
