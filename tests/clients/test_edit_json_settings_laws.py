from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

from claude_settings import OTHERS, RULE, WIRING, merge_plain, parse_plain
from hypothesis import given
from hypothesis import strategies as st
from json_documents import settings_objects, written

from cortexfs.clients.client_entries import ClientEntries
from cortexfs.clients.edit_json_settings import (
    OwnHooksState,
    check_installation,
    install_into_settings,
    remove_from_settings,
)

if TYPE_CHECKING:
    from collections.abc import Callable


def set_model(settings: dict[str, Any]) -> None:
    settings["model"] = "another"


def add_a_group_before(settings: dict[str, Any]) -> None:
    settings.setdefault("hooks", {}).setdefault("PostToolUse", []).insert(0, OTHERS)


def add_a_group_after(settings: dict[str, Any]) -> None:
    settings.setdefault("hooks", {}).setdefault("PostToolUse", []).append(OTHERS)


def add_an_event(settings: dict[str, Any]) -> None:
    settings.setdefault("hooks", {})["SessionEnd"] = [OTHERS]


def allow_something(settings: dict[str, Any]) -> None:
    settings.setdefault("permissions", {}).setdefault("allow", []).insert(0, "Bash(ls:*)")


def deny_something(settings: dict[str, Any]) -> None:
    settings.setdefault("permissions", {})["deny"] = ["Read(./.env)"]


EDITS = [
    set_model,
    add_a_group_before,
    add_a_group_after,
    add_an_event,
    allow_something,
    deny_something,
]
edits = st.lists(st.sampled_from(EDITS), min_size=1, max_size=4)


def apply_changes(settings: dict[str, Any], changes: list[Callable[[dict[str, Any]], None]]) -> Any:
    settings = copy.deepcopy(settings)
    for change in changes:
        change(settings)
    return settings


@given(written(settings_objects))
def test_installing_equals_merging_plain_objects(text: str) -> None:
    assert parse_plain(install_into_settings(text, WIRING).text) == merge_plain(parse_plain(text))


@given(written(settings_objects))
def test_installing_twice_is_installing_once(text: str) -> None:
    once = install_into_settings(text, WIRING)
    assert install_into_settings(once.text, WIRING, once.record) == once
    assert install_into_settings(once.text, WIRING).text == once.text


@given(written(settings_objects))
def test_removing_restores_the_bytes_before_installing(text: str) -> None:
    installed = install_into_settings(text, WIRING)
    assert remove_from_settings(installed.text, installed.record) == text
    assert remove_from_settings(text, installed.record) == text


@given(written(settings_objects), edits, st.sampled_from([None, 2]))
def test_edits_between_installing_and_removing_survive(
    text: str, changes: list[Callable[[dict[str, Any]], None]], indent: int | None
) -> None:
    installed = install_into_settings(text, WIRING)
    after = json.dumps(apply_changes(parse_plain(installed.text), changes), indent=indent)
    remaining = remove_from_settings(after, installed.record)
    assert parse_plain(remaining) == apply_changes(parse_plain(text), changes)
    assert remove_from_settings(remaining, installed.record) == remaining


@given(written(settings_objects), edits)
def test_a_second_installation_after_edits_can_be_removed(
    text: str, changes: list[Callable[[dict[str, Any]], None]]
) -> None:
    first = install_into_settings(text, WIRING)
    edited_text = json.dumps(apply_changes(parse_plain(first.text), changes), indent=4)
    entries = (
        entry._replace(command=entry.command.replace("python3", "python3.14"))
        for entry in WIRING.entries
    )
    newer = ClientEntries(tuple(entries), ("Read(//elsewhere/**)",))
    second = install_into_settings(edited_text, newer, first.record)
    assert check_installation(second.text, newer) == (OwnHooksState.PRESENT, (), False, ())
    assert parse_plain(remove_from_settings(second.text, second.record)) == apply_changes(
        parse_plain(text), changes
    )


@given(written(settings_objects))
def test_removing_without_the_record_removes_the_hook_and_keeps_the_rule(text: str) -> None:
    remaining = remove_from_settings(install_into_settings(text, WIRING).text, None)
    assert check_installation(remaining, WIRING).hook_state is OwnHooksState.ABSENT
    assert RULE in parse_plain(remaining)["permissions"]["allow"]
    assert remove_from_settings(remaining, None) == remaining
