from __future__ import annotations

import os
import plistlib
import re
import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cortexfs.clients.regen_schedule_text import (
    CRON_FIELDS,
    add_crontab_line,
    build_regen_command,
    format_cron_marker,
    format_crontab_line,
    format_launchd_plist,
    format_systemd_service,
    format_systemd_timer,
    format_unit_name,
    parse_interval,
    remove_crontab_line,
)
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from pathlib import Path

ODD_WORDS = [
    "plain",
    "two words",
    "it's",
    'say "hi"',
    "$HOME ${X} $$",
    "50% %h ü✓",
    "# no comment",
    "`id`;",
]

crontabs = st.lists(st.text(alphabet="ab*# %\r\x0b\u2028", max_size=8)).map(
    lambda lines: "".join(f"{line}\n" for line in lines)
)


@pytest.mark.parametrize(
    ("text", "minutes"),
    [("1m", 1), ("15m", 15), ("90m", 90), ("1h", 60), ("1d", 1440), ("7d", 10080)],
)
def test_an_interval_is_parsed_to_minutes(text: str, minutes: int) -> None:
    assert parse_interval(text) == minutes


@pytest.mark.parametrize(
    "text",
    ["", "0m", "15", "m", "30s", "1.5h", "-5m", "15 m", "15M", "1h30m", "٣m", "99999d", "5m\n"],
)
def test_an_invalid_interval_is_refused(text: str) -> None:
    with pytest.raises(Refused, match="is not an interval") as refusal:
        parse_interval(text)
    assert "15m" in str(refusal.value.hint)


@pytest.mark.parametrize(
    ("minutes", "fields"),
    [
        (1, "*/1 * * * *"),
        (15, "*/15 * * * *"),
        (60, "0 */1 * * *"),
        (360, "0 */6 * * *"),
        (1440, "0 0 * * *"),
        (10080, "0 0 * * 0"),
    ],
)
def test_a_crontab_line_has_the_expected_form(minutes: int, fields: str) -> None:
    line = format_crontab_line(
        minutes, build_regen_command("/p/python", "/h/c"), format_cron_marker("/h/c")
    )
    assert line == (
        f"{fields} /p/python -I -m cortexfs --root /h/c --quiet index regen --all"
        "  # cortexfs: index regen /h/c"
    )


@pytest.mark.parametrize(
    ("text", "nearest"),
    [("7m", "6m"), ("45m", "30m"), ("90m", "1h"), ("5h", "4h"), ("2d", "1d"), ("30d", "7d")],
)
def test_an_uneven_cron_interval_is_refused_with_the_nearest_one(text: str, nearest: str) -> None:
    with pytest.raises(Refused, match=text) as refusal:
        format_crontab_line(parse_interval(text), ["true"], "# x")
    assert refusal.value.hint == f"the nearest possible interval is {nearest}"


def test_cron_intervals_are_evenly_spaced() -> None:
    for minutes, fields in CRON_FIELDS.items():
        period = 60 if minutes < 60 else max(minutes, 24 * 60)
        assert period % minutes == 0
        assert len(fields.split()) == 5


@pytest.mark.parametrize("odd", ODD_WORDS)
def test_cron_and_its_shell_run_the_same_words(tmp_path: Path, odd: str) -> None:
    home = tmp_path / odd
    home.mkdir()
    python = home / "python"
    python.write_text('#!/bin/sh\nprintf "%s\\n" "$0" "$@"\n')
    python.chmod(0o700)
    command = build_regen_command(str(python), str(home))
    line = format_crontab_line(15, command, format_cron_marker(str(home)))
    shell_command = apply_cron_escapes(line)
    ran = subprocess.run(
        ["/bin/sh", "-c", shell_command], check=True, capture_output=True, text=True
    )
    assert ran.stdout.splitlines() == command


def apply_cron_escapes(line: str) -> str:
    """Do to a line what cron does: cut at a bare `%`, take the backslash from another."""
    command = line.split(maxsplit=5)[5]
    return re.split(r"(?<!\\)%", command)[0].replace("\\%", "%")


def test_a_path_that_a_crontab_cannot_hold_is_refused() -> None:
    with pytest.raises(Refused, match="backslash"):
        format_crontab_line(15, build_regen_command("/p", "/h/a\\b"), format_cron_marker("/h/a\\b"))


