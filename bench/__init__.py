"""What the figures in docs/ come from: `make bench`."""
