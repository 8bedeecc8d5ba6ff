"""What a fresh session has to learn: each part, its weight, and where it should stand."""

from __future__ import annotations

from typing import NamedTuple


class Criterion(NamedTuple):
    """One row of the score. `file` and `place` are where it should stand.

    `scents` are words by which a link, or the line that it stands in, promises the part.
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
"""The score is the sum of what is learnt; the weights add up to 100."""
