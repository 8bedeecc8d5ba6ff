"""How pytest-xdist hands out the tests, without counting those that have ended."""

from __future__ import annotations

from xdist.scheduler import LoadGroupScheduling


class LinearScheduler(LoadGroupScheduling):
    """Hand out groups of tests as `--dist loadgroup` does, in linear time.

    At the end of each test xdist counts all tests that the worker has had, which for thousands of
    tests takes seconds. Here a group is forgotten when all its tests have ended.
    """

    def _pending_of(self, workload: dict[str, dict[str, bool]]) -> int:
        for group in [group for group, ended in workload.items() if all(ended.values())]:
            del workload[group]
        return int(super()._pending_of(workload))
