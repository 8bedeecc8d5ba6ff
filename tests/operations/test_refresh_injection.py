"""What hooks look up is written where it differs, and old records are removed."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from cortexfs.operations.refresh_injection import list_prompt_items, refresh_injection
from cortexfs.session.session import Session

if TYPE_CHECKING:
    from place import Place

NOW = datetime(2026, 5, 6, 12, tzinfo=UTC)


def test_projects_and_terms_are_written_once(sample: Place) -> None:
    settings = {"XDG_CONFIG_HOME": str(sample.root.parent / "config")}
    config = sample.root.parent / "config/cortexfs/config.yaml"
    config.parent.mkdir(parents=True)
    config.write_text("sources:\n  driftwood: /srv/codec\n  unknown: /srv/x\n")
    session = Session.open(str(sample.root), lambda: NOW)
    assert refresh_injection(session, settings).written == (
        "injection/projects",
        "injection/prompt-terms",
    )
    folder = sample.root / ".cortexfs/injection"
    assert (folder / "projects").read_text().splitlines() == [
        "name\tdriftwood\tdriftwood",
        "folder\t/srv/codec\tdriftwood",
        "name\tgreenhouse\tgreenhouse",
        "name\tlighthouse\tlighthouse",
    ]
    terms = (folder / "prompt-terms").read_text()
    assert "driftwood/K-007\tBit-packed blocks of 128" in terms
    assert "driftwood/EXP-005" not in terms, "it is invalidated"
    assert refresh_injection(session, settings).written == ()
    assert {path.stat().st_mode & 0o777 for path in folder.iterdir() if path.is_file()} == {0o600}


def test_the_atoms_that_were_read_most_come_first_with_their_tags(sample: Place) -> None:
    log = sample.root / "projects/driftwood/_meta/access-log.jsonl"
    with log.open("a") as lines:
        for number in range(20):
            read = {"file": "K-007.md", "tool": "Read", "ts": "2026-05-05T10:00:00.000Z"}
            lines.write(json.dumps({**read, "session": f"s{number}", "note": f"n{number}"}) + "\n")
    with Session.open(str(sample.root), lambda: NOW).read() as view:
        items = list_prompt_items(view)
    assert items[0].ref == "driftwood/K-007"
    assert "bit-packing entropy-coding residuals" in items[0].words


def test_a_record_is_removed_thirty_days_after_its_last_use(sample: Place) -> None:
    shown = sample.root / ".cortexfs/injection/shown"
    shown.mkdir(parents=True)
    for name, days in (("old", 31), ("new", 29)):
        (shown / name).touch()
        os.utime(shown / name, (NOW.timestamp() - days * 86_400,) * 2)
    session = Session.open(str(sample.root), lambda: NOW)
    assert refresh_injection(session, {}).removed_records == 1
    assert [path.name for path in shown.iterdir()] == ["new"]


def test_a_folder_in_place_of_one_file_does_not_stop_the_others(sample: Place) -> None:
    folder = sample.root / ".cortexfs/injection"
    (folder / "projects/x").mkdir(parents=True)
    session = Session.open(str(sample.root), lambda: NOW)
    assert refresh_injection(session, {}).written == ("injection/prompt-terms",)
    assert not [name for name in os.listdir(folder) if "draft" in name]


def test_a_drain_prepares_prompts_where_no_bulletin_can_be_written(sample: Place) -> None:
    folder = sample.root / ".cortexfs/injection"
    folder.mkdir(parents=True)
    (folder / "bulletins").symlink_to(sample.root)
    sample.ok("hook", "drain")
    assert (folder / "prompt-terms").is_file()
