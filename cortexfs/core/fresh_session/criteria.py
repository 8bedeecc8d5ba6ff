"""The criteria of the Fresh Session Test: each part, its weight, and its expected place."""

from __future__ import annotations

from typing import NamedTuple


class Criterion(NamedTuple):
    """One row of the score; `expected_file` and `expected_section` are where it should be written.

    `link_keywords` are words in a link, or in its line, that suggest that the link leads to the
    part.
    """

    name: str
    weight: int
    description: str
    expected_file: str
    expected_section: str
    link_keywords: tuple[str, ...]


CRITERIA = (
    Criterion(
        "goal",
        20,
        "what the project is for",
        "mission.md",
        "§ Goal",
        ("mission", "goal", "purpose"),
    ),
    Criterion(
        "state",
        15,
        "where it stands",
        "STATUS.md",
        "§ Current phase",
        ("status", "state", "stands", "phase"),
    ),
    Criterion(
        "date",
        5,
        "as of when, with no atom newer than that",
        "STATUS.md",
        "`Updated: YYYY-MM-DD`",
        ("status",),
    ),
    Criterion(
        "blockers",
        15,
        "what is in the way, or that nothing is",
        "STATUS.md",
        "§ Open blockers",
        ("status", "issue", "blocker", "hinder"),
    ),
    Criterion(
        "next",
        15,
        "what to do next",
        "STATUS.md",
        "§ Next steps",
        ("status", "task", "next"),
    ),
    Criterion(
        "decisions",
        10,
        "what has been decided",
        "decisions/CORTEX.md",
        "a line for each decision",
        ("decision", "decided"),
    ),
    Criterion(
        "why",
        10,
        "why it was decided so",
        "decisions/NNNN-title.md",
        "§ Context, § Alternatives, § Decision",
        ("decision", "decided", "why"),
    ),
    Criterion(
        "ground",
        10,
        "what each claim on the way rests on",
        "STATUS.md",
        "§ Recent progress, each with its `EXP-NNN`",
        ("status", "mission", "knowledge"),
    ),
)
"""The parts; the score is the sum of the points, and the weights add up to 100."""
