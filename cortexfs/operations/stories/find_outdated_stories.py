"""Find the stories whose chunks were made with other settings than those of now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.atom import Finding
from cortexfs.core.atoms.kinds import CHUNK_KIND
from cortexfs.core.stories.story_name import is_story_name, record_path
from cortexfs.core.text.plural import format_count
from cortexfs.operations.shared.resolve_names import require_kind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from cortexfs.session.view import View


class OutdatedStory(NamedTuple):
    """A story, and how many of its chunks were made with other settings."""

    project: str
    name: str
    chunks: int

    @property
    def rebuild_command(self) -> str:
        """The command that makes them anew."""
        return f"cortexfs story rebuild {self.name} -p {self.project}"


def find_outdated_stories(
    view: View, projects: Collection[str] | None = None
) -> Iterator[OutdatedStory]:
    """Yield the stories that a rebuild would change; a chunk that a person has edited stays."""
    if not view.queries.has_kind(CHUNK_KIND):
        return
    from cortexfs.core.stories.chunk_file import digest_settings  # noqa: PLC0415 - few trees need it
    from cortexfs.operations.stories.plan_chunk_files import read_stored_chunk  # noqa: PLC0415

    current = digest_settings(view.settings.stories)
    kind, counts = require_kind(view, CHUNK_KIND), Counter[tuple[str, str]]()
    for path, project, story in view.stories.list_made_otherwise(CHUNK_KIND, current):
        if projects is None or project in projects:
            chunk = read_stored_chunk(view, kind, path)
            counts[project, story] += chunk is not None and not chunk.source.is_edited
    for (project, story), count in sorted(counts.items()):
        if count and is_story_name(story) and view.tree.is_file(record_path(project, story)):
            yield OutdatedStory(project, story, count)


def report_outdated_stories(view: View, projects: Collection[str] | None) -> Iterator[Finding]:
    """Yield a finding about the record of each such story."""
    for story in find_outdated_stories(view, projects):
        path, chunks = record_path(story.project, story.name), format_count(story.chunks, "chunk")
        message = f"{chunks} made with other settings; `{story.rebuild_command}`"
        yield Finding(path, "story-outdated", message)
