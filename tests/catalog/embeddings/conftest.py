"""Tests of the model itself are there where the model is: with the extra `vectors`."""

from __future__ import annotations

from cortexfs.catalog.embeddings.embedding_model import find_installed_model

collect_ignore = [] if find_installed_model() else ["test_installed_model.py"]
