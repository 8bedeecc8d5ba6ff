from __future__ import annotations

import json

import pytest
from claude_settings import (
    COMMAND,
    GUARD,
    GUARD_HOOK,
    NOTE_HOOK,
    OTHERS,
    RULE,
    WIRING,
    merge_plain,
    parse_plain,
)
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.clients.claude_code_facts import READ_TOOLS, WRITE_TOOLS
from cortexfs.clients.client_entries import ClientEntries, HookEntry
from cortexfs.clients.edit_json_settings import (
    OwnHooksState,
    check_installation,
    install_into_settings,
    remove_from_settings,
)
from cortexfs.clients.settings_record import SettingsRecord, parse_record
from cortexfs.errors import Refused, Unreadable

OLDER = "python3 /h/.cortex/hooks/note_event.py /h/spool"
NOTE_ALONE = ClientEntries((NOTE_HOOK,), (RULE,))


def test_a_new_settings_file_is_removed_again() -> None:
    installed = install_into_settings(None, NOTE_ALONE)
    assert installed.text == (
        '{\n  "hooks": {\n    "PostToolUse": [\n      {\n'
        '        "matcher": "Read|Grep|Glob|Bash",\n        "hooks": [\n          {\n'
        f'            "type": "command",\n            "command": "{COMMAND}",\n'
        '            "timeout": 10\n          }\n        ]\n      }\n    ]\n  },\n'
        f'  "permissions": {{\n    "allow": [\n      "{RULE}"\n    ]\n  }}\n}}\n'
    )
    assert remove_from_settings(installed.text, installed.record) is None
    assert remove_from_settings(installed.text.replace("\n", "\r\n"), installed.record) is None
    assert remove_from_settings(None, installed.record) is None
    assert remove_from_settings(None, None) is None


@pytest.mark.parametrize("empty", ["", "\n", "\ufeff", " \r\n"])
def test_an_empty_settings_file_becomes_empty_again(empty: str) -> None:
    installed = install_into_settings(empty, WIRING)
    assert parse_plain(installed.text) == merge_plain({})
    assert remove_from_settings(installed.text, installed.record) == empty
    assert remove_from_settings(installed.text + "\n", installed.record) == empty
    assert remove_from_settings(empty, None) == empty


def test_a_new_settings_file_stays_if_the_user_added_to_it() -> None:
    installed = install_into_settings(None, WIRING)
    after = installed.text.replace('{\n  "hooks"', '{\n  "model":   "mine",\n  "hooks"')
    assert remove_from_settings(after, installed.record) == '{\n  "model":   "mine"\n}\n'


def test_removing_keeps_every_byte_of_a_later_edit() -> None:
    before = '{\n    "model"  : "a\\u0062c",  "env": { },\n\n    "permissions": {"allow": ["X"]}\n}'
    installed = install_into_settings(before, WIRING)
    after = installed.text.replace('"X"', '"X",   "Y"')
    assert remove_from_settings(after, installed.record) == before.replace('"X"', '"X",   "Y"')


def test_empty_lists_of_the_user_stay() -> None:
    before = '{"hooks": {"PostToolUse": []}, "permissions": {"allow": []}}'
    installed = install_into_settings(before, WIRING)
    assert remove_from_settings(installed.text + " ", installed.record) == before + " "


def test_a_rule_of_the_user_is_neither_added_twice_nor_removed() -> None:
    before = json.dumps({"permissions": {"allow": [RULE]}})
    installed = install_into_settings(before, WIRING)
    assert installed.text.count(RULE) == 1
    assert remove_from_settings(installed.text + "\n", installed.record) == before + "\n"


def test_an_older_hook_is_replaced_in_its_place() -> None:
    older = {"matcher": "Read", "hooks": [{"type": "command", "command": OLDER}]}
    before = {"hooks": {"PostToolUse": [OTHERS, older, OTHERS | {"matcher": "Edit"}]}}
    groups = parse_plain(install_into_settings(json.dumps(before), WIRING).text)["hooks"][
        "PostToolUse"
    ]
    assert groups == [
        OTHERS,
        NOTE_HOOK.settings_group,
        OTHERS | {"matcher": "Edit"},
        GUARD_HOOK.settings_group,
    ]


