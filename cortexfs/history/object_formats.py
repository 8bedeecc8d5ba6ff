"""Git's objects as values: their ids, trees, and packs of new objects."""
# ruff: noqa: PLC0415 - not needed to know what an object is

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FILE, PROGRAM, LINK, FOLDER, OTHER_REPOSITORY = "100644", "100755", "120000", "40000", "160000"
"""Entry types: git's modes, as a tree spells them."""

_PACK_TYPES = {"commit": 1, "tree": 2, "blob": 3}


class TreeEntry(NamedTuple):
    """The entry of a path: its mode, and the id of its content."""

    mode: str
    id: str


def parse_index_lines(listing: bytes) -> Iterator[tuple[str, TreeEntry, str]]:
    """Yield lines of `mode id stage TAB path NUL`, the format of git and of our notes.

    Raises `ValueError` for anything else.
    """
    for line in listing.split(b"\0"):
        words, tab, path = line.partition(b"\t")
        if tab:
            mode, name, stage = words.decode("ascii").split(" ")
            yield os.fsdecode(path), TreeEntry(mode, name), stage


def format_index_lines(entries: Iterable[tuple[str, TreeEntry | None]], width: int) -> bytes:
    """Return such lines; a missing entry has mode 0 and an id of `width` zeros, as in git."""
    none = TreeEntry("0", "0" * width)
    return b"".join(
        b"%s %s 0\t%s\0" % ((entry or none).mode.encode(), (entry or none).id.encode(), path)
        for path, entry in ((os.fsencode(path), entry) for path, entry in entries)
    )


class GitObject(NamedTuple):
    """A blob, a tree or a commit, with the id that follows from its content."""

    kind: str
    body: bytes
    id: str


def make_object(kind: str, body: bytes, algorithm: str) -> GitObject:
    """Return an object with its id; `algorithm` is the object format: sha1 or sha256."""
    import hashlib

    head = f"{kind} {len(body)}\0".encode()
    return GitObject(kind, body, hashlib.new(algorithm, head + body).hexdigest())


def detect_algorithm(name: str) -> str:
    """Return sha1 or sha256, by the length of an id."""
    return "sha256" if len(name) == 64 else "sha1"  # noqa: PLR2004 - hex digits of 256 bits


def parse_tree(body: bytes, width: int) -> dict[bytes, TreeEntry]:
    """Return a tree's entries; `width` is an id's length in bytes.

    Raises `ValueError` for a body that is not a tree.
    """
    entries, at = {}, 0
    while at < len(body):
        space, end = body.index(b" ", at), body.index(b"\0", at)
        mode, at = body[at:space].decode("ascii"), end + 1 + width
        if at > len(body):
            raise ValueError(at)
        entries[body[space + 1 : end]] = TreeEntry(mode, body[end + 1 : at].hex())
    return entries


def make_tree(entries: Mapping[bytes, TreeEntry], algorithm: str) -> GitObject:
    """Return the tree of these entries, in git's order: a folder sorts as if it ended in `/`."""
    lines = sorted(
        (name + b"/" * (entry.mode == FOLDER), name, entry) for name, entry in entries.items()
    )
    body = b"".join(
        b"%s %s\0%s" % (entry.mode.encode(), name, bytes.fromhex(entry.id))
        for _, name, entry in lines
    )
    return make_object("tree", body, algorithm)


def make_pack(objects: Iterable[GitObject], algorithm: str) -> bytes:
    """Return a pack of the objects (gitformat-pack, version 2), without deltas."""
    import hashlib
    import zlib

    parts = [
        _encode_size(_PACK_TYPES[made.kind], len(made.body)) + zlib.compress(made.body, 1)
        for made in objects
    ]
    body = b"PACK" + (2).to_bytes(4, "big") + len(parts).to_bytes(4, "big") + b"".join(parts)
    return body + hashlib.new(algorithm, body).digest()


def _encode_size(code: int, size: int) -> bytes:
    """Return the encoded type and size.

    The first byte has 4 bits of the size, each further one 7; a high bit means that more follow.
    """
    head, size = code << 4 | size & 15, size >> 4
    written = bytearray()
    while size:
        written.append(head | 128)
        head, size = size & 127, size >> 7
    return bytes([*written, head])
