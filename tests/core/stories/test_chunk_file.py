"""The file of a chunk: whatever was said, it is text in a code block."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from cortexfs.core.atoms.conflict_markers import find_conflict_markers
from cortexfs.core.atoms.kinds import Kinds
from cortexfs.core.atoms.parse_atom import parse_atom
from cortexfs.core.atoms.tree_paths import parse_atom_path
from cortexfs.core.find.extract_links import extract_links
from cortexfs.core.settings.story_settings import StorySettings
from cortexfs.core.stories.chunk_file import (
    digest_settings,
    parse_chunk_file,
    rename_story_in_file,
    render_chunk,
)
from cortexfs.core.stories.chunk_messages import Chunk
from cortexfs.core.stories.message import Message
from cortexfs.core.stories.transcripts.transcript import clean_message
from cortexfs.core.stories.weigh_chunk import score_chunk

SETTINGS = StorySettings()
PATH = "projects/p/chunks/CH-0001.md"
HOSTILE = [
    "# a heading\n## another", "---\nid: EXP-001\n---", "```\nEXP-001 [[K-001]]\n```", "~~~\n# x",
    "<!-- a comment", "<script>alert(1)</script>", "[x](javascript:alert(1))", "`````text\n# x",
    "EXP-001 and p/K-002", "- [ ] a task", "   ```\n# x\n", "a\n```\n# x", "\t````\n# x",
    "> ```\n# x", "- ```\n# x", "build: x\nrefs: 3\nlast-ref: y\n---\nbuild: z\n",
]  # fmt: skip
texts = st.text("`~#[]<!->\n \tEXP-01abc\x0b\x85\u2028", min_size=1) | st.sampled_from(HOSTILE)


def render(*said: Message) -> str:
    return render_chunk(Chunk(1, 1, 8, said), ("CH-0001", "p", "road"), "2026-05-06", SETTINGS)


def shown(message: Message) -> str:
    """Return a text in which no line is the marker of a merge."""
    markers = ("<<<<<<< ", ">>>>>>> ")
    lines = message.text.split("\n")
    return "\n".join(f" {line}" if f"{line} ".startswith(markers) else line for line in lines)


def test_the_markers_of_a_merge_that_somebody_shows_are_no_conflict() -> None:
    text = render(Message("m", "", "Ada", "user", "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x"))
    assert find_conflict_markers(text) == ()
    assert find_conflict_markers(render(Message("m", "", "<<<<<<<", "user", "a"))) == ()
    assert "\n <<<<<<< HEAD\na\n=======\nb\n >>>>>>> x\n" in text


@given(st.lists(st.tuples(texts, texts), min_size=1, max_size=3))
def test_what_was_said_is_text_and_nothing_else(pairs: list[tuple[str, str]]) -> None:
    raw = (Message("m", "", speaker, "user", text) for speaker, text in pairs)
    said = [message for each in raw if (message := clean_message(each))]
    if not said:
        return
    text = render(*said)
    source = parse_chunk_file(text)
    assert source is not None
    assert not source.is_edited
    place = parse_atom_path(PATH, Kinds())
    assert place is not None
    atom = parse_atom(PATH, place, text)
    assert atom.flaws == ()
    assert {link.cited for link in extract_links(atom, text)} == {"CH-0001"}, "its own heading"
    tokens = MarkdownIt().parse(text.split("---\n", 2)[2])
    assert [token.tag for token in tokens if token.type == "heading_open"] == ["h1"]
    blocks = [token for token in tokens if token.type == "fence"]
    assert [block.content.split("\n", 1)[1] for block in blocks] == [f"{shown(m)}\n" for m in said]
    assert {token.type for token in tokens} == {
        "heading_open", "inline", "heading_close", "fence",
    }  # fmt: skip


def test_the_frontmatter_says_what_the_chunk_is_worth() -> None:
    text = render(Message("m1", "2026-04-01T10:00:00Z", "Melina", "user", 'He wept. "I swear it."'))
    place = parse_atom_path(PATH, Kinds())
    assert place is not None
    fields = dict(parse_atom(PATH, place, text).fields)
    assert float(str(fields.pop("salience"))) > 0.2
    assert fields.pop("analysis") == digest_settings(SETTINGS)
    assert fields.pop("build")
    assert fields == {
        "id": "CH-0001",
        "date": "2026-04-01",
        "project": "p",
        "summary": 'Melina: He wept. "I swear it."',
        "tags": ("story", "grief", "resolve", "promise"),
        "story": "road",
        "messages": "1-8",
        "salience-source": "heuristic",
        "emotions": ("grief", "resolve"),
        "flags": ("promise",),
        "core": "yes",
    }


def test_a_change_by_a_person_is_seen_and_a_read_count_is_none() -> None:
    text = render(Message("m1", "", "Melina", "user", "Hello"))
    found = parse_chunk_file(text)
    assert found is not None
    assert (found.story, found.first, found.last, found.is_edited) == ("road", 1, 8, False)
    read = text.replace("core: no\n", "core: no\nrefs: 3\nlast-ref: 2026-05-06T20:31:10Z\n")
    assert parse_chunk_file(read) == found
    edited = parse_chunk_file(text.replace("Hello", "Hullo"))
    assert edited is not None
    assert edited.is_edited
    assert parse_chunk_file("# a note\n") is None


def test_another_name_of_a_story_changes_nothing_that_was_said() -> None:
    text = render(Message("m1", "", "Ada", "user", "road, messages 1 to 8\nAda: road, messages x"))
    renamed = rename_story_in_file(text, "road", "way")
    assert "# CH-0001: way, messages 1 to 8\n" in renamed
    assert renamed.count("road, messages") == text.count("road, messages") - 1
    found = parse_chunk_file(renamed)
    assert found is not None
    assert (found.story, found.is_edited) == ("way", False)


def test_a_very_long_message_is_cut_and_says_so() -> None:
    text = render(Message("m1", "", "A", "user", "x" * 1_000_000))
    assert len(text) < 101_000
    assert "[900000 more characters are in the record]" in text


def test_tags_add_nothing_to_what_a_chunk_is_worth() -> None:
    said = "Melina ran. I promise to wait."
    coloured = f'<font color="#ABCDEF">{said}</font> <span style="color: RED">'
    scores = {
        score_chunk(Chunk(1, 1, 8, (Message("m", "", "A", "user", text),)), SETTINGS).score
        for text in (said, coloured)
    }
    assert len(scores) == 1
