"""What a sentence says that it overturns is what a person would say that it does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.core.maintain.body_signals import overturning, read_said


def _overturned(text: str) -> list[str]:
    return [ref for ref, _ in read_said(text, "").overturns]


@pytest.mark.parametrize(
    ("text", "refs"),
    [
        ("This supersedes EXP-003.", ["EXP-003"]),
        ("It contradicts the figures of EXP-003 and q/EXP-004.", ["EXP-003", "q/EXP-004"]),
        ("Refuting EXP-003 took a week.", ["EXP-003"]),
        ("This corrected EXP-003.", ["EXP-003"]),
        ("EXP-003 is superseded.", ["EXP-003"]),
        ("The conclusion of EXP-012\nholds for runs and is challenged for the rest.", ["EXP-012"]),
        ("EXP-003 was plainly wrong; EXP-004 was not.", ["EXP-003"]),
        ("EXP-003 no longer holds.", ["EXP-003"]),
        ("- supersedes EXP-003\n- see EXP-004", ["EXP-003"]),
        ("EXP-003 is superseded by EXP-006.", ["EXP-003"]),
        ("EXP-006 supersedes EXP-003.", ["EXP-003"]),
    ],
)
def test_a_sentence_overturns_what_its_verb_is_about(text: str, refs: list[str]) -> None:
    assert _overturned(text) == refs


@pytest.mark.parametrize(
    "text",
    [
        "This does not contradict EXP-003.",
        "EXP-003 is not superseded.",
        "Nothing here refutes EXP-003.",
        "Corrected values of EXP-004 are used.",
        "Moisture corrected for temperature as in EXP-003.",
        "A ratio that q/EXP-008 corrected.",
        "It supersedes the old way. See EXP-003.",
        "```\nsupersedes EXP-003\n```",
        "~~~\nsupersedes EXP-003",
        "| EXP-003 is wrong | corrected |",
        "---\nid: EXP-009\nevidence: [EXP-003]\nstatus: challenged:EXP-004\n---\n\nNothing.\n",
    ],
)
def test_what_denies_quotes_or_only_mentions_overturns_nothing(text: str) -> None:
    assert _overturned(text) == []


def test_a_summary_speaks_as_the_body_does() -> None:
    assert read_said("", "Supersedes EXP-003: larger").overturns == (("EXP-003", "supersedes"),)
    assert overturning("It corrects the earlier figure") == "corrects"
    assert overturning("It does not correct; it never contradicts anything") == ""


@pytest.mark.parametrize(
    "body",
    [
        "## Reflection\n\n- Process defects: two clocks,\n  one of them slow\n- Next: x\n",
        "#### Reflection\n\n* **Process defects**: two clocks,\n  one of them slow\n* **O**: x\n",
        "### Reflection\n\n- **Process defects:** two clocks,\n  one of them slow\n",
        "## Process defects\n\ntwo clocks,\n  one of them slow\n\n## Next\n",
        "Process Defects: two clocks,\n  one of them slow\n\n**Unexpected**: x\n",
    ],
)
def test_process_defects_are_found_in_every_style(body: str) -> None:
    assert read_said(body, "").defects.split() == ["two", "clocks,", "one", "of", "them", "slow"]


@pytest.mark.parametrize(
    "body",
    [
        "## Process defects\n\n- two clocks\n- **one** slow\n\n## Next\n\n- x\n",
        "### Process defects\n- two clocks\n\n#### Which\n\n- **one** slow\n\n## Next\n",
        "## Reflection\n\n- Process defects:\n  - two clocks\n  - **one** slow\n- Next: x\n",
        "  * **Process defects:**\n    * two clocks\n    * **one** slow\n  * **O**: x\n",
        "**Process defects**\n\n- two clocks\n- **one** slow\n\n**Unexpected**\n\n- x\n",
        "Process defects:\n- two clocks\n- **one** slow\n\n# Next\n",
    ],
)
def test_a_list_below_process_defects_is_theirs_and_what_follows_is_not(body: str) -> None:
    said = "".join(sign if sign.isalpha() else " " for sign in read_said(body, "").defects)
    assert [word for word in said.split() if word != "Which"] == ["two", "clocks", "one", "slow"]


@pytest.mark.parametrize("said", ["none", "None found.", "nothing so far", "", "n/a"])
def test_no_defect_is_none(said: str) -> None:
    entry = f"- Process defects: {said}\n- Behavioral adjustments: look twice\n"
    heading = f"## Process defects\n\n{said}\n\n## Next\n\n- look twice\n"
    for body in (entry, heading, heading.replace(said, f"- {said}")):
        assert read_said(body, "") == ("", ())


@given(st.text() | st.text(alphabet="`~\n EXP-03supersd.|", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    said = read_said(text, text)
    assert all(ref in text for ref, _ in said.overturns)
