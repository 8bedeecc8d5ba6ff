"""The digest of plans: the same for the same change, another for any other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from cortexfs.core.changes.plan import Plan, Remove, Write
from cortexfs.core.changes.plan_digest import PlanningTime, digest_plans

PLAN = Plan("mark a", (Write("a.md", "one\n", "two\n"),))


def test_the_digest_is_that_of_the_change_and_not_of_its_time() -> None:
    def digest(second: int = 10, **changes: object) -> str:
        began = datetime(2026, 5, 6, 20, 31, second, tzinfo=UTC)
        made = PlanningTime(began, began + timedelta(seconds=1))
        return digest_plans([PLAN._replace(**changes)], made)

    def write(text: str, expected: str | None = None, path: str = "a.md") -> tuple[Write, ...]:
        return (Write(path, text, expected),)

    times = {digest(second, writes=write(f"created: {time}\n")) for second, time in
             ((10, "2026-05-06T20:31:10Z"), (10, "2026-05-06T20:31:10.500Z"),
              (40, "2026-05-06T20:31:40"), (40, "2026-05-06 20:31"),
              (59, "20:32 UTC"))}  # fmt: skip
    assert len(times) == 1
    typed = {digest(writes=write(f"the pump failed at {time}\n")) for time in
             ("2026-05-06T20:30", "2026-05-06 20:33", "2025-05-06T20:31:10Z", "07:15 UTC",
              "08:15 UTC")}  # fmt: skip
    assert len(typed) == 5
    other = {
        digest(), digest(message="b"), digest(writes=write("one\n", "2")), *times,
        digest(writes=write("one\n", "two\n", "b.md")), digest(writes=write("day: 2026-05-07\n")),
        digest(writes=write("day: 2026-05-06\n")), digest(removes=(Remove("c", "d"),)),
    }  # fmt: skip
    assert len(other) == 8
    assert digest(writes=(*PLAN.writes, Write("i", "j", is_derived=True))) == digest()
