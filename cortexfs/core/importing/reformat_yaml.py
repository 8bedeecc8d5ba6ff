"""Rewrite YAML of another shape as `key: value` lines: `{…}` on one line, or indented keys.

This module imports ruamel.yaml and is imported only for the few blocks that need it, all accepted
by the safe YAML reader. Other blocks are edited by splices, which keep every other byte.
"""

from __future__ import annotations

from functools import cache
from io import StringIO
from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.constructor import RoundTripConstructor
from ruamel.yaml.error import YAMLError

if TYPE_CHECKING:
    from ruamel.yaml.nodes import ScalarNode

_TYPED_TAGS = ("int", "float", "bool", "timestamp")


@cache
def _make_text_constructor() -> type[RoundTripConstructor]:
    """Return a constructor that reads `1.10` and `2026-05-06` as the text that was typed."""

    class AsTyped(RoundTripConstructor):
        """Reads numbers, booleans and times as text; the tables of the library are not changed."""

    def text(loader: RoundTripConstructor, node: ScalarNode) -> str:
        return str(loader.construct_scalar(node))

    for name in _TYPED_TAGS:
        AsTyped.add_constructor(f"tag:yaml.org,2002:{name}", text)
    return AsTyped


def reformat_yaml(block: str) -> str | None:
    """Return a block as unindented lines, comments included; None if that fails."""
    yaml = YAML(typ="rt", pure=True)
    yaml.Constructor = _make_text_constructor()
    yaml.width, yaml.preserve_quotes, yaml.allow_unicode = 1 << 20, True, True
    out = StringIO()
    try:
        read = yaml.load(block)
        read.fa.set_block_style()
        yaml.dump(read, out)
    except (YAMLError, ValueError, AttributeError):
        return None
    return out.getvalue()
