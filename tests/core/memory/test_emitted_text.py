"""What was given to an agent is not saved again when the agent repeats it."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from soak_cases import leave_to_soak

from cortexfs.core.memory.emitted_text import CLIENT_TAGS, strip_emitted_text, wrap_emitted_text

OWN = '<cortex-memory source="flywheel/OBS-117">\nJWT in cookies\n</cortex-memory>'
CONTEXT = """## Memory from Previous Sessions

### Recent Sessions
- **flywheel** (2026-05-06): done [3 observations]

### Recent Observations
- [decision] **JWT**: text

## What

of it

---
Memory stats: 1 sessions, 3 observations across projects: flywheel"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing of ours", "nothing of ours"),
        ("  kept as it is <b>\n\n\n\nwith `<cortex-memory>` \n", None),
        (OWN, ""),
        (f"before\n\n{OWN}\n\nafter", "before\n\nafter"),
        (f"before {OWN} after", "before after"),
        (f"{OWN}\n{OWN}\nafter", "after"),
        (OWN.upper(), ""),
        (f'a\n<cortex-memory source="x">\n{OWN}\n</cortex-memory>\nb', "a\n\nb"),
        (f"<system-reminder>\n{OWN}\n</system-reminder>\nuser", "user"),
        ("a\n<system-reminder kind='x'>\nCLAUDE.md\n</system-reminder>\nb", "a\n\nb"),
        ("<hook_context>x</hook_context>\n\nfix it", "fix it"),
    ],
)
def test_blocks_are_removed_and_the_rest_is_kept(text: str, expected: str | None) -> None:
    assert strip_emitted_text(text) == (text if expected is None else expected)


@pytest.mark.parametrize("tag", CLIENT_TAGS)
def test_the_wrappers_of_clients_are_removed(tag: str) -> None:
    assert strip_emitted_text(f"a\n<{tag}>\nhidden\n\nlines\n</{tag}>\nb") == "a\n\nb"


@pytest.mark.parametrize(
    "text",
    ["a\n<cortex-memory source='x'>\nJWT in", "a <cortex-memory", f"a\n<cortex-memory>\n{OWN}\nb"],
)
def test_a_block_of_ours_without_its_end_is_removed_to_the_end(text: str) -> None:
    assert strip_emitted_text(text) == "a"


def test_a_block_of_ours_without_its_end_ends_with_the_wrapper_around_it() -> None:
    text = "<system-reminder>\n<cortex-memory source='x'>\nJWT\n</system-reminder>\nmine"
    assert strip_emitted_text(text) == "mine"


def test_a_wrapper_that_is_named_or_not_closed_is_kept() -> None:
    for text in ("the `<system-reminder>` tag", "a <system-reminder> is text", "</hook_context> x"):
        assert strip_emitted_text(text) == text


def test_the_end_of_a_wrapper_within_a_block_of_ours_does_not_end_it() -> None:
    text = "<system-reminder>\n<cortex-memory>\n</system-reminder>\nJWT\n</cortex-memory>\n"
    assert strip_emitted_text(f"{text}</system-reminder>\nmine") == "mine"


def test_a_recalled_context_is_removed_up_to_its_last_line() -> None:
    assert strip_emitted_text(f"a\n{CONTEXT}\nb") == "a\n\nb"
    assert strip_emitted_text(f"{CONTEXT}\n\n{CONTEXT}\nb") == "b"


def test_a_recalled_context_without_its_last_line_ends_at_the_next_title() -> None:
    cut = CONTEXT[: CONTEXT.index("## What")]
    assert strip_emitted_text(f"{cut}\n## Mine\n\nb") == "## Mine\n\nb"
    assert strip_emitted_text(f"a\n{cut}") == "a"


@pytest.mark.parametrize(
    "line",
    [
        "SessionStart hook additional context: 3 memories",
        "SessionStart:startup hook success: done",
        "UserPromptSubmit hook additional context: x",
        "  PreToolUse:Read hook additional context: x",
        "PostToolUse:mcp__x__read hook additional context: x",
        f"SessionStart hook additional context: {OWN}",
    ],
)
def test_a_line_that_introduces_the_output_of_a_hook_is_removed(line: str) -> None:
    assert strip_emitted_text(f"a\n{line}\nb") == "a\n\nb"


def test_a_sentence_about_hooks_is_kept() -> None:
    text = "The SessionStart hook additional context: see docs\nStop hook: none"
    assert strip_emitted_text(text) == text


PIECES = st.sampled_from(
    [
        *("<cortex-memory", ' source="x"', ">", "</cortex-memory>", "<system-reminder>", "`", "a"),
        *(
            "</system-reminder>",
            "\n",
            " ",
            "## Memory from Previous Sessions",
            "Memory stats:",
            "# ",
        ),
        *("SessionStart hook success: ", "<hook_context>", "</hook_context", "\n\n"),
    ]
)
TEXTS = st.lists(PIECES, max_size=20).map("".join)


@example("## Memory from Previous Sessions\n## Memory from Previous Sessions")
@example("## Memory from Previous Sessions\n# Mine\n## Memory from Previous Sessions\n")
@given(TEXTS)
def test_stripping_twice_changes_nothing(text: str) -> None:
    once = strip_emitted_text(text)
    assert strip_emitted_text(once) == once


@given(TEXTS | st.text(), st.text())
def test_whatever_we_wrap_is_removed_and_nothing_else(text: str, source: str) -> None:
    wrapped = wrap_emitted_text(text, source)
    assert strip_emitted_text(wrapped) == ""
    assert strip_emitted_text(f"before {wrapped}\nafter") == "before\n\nafter"


@pytest.mark.parametrize(
    "piece",
    leave_to_soak(
        [
            *(
                "<",
                "<cortex-memory ",
                "<system-reminder>",
                "</system-reminder>",
                OWN,
                " hook ",
                "\n",
            ),
            *("<hook_context><system-reminder>", "## Memory from Previous Sessions\n", "# \n"),
            *(
                "SessionStart hook success: a\n",
                "Memory stats:\n",
                "<system-reminder></system-reminder>",
            ),
            *(" ", f"{CONTEXT}\n", "a<hook_context></hook_context>"),
        ],
        every=4,
    ),
)
def test_hostile_text_takes_linear_time(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    began = time.process_time()
    strip_emitted_text(text)
    strip_emitted_text(f"## Memory from Previous Sessions\n<cortex-memory{text} hook x")
    assert time.process_time() - began < 2


def test_a_digest_for_a_client_is_stripped_with_its_markers() -> None:
    begin, end = "<!-- cortexfs:begin -->", "<!-- cortexfs:end -->"
    assert strip_emitted_text(f"a\n{begin}\n- fact [OBS-001]\n{end}\nb") == "a\nb"
    assert strip_emitted_text(f"a\n{begin}\n- fact").strip() == "a"
    assert strip_emitted_text(f"{begin}\n" * 40_000) == ""
    quoted = f"Put `{begin}` before a digest.\nThe rest."
    assert strip_emitted_text(quoted) == quoted
