from __future__ import annotations

import pytest

from cortexfs.core.access_events.payloads.parse_tool_call import parse_event_object


@pytest.mark.parametrize("end", [b"}", b',"cut', b',"x":['])
def test_a_number_with_too_many_digits_loses_no_other_field(end: bytes) -> None:
    event = b'{"number":' + b"9" * 5000 + b',"small":-7,"tool_name":"Read"' + end
    fields = parse_event_object(event)
    assert fields == {"number": None, "small": -7, "tool_name": "Read"}
