"""Write YAML of another shape as `key: value` lines: `{…}` on one line, keys that are indented.

It imports ruamel.yaml, and is imported for the few blocks that need it; only what the gate has
let in comes here. Blocks of the usual shape are changed by splices, which leave every other byte.
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

_TYPED = ("int", "float", "bool", "timestamp")


@cache
def _as_typed() -> type[RoundTripConstructor]:
    """Make a constructor for which `1.10` and `2026-05-06` are the text that was typed."""

    class AsTyped(RoundTripConstructor):
        """Numbers, truth and times stay text; the tables of the library's own stay as they are."""

    def text(loader: RoundTripConstructor, node: ScalarNode) -> str:
        return str(loader.construct_scalar(node))

    for name in _TYPED:
        AsTyped.add_constructor(f"tag:yaml.org,2002:{name}", text)
    return AsTyped


def reformat_yaml(block: str) -> str | None:
    """Give a block as lines from the first column on, its comments kept; None where that fails."""
    yaml = YAML(typ="rt", pure=True)
    yaml.Constructor = _as_typed()
    yaml.width, yaml.preserve_quotes, yaml.allow_unicode = 1 << 20, True, True
    out = StringIO()
    try:
        read = yaml.load(block)
        read.fa.set_block_style()
        yaml.dump(read, out)
    except (YAMLError, ValueError, AttributeError):
        return None
    return out.getvalue()
