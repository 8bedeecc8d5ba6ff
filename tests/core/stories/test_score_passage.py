"""What a passage is worth, and why: the watched outputs of the original, and where ours differ."""

from __future__ import annotations

import time

from for_each import for_each
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.stories.salience.salience_weights import DEFAULT_WEIGHTS
from cortexfs.core.stories.salience.score_passage import score_passage

PLAIN = "Melina walked to the store and bought bread."
NOT_CRIED = "Kael did not cry. He was not among them — gone forever."
PROMISE = (
    'Melina knelt at the grave. "I promise I will come back," she told the stranger. '
    '"My name is Melina." Tears ran down her cheeks. Then she rode away.'
)
BETRAYAL = (
    '"You betrayed us," Kael said. Dread filled the hall. The truth is, all along he had sold '
    "us out, and Voss died for it."
)


@for_each(
    [
        (PLAIN, 0.01, [], []),
        ("She danced in the rain", None, ["joy"], []),
        ("rain fell", None, ["melancholy"], []),
        ("dark and cozy", None, ["intimacy"], []),
        ("Oh great, I am so thrilled to be here.", 0.0112, [], []),
        (NOT_CRIED, 0.295, ["grief"], []),  # the original: 0.325
        (PROMISE, None, ["grief", "resolve"], ["first_meeting", "promise", "departure"]),
        (BETRAYAL, None, ["dread", "betrayal", "revelation"], ["death"]),
        # the original counts one word in an empty text
        ("", 0.0, [], []),
    ]
)
def test_a_passage_has_its_emotions_and_flags(
    case: tuple[str, float | None, list[str], list[str]],
) -> None:
    text, score, emotions, flags = case
    found = score_passage(text)
    assert [*found.emotions] == emotions
    assert [*found.flags] == flags
    assert score is None or found.score == score


@for_each(
    [
        ("She was happy.", ["joy"]),
        ("She was never happy.", []),
        ("She hadn\N{RIGHT SINGLE QUOTATION MARK}t wept.", []),
        ("Neither grief nor fury touched her.", []),
        ("Nobody spoke, but she wept.", ["grief"]),
        ("She did not run, and wept.", ["grief"]),
        ("He never stopped weeping.", ["grief"]),
        ("She was not only happy.", ["joy"]),
        ("No doubt he was furious.", ["fury"]),
        ("I am SO happy to see you.", []),
        ("WE ARE SO HAPPY TO SEE YOU", ["joy"]),
        ("Yeah right, I am delighted.", []),
        # sarcasm takes back praise, not what went wrong
        ("Oh great, the traitor is here.", ["betrayal"]),
        ("Oh great. She was happy.", ["joy"]),
    ]
)
def test_negation_and_sarcasm_hold_in_their_clause(case: tuple[str, list[str]]) -> None:
    text, emotions = case
    assert [*score_passage(text).emotions] == emotions


def test_a_strong_word_counts_more_and_a_weak_one_less() -> None:
    def grief(text: str) -> float:
        (part,) = (part for part in score_passage(text).parts if part.name == "emotion grief")
        return round(part.value, 4)

    assert grief("He felt sorrow.") == 0.035
    assert grief("He felt utterly bereft of sorrow.") == 0.0525
    assert grief("He felt a hint of sorrow.") == 0.021
    assert grief("He was gone forever.") == 0.05


def test_the_parts_are_those_of_the_reference() -> None:
    parts = {part.name: round(part.value, 4) for part in score_passage(PROMISE).parts}
    assert parts["dialogue"] == 0.03  # two quotes of four
    assert parts["flag promise"] == parts["flag departure"] == 0.06
    assert parts["many_flags"] == 0.06
    assert parts["mixed_emotions"] == 0.08
    assert parts["density"] <= 0.08
    assert score_passage("!!" * 3 + " word" * 40).parts[1].value == DEFAULT_WEIGHTS.punctuation
    assert {part.name for part in score_passage("*She bows to the crowd.* Hm").parts} == {
        "length",
        "action",
    }


def test_other_weights_give_another_score() -> None:
    doubled = DEFAULT_WEIGHTS._replace(flag=0.12)
    assert round(score_passage(BETRAYAL, doubled).score - score_passage(BETRAYAL).score, 4) == 0.06


def test_a_core_memory_has_its_score_or_its_flag() -> None:
    flags = ("death", "promise")
    assert score_passage(BETRAYAL).is_core(0.7, flags)
    assert not score_passage(PLAIN).is_core(0.7, flags)
    assert score_passage(PROMISE).is_core(0.5, ())
    assert not score_passage(PROMISE).is_core(0.99, ())


@given(st.text(max_size=300))
def test_any_text_has_a_score_from_0_to_1_that_is_the_sum_of_its_parts(text: str) -> None:
    found = score_passage(text)
    assert 0 <= found.score <= 1
    assert all(part.value > 0 for part in found.parts)
    assert found.score == round(min(1.0, sum(part.value for part in found.parts)), 4)


def test_a_long_text_of_anything_is_scored_in_linear_time() -> None:
    def cpu_s(text: str) -> float:
        begin = time.process_time()
        score_passage(text)
        return time.process_time() - begin

    for unit in ('"', "*", "never ", "so happy ", "Oh great happy ", "A", "!", "i ", "._"):
        short, long = unit * (4000 // len(unit)), unit * (40_000 // len(unit))
        assert cpu_s(long) < 40 * max(cpu_s(short), 0.005)
