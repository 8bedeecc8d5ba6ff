"""The lines of USER.md: who the user is, and how the user likes to work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.bulletin.bulletin_line import IDENTITY, BulletinLine
from cortexfs.core.bulletin.clean_bulletin_text import clean_bulletin_text
from cortexfs.core.bulletin.project_lines import MAX_FILE_CHARS
from cortexfs.core.governance.project_status import parse_updated_day
from cortexfs.core.governance.user_preferences import PREFERENCE_CATEGORIES, parse_preferences
from cortexfs.core.markdown.sections import normalize_title

if TYPE_CHECKING:
    from cortexfs.core.governance.user_preferences import Preference

USER_MD_PATH = "user/USER.md"
PREFERENCE_SCORE = 0.7
CATEGORY_STEP, STEP = 0.04, 0.001
"""What the score loses for each further category, and for each further line."""
OWN_BONUS = 0.2
"""What a line about the project itself gains."""


def list_user_lines(text: str, as_of: str, projects: tuple[str, ...] = ()) -> list[BulletinLine]:
    """Return the preferences with a value, by category; the own ones of `projects` count more.

    `as_of` is the day of a file that names none.
    """
    text = text[:MAX_FILE_CHARS]
    day, found = parse_updated_day(text) or as_of, parse_preferences(text)
    lines = []
    for number, each in enumerate(sorted(found, key=_category_position)):
        shown = clean_bulletin_text(f"{each.key}: {each.value}")
        is_own = normalize_title(each.key) in {normalize_title(name) for name in projects}
        score = PREFERENCE_SCORE - CATEGORY_STEP * _category_position(each) - STEP * number
        if each.value and shown:  # a new tree has keys without a value
            lines.append(
                BulletinLine(
                    IDENTITY, shown, USER_MD_PATH, day, score + (OWN_BONUS if is_own else 0.0)
                )
            )
    return lines


def _category_position(each: Preference) -> int:
    """Return the position of a preference's category, the number of categories if unknown."""
    names = [map(normalize_title, headings) for headings in PREFERENCE_CATEGORIES.values()]
    wanted = normalize_title(each.category)
    return next((at for at, headings in enumerate(names) if wanted in headings), len(names))
