"""Plan what is known of made scenes and arcs when a story gets another name, or is removed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cortexfs.core.changes.plan import Write
from cortexfs.core.stories.consolidation.made_summaries import FILE_NAME, rename_in_made
from cortexfs.core.stories.story_name import chats_folder
from cortexfs.operations.shared.read_text_or_empty import read_text_or_empty

if TYPE_CHECKING:
    from cortexfs.session.view import View


def plan_made_rename(view: View, project: str, old: str, new: str = "") -> list[Write]:
    """Return the write of `_consolidated.tsv`, if it changes; without `new` the story is gone."""
    path = f"{chats_folder(project)}/{FILE_NAME}"
    before = read_text_or_empty(view, path)
    after = rename_in_made(before, old, new)
    return [Write(path, after, before)] if after != before else []
