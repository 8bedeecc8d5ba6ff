from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from cortexfs.core.stories.entities.evidence import PassageEvidence, Totals
from cortexfs.core.stories.entities.read_passage import read_passage
from cortexfs.core.stories.entities.resolve_entities import resolve_entities
from cortexfs.core.stories.relations.resolve_relations import resolve_relations

PIECES = (
    "Anne Elliot sighed.",
    "Miss Elliot went to Bath with Captain Wentworth.",
    'Anne said, "Frederick, come here."',
    "Frederick Wentworth kissed Anne.",
    "The Musgroves betrayed Mr. Elliot.",
    "Mr Elliot was killed.",
    "Kael, a swordsman, wields the Starblade.",
    "My name is Melina but everyone calls me Mel.",
    "KAEL RAN!",
    "../x said that “Kael” | was at <b>Lyme</b>.",
    "Then Mel Vance left Lyme. Mel laughed.",
    "Seeing Anne, Mel sighed.",
)
passages = st.lists(st.sampled_from(PIECES), min_size=1, max_size=6).map(" ".join)
speakers = st.lists(st.sampled_from(["Mel", "../x", "🌸Luna🌸", "A|B", "", "user"]), max_size=3)
evidence = st.builds(read_passage, passages, speakers)


def resolve(totals: Totals) -> tuple[object, object]:
    entities = resolve_entities(totals)
    return entities, resolve_relations(totals, entities)


@settings(max_examples=60)
@given(st.lists(evidence, min_size=1, max_size=5), st.data())
def test_a_passage_that_is_taken_out_leaves_no_trace(
    kept: list[PassageEvidence], data: st.DataObject
) -> None:
    gone = data.draw(st.lists(evidence, max_size=3))
    numbered = list(enumerate(kept, 1))
    steps = [*numbered, *enumerate(gone, 100)]
    stepwise = Totals()
    for number, found in data.draw(st.permutations(steps)):
        stepwise.add(number, found)
    for number, found in data.draw(st.permutations(list(enumerate(gone, 100)))):
        stepwise.remove(number, found)
    rebuilt = Totals()
    for number, found in numbered:
        rebuilt.add(number, found)
    assert stepwise == rebuilt
    assert resolve(stepwise) == resolve(rebuilt)


@settings(max_examples=40)
@given(evidence)
def test_evidence_survives_being_stored(found: PassageEvidence) -> None:
    assert PassageEvidence.from_json(json.loads(json.dumps(found.to_json()))) == found


@settings(max_examples=60)
@given(st.text(max_size=300), st.lists(st.text(max_size=20), max_size=3))
def test_any_text_is_read(text: str, names: list[str]) -> None:
    totals = Totals()
    totals.add(1, read_passage(text, names))
    for entity in resolve(totals)[0]:  # type: ignore[attr-defined]
        assert 0 <= entity.confidence <= 1


def test_a_speaker_with_a_strange_name_is_somebody() -> None:
    totals = Totals()
    found = read_passage("Luna laughed.", ["🌸Luna🌸", "../x", "A|\x1b[1mB", "assistant"])
    totals.add(1, found)
    forms = {entity.forms for entity in resolve_entities(totals)}
    assert ("../x",) in forms
    assert ("A [1mB",) in forms
    assert {"🌸Luna🌸", "Luna"} in [set(names) for names in forms]
    assert not any("assistant" in names for names in forms)
