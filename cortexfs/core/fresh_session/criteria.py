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
        "the purpose of the project",
        "mission.md",
        "§ Goal",
        ("mission", "goal", "purpose"),
    ),
    Criterion(
        "state",
        15,
        "the current state",
        "STATUS.md",
        "§ Current phase",
        ("status", "state", "stands", "phase"),
    ),
    Criterion(
        "date",
        5,
        "the date of the state, with no newer atom",
        "STATUS.md",
        "`Updated: YYYY-MM-DD`",
        ("status",),
    ),
    Criterion(
        "blockers",
        15,
        "the blockers, or that there are none",
        "STATUS.md",
        "§ Open blockers",
        ("status", "issue", "blocker", "hinder"),
    ),
    Criterion(
        "next",
        15,
        "the next steps",
        "STATUS.md",
        "§ Next steps",
        ("status", "task", "next"),
    ),
    Criterion(
        "decisions",
        10,
        "the decisions",
        "decisions/CORTEX.md",
        "a line for each decision",
        ("decision", "decided"),
    ),
    Criterion(
        "why",
        10,
        "the reasons of a decision",
        "decisions/NNNN-title.md",
        "§ Context, § Alternatives, § Decision",
        ("decision", "decided", "why"),
    ),
    Criterion(
        "ground",
        10,
        "the evidence of each claim",
        "STATUS.md",
        "§ Recent progress, each with its `EXP-NNN`",
        ("status", "mission", "knowledge"),
    ),
)
"""The parts; the score is the sum of the points, and the weights add up to 100."""
