"""Words for numbers, as a person would say them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Say how many there are of what: `1 note`, `2 indexes`."""
    ending = "es" if noun.endswith("x") else "s"
    return f"{number} {noun}{'' if number == 1 else ending}"