@pytest.mark.parametrize("root", ["/a\nb", "/a\x1bb", os.fsdecode(b"/a\xff")])
def test_an_unprintable_path_is_refused(root: str) -> None:
    with pytest.raises(Refused, match="a scheduler cannot run"):
        build_regen_command("/p", root)


@given(crontabs, st.sampled_from([*ODD_WORDS, "a\u2028b"]))
def test_removing_an_added_line_restores_the_crontab(text: str, root: str) -> None:
    mark = format_cron_marker(root)
    line = format_crontab_line(15, build_regen_command("/p", root), mark)
    once = add_crontab_line(text, line, mark)
    assert once == f"{text}{line}\n"
    assert add_crontab_line(once, line, mark) == once
    assert remove_crontab_line(once, mark) == text == remove_crontab_line(text, mark)


def test_an_older_line_is_replaced_in_its_place() -> None:
    mark = format_cron_marker("/h/c")
    other = "5 4 * * * x  # cortexfs: index regen /other/h/c"
    older, newer = (format_crontab_line(every, ["/p"], mark) for every in (60, 15))
    text = f"MAILTO=me\n{older}\r\n# mine\n{older}\n{other}\n"
    assert add_crontab_line(text, newer, mark) == (f"MAILTO=me\n{newer}\n# mine\n{other}\n")


def test_a_last_line_without_newline_gets_one() -> None:
    assert add_crontab_line("a", "b  # x", "# x") == "a\nb  # x\n"


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])))
def test_systemd_reads_the_same_words(odd: str) -> None:
    command = build_regen_command(f"/h/{odd}/python", f"/h/{odd}")
    start = re.search(r"^ExecStart=(.*)$", format_systemd_service(command), re.MULTILINE)
    assert start
    words = split_as_systemd(start[1])
    if words[0] == "/bin/sh":
        assert words[1:3] == ["-c", 'exec "$0" "$@"']
        del words[:3]
    assert words == command


def split_as_systemd(line: str) -> list[str]:
    """Split as POSIX does, which is the same for what we write, then take `%%` and `$$` as one."""
    words = shlex.split(re.sub(r"([%$])\1", r"<\1>", line).replace("<$>", "\0"))
    assert not re.search(r"%(?!>)", " ".join(words))
    return [word.replace("<%>", "%").replace("\0", "$") for word in words]


def test_a_program_path_that_systemd_refuses_is_run_by_a_shell(tmp_path: Path) -> None:
    service = format_systemd_service(build_regen_command("/it's/python", "/h/50%"))
    assert service.splitlines()[-1] == (
        'ExecStart=/bin/sh -c "exec \\"$$0\\" \\"$$@\\"" "/it\'s/python" -I -m cortexfs '
        '--root "/h/50%%" --quiet index regen --all'
    )
    python = tmp_path / "it's"
    python.symlink_to("/bin/echo")
    words = ["/bin/sh", "-c", 'exec "$0" "$@"', str(python), "a  b"]
    assert subprocess.run(words, check=True, capture_output=True).stdout == b"a  b\n"


def test_systemd_units_have_the_expected_form() -> None:
    assert format_systemd_service(["/p/python", "-m", "cortexfs"]) == (
        "[Unit]\nDescription=Render the indexes of a cortexfs tree\n\n"
        "[Service]\nType=oneshot\nNice=10\nExecStart=/p/python -m cortexfs\n"
    )
    assert format_systemd_timer(90) == (
        "[Unit]\nDescription=Render the indexes of a cortexfs tree every 90m\n\n"
        "[Timer]\nOnActiveSec=1min\nOnUnitActiveSec=90min\n\n"
        "[Install]\nWantedBy=timers.target\n"
    )


@pytest.mark.parametrize("odd", [*ODD_WORDS, "a\\b", "<&>]]>"])
def test_launchd_reads_the_same_words(odd: str) -> None:
    command = build_regen_command("/p/python", f"/h/{odd}")
    text = format_launchd_plist(90, command, f"dev.cortexfs.{format_unit_name('/h')}")
    assert text.startswith("<?xml")
    agent = plistlib.loads(text.encode())
    assert agent["ProgramArguments"] == command
    assert agent["StartInterval"] == 5400
    assert agent["Label"] == "dev.cortexfs." + format_unit_name("/h")


def test_two_trees_have_different_unit_names() -> None:
    assert format_unit_name("/h/a") == format_unit_name("/h/a") != format_unit_name("/h/b")
    assert re.fullmatch(r"cortexfs-regen-[0-9a-f]{8}", format_unit_name("/h/ü"))
