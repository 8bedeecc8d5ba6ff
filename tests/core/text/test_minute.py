"""Times as people read them."""

from __future__ import annotations

from cortexfs.core.text.minute import format_minute


def test_a_time_is_shown_to_the_minute() -> None:
    times = ("2026-05-06T20:31:10Z", "2026-05-06T20:31:10.125Z", "2026-05-06", "")
    assert [format_minute(each) for each in times] == [
        "2026-05-06 20:31", "2026-05-06 20:31", "2026-05-06", ""]  # fmt: skip
