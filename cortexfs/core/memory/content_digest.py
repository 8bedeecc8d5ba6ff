"""The digest by which two memories with the same content are recognized."""

from __future__ import annotations

import hashlib


def compute_memory_digest(content: str) -> bytes:
    """Return the SHA-256 digest of a content; case and the amount of white space do not matter."""
    normalized = " ".join(content.lower().split())
    return hashlib.sha256(normalized.encode("utf-8", "surrogatepass")).digest()
