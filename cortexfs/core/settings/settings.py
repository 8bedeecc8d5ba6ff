"""What a tree may set for itself; every setting has a default."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.atoms.kinds import Kinds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.atoms.atom import Flaw
    from cortexfs.core.checks.size_limits import Cap


class WriteBackMode(StrEnum):
    """Into which atoms `index regen` writes `refs` and `last-ref`."""

    PRESENT = "present"
    ALWAYS = "always"
    NEVER = "never"


class Settings(NamedTuple):
    """The settings of one tree; every one has a default.

    `caps` are those that it sets for itself; `core.checks.size_limits.cap_of` knows the others.
    """

    kinds: Kinds = Kinds()
    write_back: WriteBackMode = WriteBackMode.PRESENT
    flaws: tuple[Flaw, ...] = ()
    caps: Mapping[str, Cap] = MappingProxyType({})
    use_embeddings: bool = True
    """Whether `find` goes by meaning too, where a model is installed."""
