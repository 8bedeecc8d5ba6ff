"""The machine's scheduler is asked by its own programs; a crontab that cannot be read is kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from crontab_program import make_crontab_program

from cortexfs.clients.regen_scheduler import apply_schedule_changes, plan_schedule_changes
from cortexfs.errors import Refused, SettingsChanged

if TYPE_CHECKING:
    from pathlib import Path

RUN = ("/usr/bin/python3", "/tree")


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_crontab_program(tmp_path)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return tmp_path / "table"


def test_the_other_lines_of_a_crontab_keep_each_byte(table: Path) -> None:
    table.write_bytes(b"MAILTO=me\r\n# \xff\n")
    apply_schedule_changes("cron", plan_schedule_changes("cron", RUN, 15, {}))
    assert table.read_bytes().startswith(b"MAILTO=me\r\n# \xff\n*/15 * * * * ")
    apply_schedule_changes("cron", plan_schedule_changes("cron", RUN, None, {}))
    assert table.read_bytes() == b"MAILTO=me\r\n# \xff\n"


def test_without_a_crontab_one_is_made(table: Path) -> None:
    apply_schedule_changes("cron", plan_schedule_changes("cron", RUN, 60, {}))
    assert table.read_bytes().startswith(b"0 */1 * * * ")


def test_a_crontab_that_cannot_be_read_is_not_replaced(table: Path) -> None:
    table.write_text("# mine\n")
    (table.parent / "broken").touch()
    with pytest.raises(Refused, match="`crontab -l` failed: crontab: cannot open it"):
        plan_schedule_changes("cron", RUN, 60, {})
    assert table.read_text() == "# mine\n"


def test_a_crontab_that_has_changed_since_the_plan_is_not_replaced(table: Path) -> None:
    table.write_text("# mine\n")
    changes = plan_schedule_changes("cron", RUN, 60, {})
    table.write_text("# newer\n")
    with pytest.raises(SettingsChanged):
        apply_schedule_changes("cron", changes)
    assert table.read_text() == "# newer\n"
