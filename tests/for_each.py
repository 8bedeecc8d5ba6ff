"""One test of many cases that cost next to nothing: a test each would cost more than the cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Case = TypeVar("Case")


def for_each(cases: Iterable[Case]) -> Callable[[Callable[[Case], None]], Callable[[], None]]:
    """Return a decorator for a check of one case; the failure names every case that is wrong."""
    known = list(cases)

    def decorate(check: Callable[[Case], None]) -> Callable[[], None]:
        def test() -> None:
            wrong = []
            for case in known:
                try:
                    check(case)
                except AssertionError as error:
                    wrong.append(f"{case}: {error}")
            assert known, "there is no case"
            assert not wrong, "\n".join(wrong)

        test.__name__, test.__doc__ = check.__name__, check.__doc__
        return test

    return decorate
