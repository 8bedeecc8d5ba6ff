"""Values that are made of what passages say of some names, kept until that changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

ValueT = TypeVar("ValueT")


class KeptValues:
    """Keeps values by the forms of which they are made, and what else decided."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, ...], dict[Hashable, Any]] = {}

    def get(self, forms: tuple[str, ...], key: Hashable, make: Callable[[], ValueT]) -> ValueT:
        """Return the value that is kept, else the one that is made now; other keys end."""
        kept = self._values.get(forms, {})
        if key not in kept:
            kept = self._values[forms] = {key: make()}
        value: ValueT = kept[key]
        return value

    def forget(self, changed: set[str]) -> None:
        """Forget the values that are made of one of these forms."""
        if self._values:
            left = (item for item in self._values.items() if changed.isdisjoint(item[0]))
            self._values = dict(left)
