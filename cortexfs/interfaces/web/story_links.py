"""Where an atom of a story is shown among the pages of stories."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, urlencode

from cortexfs.core.atoms.kinds import CHUNK_KIND, ENTITY_KIND, SCENE_KIND
from cortexfs.core.stories.story_name import is_story_name

if TYPE_CHECKING:
    from cortexfs.core.atoms.atom import Atom


class StoryLink(NamedTuple):
    """A link of an atom's page: its text, and where it leads."""

    label: str
    path: str


def list_story_links(kind: str, atom: Atom) -> list[StoryLink]:
    """Return the links from the page of an atom that is made from a chat."""
    if kind == ENTITY_KIND:
        of_it = urlencode({"project": atom.project, "entity": atom.ref})
        return [
            StoryLink(
                "Its card, to correct it", f"/stories/entities?{urlencode({'ref': atom.ref})}"
            ),
            StoryLink("Its relations", f"/stories/relations?{of_it}"),
        ]
    name = atom.text_field("story")
    if not is_story_name(name):
        return []
    story = f"/stories/{quote(atom.project)}/{name}"
    links = [StoryLink(f"Overview of {name}", story)]
    first = atom.text_field("messages").partition("-")[0]
    if kind in {CHUNK_KIND, SCENE_KIND} and first.isascii() and first.isdigit():
        links.append(StoryLink("In the chat", f"{story}/chat?message={first}#m{first}"))
    if kind == CHUNK_KIND:
        links.append(StoryLink("Among the chunks", f"{story}/chunks"))
    return links
