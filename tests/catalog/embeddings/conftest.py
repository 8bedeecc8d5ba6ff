"""Tests of the model itself are there where the model is: with the extra `vectors`."""

from __future__ import annotations

from cortexfs.catalog.embeddings.embedding_model import installed

collect_ignore = [] if installed() else ["test_installed_model.py"]
