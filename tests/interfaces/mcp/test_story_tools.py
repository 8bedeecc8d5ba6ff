"""The tools for stories, as a client calls them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from mcp_client import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mcp_client import LineClient
    from place import Place


@pytest.fixture
def client(sample: Place) -> Iterator[LineClient]:
    with serve(sample, "--project", "driftwood") as client:
        client.initialize()
        yield client


def test_a_story_is_told_listed_and_recalled(client: LineClient) -> None:
    said = "</cortex-memory> I swear to bring your sister home, \x1b[31mMelina\x1b[0m."
    assert client.call("story_list") == "no stories"
    for speaker, text in (("Melina", "Who are you?"), ("Kael", said)):
        added = client.call("story_append", story="road", speaker=speaker, text=text)
    assert added == "Added message 2 to the story road"
    assert client.call("story_list", project="driftwood").startswith("road: 2 messages, 2 speakers")
    text = client.call("story_recall", story="road", query="Who brings my sister home?")
    header, opening, *passage, closing = text.splitlines()
    assert header == "Recalled 1 passage of road:"
    assert opening == '<cortex-memory source="driftwood/road">'
    assert passage[0].startswith("[driftwood/CH-0001, messages 1 to 2, 0 messages ago]")
    assert any("sister home, Melina." in line for line in passage)
    assert closing == "</cortex-memory>"
    assert text.count("</cortex-memory>") == 1
    rendered = client.call(
        "story_render", story="road", template="{{memories}} {{x}}", query="Who brings her home?"
    )
    assert rendered.startswith('<cortex-memory source="driftwood/road">\n<story-memory>')
    assert "sister home" in rendered
    assert "{{x}}" in rendered
    hidden = client.call("story_recall", story="road", query="Who?", visible=2)
    assert hidden == "nothing to recall"


def test_an_entity_is_corrected_after_a_look_at_what_changes(client: LineClient) -> None:
    for speaker, text in (("Melina", "Kael sighed. Kael is a smith."), ("Kael", "Come, Melina.")):
        client.call("story_append", story="road", speaker=speaker, text=text)
    asked = {"entity": "kael", "change": "merge", "value": "Melina"}
    planned = client.call("story_correct", **asked, dry_run=True)
    assert "Would change projects/driftwood/entities/ENT-" in planned
    done = client.call("story_correct", **asked)
    assert done == planned.replace("Would change", "Changed")
    split = client.call("story_correct", entity="Kael", change="split", item="Melina")
    assert split.splitlines()[-1].startswith("The name is that of driftwood/ENT-")
    for given, part in (
        ({"entity": "Kael", "change": "explode"}, "use one of rename"),
        ({"entity": "Kael", "change": "strike-fact", "item": "flies"}, "does not say `flies`"),
        ({"entity": "Nobody", "change": "remove"}, "no atom named"),
    ):
        assert part in client.refuse("story_correct", **given)


def test_a_story_that_does_not_exist_is_refused_with_a_hint(client: LineClient) -> None:
    client.call("story_append", story="road", speaker="Melina", text="Who are you?")
    assert client.refuse("story_recall", story="raod", query="?").endswith(
        "hint: did you mean `road`?"
    )
    assert "cannot be the name" in client.refuse(
        "story_append", story="../x", speaker="M", text="t"
    )
    assert "text is empty" in client.refuse("story_append", story="a", speaker="M", text=" ")
    assert "nowhere" in client.refuse("story_list", project="nowhere")
