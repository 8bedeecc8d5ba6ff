"""List the colours of a project's characters, as their files say now: a person's edits included."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import ENTITY_KIND
from cortexfs.core.atoms.tree_paths import kind_folder
from cortexfs.core.frontmatter import atom_text
from cortexfs.core.stories.colours.read_colour_lines import read_colour_lines
from cortexfs.operations.shared.resolve_names import require_kind, require_project
from cortexfs.operations.stories.plan_chunk_files import iter_stored_chunks
from cortexfs.operations.stories.stored_entities import read_entity_files
from cortexfs.operations.stories.story_record import require_record

if TYPE_CHECKING:
    from cortexfs.core.stories.colours.speaker_colour import SpeakerColour
    from cortexfs.session.session import Session
    from cortexfs.session.view import View


class ListedColour(NamedTuple):
    """A colour of a character, whose ref and name it has."""

    ref: str
    name: str
    colour: SpeakerColour


def list_colours(session: Session, project: str, story: str = "") -> list[ListedColour]:
    """Return the colours of the characters, by id; with `story` of those that it has.

    Raises `Refused` for an unknown story.
    """
    with session.read() as view:
        require_project(view, project)
        chunks = _list_chunk_ids(view, project, story) if story else frozenset[str]()
        folder = kind_folder(project, require_kind(view, ENTITY_KIND))
        found: list[ListedColour] = []
        for ident, file in sorted(read_entity_files(view, folder).items()):
            text = file.text or ""
            colours = read_colour_lines(text)
            fields = atom_text.parse_frontmatter(text).fields if colours else {}
            seen = {str(fields.get(key)) for key in ("first-seen", "last-seen")}
            if colours and (not story or seen & chunks or _names_one(text, chunks)):
                name = str(fields.get("summary") or ident)
                found += [ListedColour(f"{project}/{ident}", name, each) for each in colours]
        return found


def _list_chunk_ids(view: View, project: str, story: str) -> frozenset[str]:
    require_record(view, project, story)
    stored = iter_stored_chunks(view, project)
    return frozenset(each.ident for each in stored if each.source.story == story)


def _names_one(text: str, chunks: frozenset[str]) -> bool:
    return any(word.strip("(),;.") in chunks for word in text.split())
