"""Draw the icon of the plugin: a branch of three nodes, one of them a file."""

from __future__ import annotations

import struct
import sys
import zlib
from math import hypot

SIZE = 512
TARGET = "plugins/claude-code/cortexfs/.claude-plugin/icon.png"
BACKGROUND, LINE, NODE, FILE = (24, 32, 44), (120, 144, 168), (94, 196, 160), (244, 240, 228)
NODES = ((168, 136), (168, 376))
CURVE = tuple(
    (168 + 176 * t, 376 - 120 * (3 * t**2 - 2 * t**3)) for t in (n / 40 for n in range(41))
)
STEM = tuple((168.0, 136 + 240 * n / 60) for n in range(61))


def coverage(distance: float) -> float:
    """Return how much of a pixel a shape covers, from the distance to its edge."""
    return min(1.0, max(0.0, 0.5 - distance))


def distance_to_box(x: float, y: float, box: tuple[int, int, int, int], radius: int) -> float:
    """Return the distance to a box (centre, half width, half height) with round corners."""
    cx, cy, width, height = box
    dx, dy = abs(x - cx) - width + radius, abs(y - cy) - height + radius
    return hypot(max(dx, 0), max(dy, 0)) + min(max(dx, dy), 0) - radius


def shapes(x: float, y: float) -> list[tuple[float, tuple[int, int, int]]]:
    """Return each shape's distance at a point, with its colour, from the back to the front."""
    path = min(hypot(x - px, y - py) for px, py in (*STEM, *CURVE)) - 10
    lines = min(
        distance_to_box(x, y, (356, 226 + 30 * n, 42 - 10 * (n == 2), 5), 5) for n in range(3)
    )
    return [
        (path, LINE),
        (min(hypot(x - px, y - py) for px, py in NODES) - 38, NODE),
        (distance_to_box(x, y, (356, 256, 72, 88), 16), FILE),
        (lines, BACKGROUND),
    ]


def draw() -> bytes:
    """Return the pixels, four bytes each, each row after a filter byte."""
    rows = bytearray()
    for y in range(SIZE):
        rows.append(0)
        for x in range(SIZE):
            colour = [float(value) for value in BACKGROUND]
            for distance, ink in shapes(x + 0.5, y + 0.5):
                share = coverage(distance)
                colour = [old + (new - old) * share for old, new in zip(colour, ink, strict=True)]
            frame = distance_to_box(x + 0.5, y + 0.5, (256, 256, 256, 256), 96)
            rows += bytes([*(round(value) for value in colour), round(255 * coverage(frame))])
    return bytes(rows)


def to_png(pixels: bytes) -> bytes:
    """Return an image file."""
    head = struct.pack(">IIBBBBB", SIZE, SIZE, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


if __name__ == "__main__":
    with open((sys.argv[1:] or [TARGET])[0], "wb") as file:
        file.write(to_png(draw()))
