"""What an agent saves is one readable file, saved once, and never holds what it must not."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_rows_to_soak, leave_to_soak

from cortexfs.core.changes.execution_mode import ExecutionMode
from cortexfs.core.memory.emitted_text import wrap_emitted_text
from cortexfs.errors import CortexError, Refused
from cortexfs.operations.memory.delete_memory import delete_memory
from cortexfs.operations.memory.read_memory import read_memory
from cortexfs.operations.memory.save_memories import save_memories
from cortexfs.operations.memory.save_memory import save_memory
from cortexfs.operations.memory.start_session import start_session
from cortexfs.operations.memory.update_memory import update_memory
from cortexfs.operations.shared.memory_types import MemoryChanges, MemoryDraft, SaveAction

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Clock
    from place import Place

    from cortexfs.session.session import Session

DRAFT = MemoryDraft("JWT auth", "**What**: tokens are signed with RS256", "decision", "flywheel")
OBSERVATIONS = "projects/flywheel/observations"


def test_a_memory_is_a_readable_file_in_one_commit(tree: Place, session: Session) -> None:
    saved = save_memory(session, DRAFT)
    assert (saved.record.number, saved.action) == (1, SaveAction.CREATED)
    assert tree.read(f"{OBSERVATIONS}/OBS-001.md") == (
        '---\nid: OBS-001\ndate: 2026-05-06\nproject: flywheel\nsummary: "JWT auth"\n'
        "tags: [decision]\ntype: decision\nscope: project\nsession: manual-save-flywheel\n"
        'revision: 1\ncreated: "2026-05-06T12:00:00Z"\nlast-seen: "2026-05-06T12:00:00Z"\n---\n\n'
        "**What**: tokens are signed with RS256\n"
    )
    assert tree.git("log", "-1", "--format=%s") == "save flywheel/OBS-001: JWT auth\n"
    assert tree.git("status", "--porcelain") == ""
    assert tree.run("check").code == 0


def test_the_session_is_made_with_its_first_memory(tree: Place, session: Session) -> None:
    save_memory(session, DRAFT._replace(session_id="s-1"))
    save_memory(session, DRAFT._replace(session_id="s-1", title="Another"))
    folder = tree.root / "projects/flywheel/sessions"
    assert [path.name for path in folder.glob("SES-*.md")] == ["SES-001.md"]


def test_the_same_memory_within_the_window_is_counted(
    tree: Place, session: Session, clock: Clock
) -> None:
    save_memory(session, DRAFT)
    clock.wait(minutes=14)
    again = save_memory(session, DRAFT._replace(content="**what**:  tokens are\nSIGNED with rs256"))
    assert (again.action, again.record.number) == (SaveAction.DUPLICATE, 1)
    assert again.record.duplicates == 1
    assert "RS256" in tree.read(f"{OBSERVATIONS}/OBS-001.md")
    clock.wait(minutes=16)
    assert save_memory(session, DRAFT).record.number == 2


@pytest.mark.parametrize("other", [{"title": "Other"}, {"type": "bugfix"}, {"scope": "personal"}])
def test_another_title_type_or_scope_is_no_duplicate(
    session: Session, other: dict[str, str]
) -> None:
    save_memory(session, DRAFT)
    assert save_memory(session, DRAFT._replace(**other)).action is SaveAction.CREATED


def test_a_topic_is_updated_in_place_and_git_has_the_earlier_text(
    tree: Place, session: Session
) -> None:
    first = DRAFT._replace(topic_key="Architecture/Auth Model")
    save_memory(session, first)
    second = first._replace(topic_key="architecture/auth-model", content="Now EdDSA")
    saved = save_memory(session, second)
    assert (saved.action, saved.record.number) == (SaveAction.UPDATED, 1)
    assert (saved.record.revision, saved.record.content) == (2, "Now EdDSA")
    assert "RS256" in tree.git("show", f"HEAD~1:{OBSERVATIONS}/OBS-001.md")


@pytest.mark.parametrize("other", [{"project": "orchard"}, {"scope": "personal"}])
def test_the_same_topic_in_another_project_or_scope_is_another_memory(
    session: Session, other: dict[str, str]
) -> None:
    save_memory(session, DRAFT._replace(topic_key="a/b"))
    saved = save_memory(session, DRAFT._replace(topic_key="a/b", **other))
    assert saved.action is SaveAction.CREATED


def test_numbers_count_over_all_projects_and_folders(tree: Place, session: Session) -> None:
    tree.write("projects/orchard/observations/OBS-041.md", "no frontmatter at all")
    assert save_memory(session, DRAFT).record.number == 42
    personal = save_memory(session, DRAFT._replace(title="Mine", scope="personal"))
    assert personal.record.path == "user/observations/OBS-043.md"
    assert save_memory(session, DRAFT._replace(title="Third")).record.number == 44


def test_a_personal_memory_is_never_committed(tree: Place, session: Session) -> None:
    save_memory(session, DRAFT._replace(scope="personal"))
    assert tree.ok("check") == "0 errors, 0 warnings\n"
    tree.ok("index", "regen", "--all")
    tree.ok("commit")
    assert "RS256" in tree.read("user/observations/OBS-001.md")
    assert "user/observations" not in tree.git("ls-tree", "-r", "--name-only", "HEAD")
    assert tree.git("status", "--porcelain") == ""
    assert "JWT auth" in tree.ok("find", "RS256")


def test_private_parts_are_never_written(tree: Place, session: Session) -> None:
    save_memory(session, DRAFT._replace(content="a <private>my <PRIVATE>key</private></private> b"))
    assert "a [REDACTED] b" in tree.read(f"{OBSERVATIONS}/OBS-001.md")
    assert "my" not in tree.read(f"{OBSERVATIONS}/OBS-001.md").rpartition("---")[2]


def test_a_secret_is_refused_before_the_first_byte(tree: Place, session: Session) -> None:
    token = "ghp_" + "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"
    with pytest.raises(Refused, match="git would keep it forever"):
        save_memory(session, DRAFT._replace(content=f"the token is {token}"))
    assert not (tree.root / OBSERVATIONS).exists()


def test_what_was_recalled_is_not_saved_again(session: Session) -> None:
    recalled = wrap_emitted_text("tokens are signed with RS256", "flywheel/OBS-001")
    with pytest.raises(Refused, match="the content is empty"):
        save_memory(session, DRAFT._replace(content=recalled))
    kept = save_memory(session, DRAFT._replace(content=f"Learned: rotate keys\n{recalled}"))
    assert kept.record.content == "Learned: rotate keys"


@pytest.mark.parametrize(
    ("typed", "name"), [("My App", "my-app"), ("../../x", "x"), ("", "general"), ("Ünï", "n")]
)
def test_any_project_name_becomes_a_valid_one(
    tree: Place, session: Session, typed: str, name: str
) -> None:
    assert save_memory(session, DRAFT._replace(project=typed)).record.project == name
    assert (tree.root / f"projects/{name}/observations/OBS-001.md").is_file()
    assert tree.run("check").code == 0


def test_a_project_that_a_memory_begins_asks_for_its_goal(tree: Place, session: Session) -> None:
    save_memory(session, DRAFT._replace(project="decisions"))
    goal = "No goal is written yet: replace this line with what the project is for."
    assert tree.read("projects/decisions/CORTEX.md").startswith(f"# decisions\n\n{goal}\n\n")
    assert f"| [decisions/](decisions/CORTEX.md) | {goal} |" in tree.read("projects/CORTEX.md")
    assert tree.run("check").out == "0 errors, 0 warnings\n"


def test_many_memories_are_one_commit_and_a_refused_one_stops_no_other(
    tree: Place, session: Session
) -> None:
    drafts = [DRAFT._replace(title=f"Number {n}", content=f"fact {n}" * (n != 2)) for n in range(4)]
    head = tree.git("rev-parse", "HEAD")
    saved, _ = save_memories(session, drafts, "import 4 memories")
    assert [isinstance(each, CortexError) for each in saved] == [False, False, True, False]
    assert tree.git("log", "--format=%s", f"{head.strip()}..HEAD") == "import 4 memories\n"


def test_no_commit_names_what_a_personal_memory_is_about(tree: Place, session: Session) -> None:
    saved = save_memory(session, DRAFT._replace(title="My salary", scope="personal"))
    save_memory(session, DRAFT._replace(title="JWT auth"))
    changes = MemoryChanges(title="My salary rose", scope="personal")
    update_memory(session, "OBS-002", changes)
    delete_memory(session, saved.record.ref, hard=True)
    assert tree.git("log", "-1", "--format=%s") == "update a personal memory\n"
    assert "salary" not in tree.git("log", "-p")


def test_a_known_content_is_not_saved_again_if_only_new_ones_are_wanted(
    session: Session, clock: Clock
) -> None:
    save_memory(session, DRAFT)
    clock.wait(minutes=60)
    again = save_memory(session, DRAFT._replace(title="Other", only_if_new=True))
    assert (again.action, again.record.title) == (SaveAction.KNOWN, "JWT auth")
    assert save_memory(session, DRAFT._replace(project="orchard", only_if_new=True)).action == (
        SaveAction.CREATED
    )


@pytest.mark.parametrize(
    "typed", leave_to_soak(["1", "#1", "OBS-001", "flywheel/OBS-001"], every=2)
)
def test_a_memory_is_named_by_its_number_too(tree: Place, session: Session, typed: str) -> None:
    save_memory(session, DRAFT)
    assert "RS256" in tree.ok("show", typed)
    assert tree.run("show", "2").code == 3


PRIVATE = "<pri\u200bvate>Acme</private>"
TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"
SHORT_FIELDS = ("title", "type", "project", "topic_key", "session_id", "tool")


@pytest.mark.parametrize("field", leave_to_soak([*SHORT_FIELDS, "content", "tags"], every=4))
def test_a_private_part_of_any_field_is_redacted(tree: Place, session: Session, field: str) -> None:
    save_memory(session, DRAFT._replace(**{field: (PRIVATE,) if field == "tags" else PRIVATE}))
    start_session(session, "s-1", PRIVATE, f"/src/{PRIVATE}")
    update_memory(session, "1", MemoryChanges(type=PRIVATE, topic_key=PRIVATE, project=PRIVATE))
    texts = [each.read_text().lower() for each in tree.root.rglob("*.md")]
    assert [text for text in texts if "acme" in text] == []
    assert "acme" not in tree.git("log", "-p", "--format=%B").lower()


@pytest.mark.parametrize("field", [*SHORT_FIELDS, "tags"])
def test_a_secret_in_any_field_is_refused_even_where_it_would_be_cut(
    tree: Place, session: Session, field: str
) -> None:
    long = f"{'x ' * 28}{TOKEN}" if field != "project" else TOKEN
    with pytest.raises(Refused, match="GitHub"):
        save_memory(session, DRAFT._replace(**{field: (long,) if field == "tags" else long}))
    assert not list(tree.root.rglob("OBS-*.md"))


@pytest.mark.parametrize(
    ("name", "ident"),
    leave_rows_to_soak(
        [
            ("OBS-002", "OBS-001"),
            ("OBS-999999999999", "OBS-999999999999"),
            ("OBS-9999999999999", "OBS-9999999999999"),
            ("OBS-005", "OBS-9999999999999"),
        ],
        every=2,
    ),
)
def test_no_file_that_somebody_made_stops_the_saving(
    tree: Place, session: Session, name: str, ident: str
) -> None:
    save_memory(session, DRAFT)
    text = tree.read(f"{OBSERVATIONS}/OBS-001.md").replace("id: OBS-001", f"id: {ident}")
    tree.write(f"{OBSERVATIONS}/{name}.md", text)
    numbers = []
    for title in ("Two", "Three"):
        saved = save_memory(session, DRAFT._replace(title=title)).record
        assert read_memory(session, str(saved.number)).title == title
        numbers.append(saved.number)
    assert max(numbers) < 10
    assert tree.read(f"{OBSERVATIONS}/{name}.md") == text


def test_a_copied_file_has_the_number_of_its_name(tree: Place, session: Session) -> None:
    save_memory(session, DRAFT)
    copy = tree.read(f"{OBSERVATIONS}/OBS-001.md").replace("JWT auth", "Copy")
    tree.write(f"{OBSERVATIONS}/OBS-002.md", copy)
    assert [read_memory(session, typed).title for typed in ("1", "2")] == ["JWT auth", "Copy"]


def test_no_commit_has_the_reason_why_a_personal_memory_was_marked(
    tree: Place, session: Session
) -> None:
    save_memory(session, DRAFT._replace(scope="personal"))
    save_memory(session, DRAFT._replace(title="Public", content="Now EdDSA"))
    by = ("--by", "flywheel/OBS-002")
    tree.ok("mark", "OBS-001", "superseded", *by, "--reason", "Acme has left")
    assert tree.git("log", "-1", "--format=%s") == "mark OBS-001 superseded:flywheel/OBS-002\n"
    assert "Acme" not in tree.git("log", "-p", "--format=%B")


def _make_link(path: Path) -> None:
    path.symlink_to("/nonexistent")


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, _make_link])
def test_what_is_no_file_takes_a_number_and_stops_nothing(
    tree: Place, session: Session, make: Callable[[Path], None]
) -> None:
    session.serve_reads(3600)  # what is made is not seen before the write
    with session.deferred_commits(lambda: None, pytest.fail):
        save_memory(session, DRAFT, mode=ExecutionMode.DEFER)
        make(tree.root / OBSERVATIONS / "OBS-002.md")
        saved = save_memory(session, DRAFT._replace(title="Two"), mode=ExecutionMode.DEFER)
        assert saved.record.number == 3
