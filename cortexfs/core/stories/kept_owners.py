"""What was made of the lines that were generated of entities, kept while these are the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.core.stories.generated_lines import format_generated, parse_generated
from cortexfs.core.stories.owner_state import OwnerState, read_owner_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from cortexfs.core.stories.generated_lines import Lines


class _KeptState(NamedTuple):
    """A state, and what it was made of."""

    lines: Lines
    text: str | None
    state: OwnerState


class KeptOwners:
    """The states of entities by owner, and the text of all their lines.

    Lines are never changed: the same object says the same.
    """

    def __init__(self) -> None:
        self._record = ""
        self._recorded: dict[str, Lines] = {}
        self._states: dict[str, _KeptState] = {}
        self._blocks: dict[str, tuple[Lines, str]] = {}
        self._merged: dict[str, object] = {}

    def parse(self, record: str) -> Mapping[str, Lines]:
        """Return what a file says was generated, by owner."""
        return self._recorded if record == self._record else parse_generated(record)

    def format(self, generated: Mapping[str, Lines]) -> str:
        """Return the text of a file of generated lines."""
        blocks = {owner: self._format_block(owner, generated[owner]) for owner in sorted(generated)}
        self._blocks = {owner: (generated[owner], block) for owner, block in blocks.items()}
        self._states = {owner: state for owner, state in self._states.items() if owner in generated}
        self._merged = {
            owner: merged for owner, merged in self._merged.items() if owner in generated
        }
        self._record = "".join(blocks.values())
        self._recorded = {owner: lines for owner, lines in generated.items() if lines}
        return self._record

    def _format_block(self, owner: str, lines: Lines) -> str:
        kept = self._blocks.get(owner)
        return kept[1] if kept and kept[0] is lines else format_generated({owner: lines})

    def is_merged(self, owner: str, state: object) -> bool:
        """Return whether a file is as it was merged last, of the same values."""
        return self._merged.get(owner) == state

    def keep_merged(self, owner: str, state: object) -> None:
        """Keep of which values a file was merged, with its text after that."""
        self._merged[owner] = state

    def read(self, owner: str, lines: Lines, text: str | None) -> OwnerState:
        """Return what is known of an entity by its lines and the text of its file."""
        kept = self._states.get(owner)
        if kept and kept.lines is lines and kept.text == text:
            return kept.state
        state = read_owner_state(lines, text)
        self._states[owner] = _KeptState(lines, text, state)
        return state
