"""One page in each module: what is loaded for it, and how it is shown as rows or lines."""
