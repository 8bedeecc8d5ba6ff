"""What is known of one code of findings."""

from __future__ import annotations

from typing import NamedTuple

ERROR = "error"
WARNING = "warning"


class FindingCode(NamedTuple):
    """The severity, meaning and hint of a code.

    An error breaks the format; a warning needs the judgement of a person.
    """

    severity: str
    description: str
    hint: str