def test_guards_are_added_beside_the_hook_of_an_earlier_version() -> None:
    first = install_into_settings('{"hooks": {"PreToolUse": []}}', NOTE_ALONE)
    second = install_into_settings(first.text, WIRING, first.record)
    hooks = parse_plain(second.text)["hooks"]
    assert hooks == {
        "PreToolUse": [WIRING.entries[0].settings_group],
        "PostToolUse": [NOTE_HOOK.settings_group, GUARD_HOOK.settings_group],
    }
    assert remove_from_settings(second.text, second.record) == '{"hooks": {"PreToolUse": []}}'
    third = install_into_settings(second.text, NOTE_ALONE, second.record)
    assert parse_plain(third.text) == parse_plain(first.text)


def test_a_group_with_all_our_hooks_is_split() -> None:
    both = {"hooks": [{"command": OLDER}, {"command": GUARD.replace("python3", "python2")}]}
    groups = parse_plain(
        install_into_settings(json.dumps({"hooks": {"PostToolUse": [both]}}), WIRING).text
    )
    assert groups["hooks"]["PostToolUse"] == [NOTE_HOOK.settings_group, GUARD_HOOK.settings_group]


def test_duplicate_and_stray_hooks_become_one() -> None:
    ours = {"type": "command", "command": OLDER}
    group = NOTE_HOOK.settings_group
    mixed = {"matcher": "*", "hooks": [ours, *OTHERS["hooks"], ours]}
    before = {
        "hooks": {
            "PostToolUse": [mixed, {"hooks": [ours, ours]}, group, group],
            "Stop": [{"hooks": [ours]}],
        }
    }
    installed = install_into_settings(json.dumps(before), NOTE_ALONE)
    cleared = {"matcher": "*", "hooks": OTHERS["hooks"]}
    assert parse_plain(installed.text)["hooks"] == {"PostToolUse": [cleared, group]}
    assert parse_plain(remove_from_settings(installed.text, installed.record)) == {
        "hooks": {"PostToolUse": [cleared]}
    }


def test_our_hook_in_a_group_of_the_user_moves_to_its_own_group() -> None:
    mixed = {"matcher": "*", "hooks": [{"command": OLDER}, *OTHERS["hooks"]]}
    before = {"hooks": {"PostToolUse": [mixed]}}
    groups = parse_plain(install_into_settings(json.dumps(before), WIRING).text)["hooks"][
        "PostToolUse"
    ]
    cleared = {"matcher": "*", "hooks": OTHERS["hooks"]}
    assert groups == [cleared, NOTE_HOOK.settings_group, GUARD_HOOK.settings_group]


@pytest.mark.parametrize(
    "command",
    [
        "/h/bin/note_event.py",
        "python3 /h/hooks/note_event.py",
        "python3 /h/hooks/guard.py",
        "cortexfs hook drain",
        "",
        None,
        7,
    ],
)
def test_hooks_that_only_resemble_ours_stay(command: object) -> None:
    before = json.dumps({"hooks": {"PostToolUse": [{"hooks": [{"command": command}, "odd"]}, 3]}})
    assert remove_from_settings(before, None) == before
    assert parse_plain(install_into_settings(before, WIRING).text) == merge_plain(
        parse_plain(before)
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("[]", "the document"),
        ('{"hooks": []}', "`hooks`"),
        ('{"hooks": null}', "`hooks`"),
        ('{"hooks": {"PostToolUse": {}}}', "`hooks.PostToolUse`"),
        ('{"hooks": {"PreToolUse": 1}}', "`hooks.PreToolUse`"),
        ('{"permissions": "all"}', "`permissions`"),
        ('{"permissions": {"allow": {}}}', "`permissions.allow`"),
    ],
)
def test_settings_of_another_shape_are_refused_and_not_changed(text: str, name: str) -> None:
    with pytest.raises(Refused, match=f"{name} is not"):
        install_into_settings(text, WIRING)
    assert remove_from_settings(text, None) == text


@pytest.mark.parametrize("text", ["{", '{"a": 1, "a": 2}', '{\n// mine\n"a": 1}'])
def test_invalid_json_is_refused_with_its_place(text: str) -> None:
    for refused in (
        lambda: install_into_settings(text, WIRING),
        lambda: remove_from_settings(text, None),
    ):
        with pytest.raises(Unreadable, match=r"line \d+, column \d+"):
            refused()


