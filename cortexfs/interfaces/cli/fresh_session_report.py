"""Print the Fresh Session Test on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.text.plural import format_count
from cortexfs.core.text.sanitize import to_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from cortexfs.core.fresh_session.score import FreshSessionScore
    from cortexfs.interfaces.cli.console import OutputPrinter
    from cortexfs.session.session import Session


def print_fresh_session_scores(
    output: OutputPrinter,
    session: Session,
    projects: Sequence[str] | None,
    budget: tuple[int, int],
    minimum: int,
) -> bool:
    """Print each project's score and missing parts; return whether all reach the minimum."""
    from cortexfs.core.fresh_session.walk import ReadBudget
    from cortexfs.interfaces.json.tree_state import to_fresh_session_json
    from cortexfs.operations.score_fresh_session import score_fresh_session

    found = score_fresh_session(session, projects, ReadBudget(*budget))
    output.print_document(**{"fresh-session": [to_fresh_session_json(each) for each in found]})
    for each in found:
        output.print_text("\n".join(_format_score(each)))
    low = [each.project for each in found if each.score < minimum]
    if low:
        output.print_message(f"below {minimum}: {', '.join(low)}")
    return not low


def _format_score(found: FreshSessionScore) -> list[str]:
    """Return the score, then each part: its points, where it was found, what is missing."""
    cost = f"{format_count(len(found.reads), 'read')}, {found.tokens} tokens"
    texts = [f"{found.project}: {found.score} of 100, {cost}"]
    for part in found.criteria:
        details = to_one_line("; ".join(filter(None, (part.found_at, part.missing))))
        short = details.replace(f"projects/{found.project}/", "")
        texts.append(f"  {part.points:>2}/{part.weight:<2} {part.name}: {short}")
    return texts
