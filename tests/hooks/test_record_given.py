"""What hooks gave to agents is kept, bounded and private, so that a person can read it."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from cortexfs.core.injection.given_text import parse_given_line
from cortexfs.operations.list_given_texts import GivenRequest, list_given_texts
from cortexfs.operations.refresh_injection import refresh_injection
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterator

    from place import Place

HOOKS = Path(__file__).parents[2] / "hooks"
LINE = "- flywheel/K-001: readings above 90 % are condensation (projects/flywheel/STATUS.md)"


@pytest.fixture
def session(tree: Place) -> Iterator[Session]:
    opened = Session.open(str(tree.root), lambda: datetime.now(UTC))
    tree.write(".cortexfs/injection/bulletins/_tree.md", f"# All projects\n\n{LINE}\n")
    yield opened
    opened.close()


def send(
    tree: Place, event: str, script: str = "inject_context.py", env: str = "on", **fields: Any
) -> str:
    """Send an event to a hook in a process of its own; return what it gives to the model."""
    document = {"hook_event_name": event, "session_id": "s1", "cwd": "/", **fields}
    words = [f"{tree.root}/.cortexfs/spool", str(tree.root)]
    words = ["--client=codex", *words] if script == "inject_context.py" else words
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(HOOKS / script), *words],
        input=json.dumps(document),
        env={**os.environ, "CORTEXFS_BRIEF": env, "CORTEXFS_DRAIN_QUIET": "off"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert not done.stderr
    given = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else {}
    return str(given.get("additionalContext", ""))


def test_what_was_given_is_kept_with_its_session_and_sources(tree: Place, session: Session) -> None:
    given = send(tree, "SessionStart", source="startup")
    assert LINE in given
    (found,) = list_given_texts(session, GivenRequest()).texts
    assert found.text == given
    assert (found.client, found.session, found.event) == ("codex", "s1", "SessionStart")
    assert found.source == "bulletin/_tree"
    assert (found.refs, found.paths) == (("flywheel/K-001",), ("projects/flywheel/STATUS.md",))
    assert found.tokens > len(given) / 6
    assert found.time.startswith(f"{datetime.now(UTC):%Y-%m}")
    (file,) = (tree.root / ".cortexfs/injection/given").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_cortex_md_that_was_offered_is_kept(tree: Place, session: Session) -> None:
    tree.write("projects/flywheel/CORTEX.md", "# Flywheel\n\nOil it on Mondays.\n")
    path = f"{tree.root}/projects/flywheel/STATUS.md"
    given = send(
        tree, "PostToolUse", "note_event.py", tool_name="Read", tool_input={"file_path": path}
    )
    assert "Oil it on Mondays" in given
    assert [each.text for each in list_given_texts(session, GivenRequest("s1")).texts] == [given]
    assert not list_given_texts(session, GivenRequest("another")).texts


def test_nothing_is_kept_where_nothing_is_given(tree: Place, session: Session) -> None:
    assert not send(tree, "SessionStart", env="off", source="startup")
    send(tree, "Stop")
    assert not list_given_texts(session, GivenRequest()).texts


def test_a_full_day_takes_no_more(tree: Place, session: Session) -> None:
    send(tree, "SessionStart", source="startup")
    (file,) = (tree.root / ".cortexfs/injection/given").iterdir()
    file.write_bytes(file.read_bytes() + b"x" * (1 << 20) + b"\n")
    size = file.stat().st_size
    assert send(tree, "SessionStart", source="clear")
    assert file.stat().st_size == size
    assert len(list_given_texts(session, GivenRequest()).texts) == 1


def test_old_days_are_removed(tree: Place, session: Session) -> None:
    send(tree, "SessionStart", source="startup")
    (file,) = (tree.root / ".cortexfs/injection/given").iterdir()
    old = (datetime.now(UTC) - timedelta(days=31)).timestamp()
    refresh_injection(session, {})
    assert file.exists()
    os.utime(file, (old, old))
    refresh_injection(session, {})
    assert not file.exists()


@pytest.mark.parametrize(
    "line",
    ["", "x", "[]", "{}", '{"ns": "x"}', '{"ns": 1e400}', "[" * 9999, '{"ns": 1, "text": 3}'],
)
def test_a_foreign_line_is_none(line: str) -> None:
    assert parse_given_line(line) is None