def test_an_event_without_tools_has_no_matcher() -> None:
    wiring = ClientEntries((*WIRING.entries, HookEntry("PostCompact", COMMAND)), (RULE,))
    installed = install_into_settings("{}", wiring)
    hooks = parse_plain(installed.text)["hooks"]
    assert hooks["PostCompact"] == [{"hooks": NOTE_HOOK.settings_group["hooks"]}]
    matchers = [group["matcher"] for group in hooks["PreToolUse"] + hooks["PostToolUse"]]
    assert matchers == [WRITE_TOOLS, READ_TOOLS, WRITE_TOOLS]
    assert parse_plain(install_into_settings(installed.text, WIRING).text) == merge_plain({})


def test_a_rule_or_a_hook_can_be_installed_alone() -> None:
    installed = install_into_settings("{}", ClientEntries((), (RULE,)))
    assert parse_plain(installed.text) == {"permissions": {"allow": [RULE]}}
    hook_only = install_into_settings("{}", ClientEntries((NOTE_HOOK,)))
    assert parse_plain(hook_only.text) == {"hooks": {"PostToolUse": [NOTE_HOOK.settings_group]}}
    assert remove_from_settings(hook_only.text + " ", hook_only.record) == "{} "


def test_the_rule_for_a_moved_tree_replaces_the_old_one() -> None:
    first = install_into_settings('{"model": "x"}', WIRING)
    second = install_into_settings(
        first.text, ClientEntries(WIRING.entries, ("Read(//srv/**)",)), first.record
    )
    assert parse_plain(second.text)["permissions"] == {"allow": ["Read(//srv/**)"]}
    assert remove_from_settings(second.text, second.record) == '{"model": "x"}'


def test_the_status_is_present_absent_or_different() -> None:
    text = install_into_settings(None, WIRING).text
    assert check_installation(text, WIRING) == (OwnHooksState.PRESENT, (), False, ())
    assert (
        check_installation(text.replace(COMMAND, OLDER), WIRING).hook_state
        is OwnHooksState.DIFFERENT
    )
    assert (
        check_installation(text.replace("|Bash", ""), WIRING).hook_state is OwnHooksState.DIFFERENT
    )
    assert (
        check_installation(text.replace("PostToolUse", "Stop"), WIRING).hook_state
        is OwnHooksState.DIFFERENT
    )
    assert check_installation(text, NOTE_ALONE).hook_state is OwnHooksState.DIFFERENT
    assert (
        check_installation(install_into_settings(None, NOTE_ALONE).text, WIRING).hook_state
        is OwnHooksState.DIFFERENT
    )
    assert check_installation(
        text, ClientEntries(WIRING.entries, ("Read(//srv/**)",))
    ).missing_rules == ("Read(//srv/**)",)
    for nothing in (None, "", "{}", "[]", '{"hooks": 1, "permissions": []}'):
        assert check_installation(nothing, WIRING) == (OwnHooksState.ABSENT, (RULE,), False, ())
    assert check_installation('{"disableAllHooks": true}', WIRING).hooks_disabled


EDIT, RUN = "Edit(~/.cortex/context/**)", "Bash(cortexfs:*)"


def test_rules_are_added_and_removed_without_those_of_the_user() -> None:
    before = json.dumps({"permissions": {"allow": [RUN, "WebFetch"]}})
    first = install_into_settings(before, ClientEntries((), (RULE, EDIT, RUN)))
    assert parse_plain(first.text)["permissions"]["allow"] == [RUN, "WebFetch", RULE, EDIT]
    second = install_into_settings(first.text + " ", ClientEntries((), (RULE,)), first.record)
    assert parse_plain(second.text)["permissions"]["allow"] == [RUN, "WebFetch", RULE]
    assert remove_from_settings(second.text + " ", second.record) == before + "  "
    assert remove_from_settings(first.text + "\n", first.record) == before + "\n"


@given(st.none() | st.text(), st.text(), st.lists(st.text()))
def test_a_settings_record_parses_back(original: str | None, text: str, rules: list[str]) -> None:
    record = SettingsRecord(original, text, tuple(rules))
    assert parse_record(record.to_json()) == record


def test_a_record_of_an_earlier_version_with_one_rule_is_read() -> None:
    for rule, rules in ((RULE, (RULE,)), (None, ())):
        older = json.dumps({"original": None, "written": "{}", "rule": rule})
        assert parse_record(older) == SettingsRecord(None, "{}", rules)


@pytest.mark.parametrize("damaged", ["", "{", "[]", '{"original": 1}', "[" * 100_000])
def test_a_damaged_record_is_ignored(damaged: str) -> None:
    assert parse_record(damaged) is None
