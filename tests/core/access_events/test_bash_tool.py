"""Shell commands that are really run, and what must be seen in what they print."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from soak_cases import leave_to_soak

if TYPE_CHECKING:
    from recorded_home import RecordedHome

EXPERIMENTS = "~/.cortex/context/projects/flywheel/experiments"
KNOWLEDGE = "~/.cortex/context/projects/flywheel/knowledge"
NONE = ""
MATCH = "EXP-001 EXP-002 EXP-012a"
"""The experiments that speak of a bottleneck."""

EXPECTED_READS = {
    # text that is printed
    "cat E/EXP-001.md": "EXP-001",
    "/bin/cat E/EXP-001.md": "EXP-001",
    "LC_ALL=C command cat E/EXP-001.md": "EXP-001",
    "cat -n E/EXP-00[12].md": "EXP-001 EXP-002",
    "cat E/EXP-00{3,4}.md": "EXP-003 EXP-004",
    "cat E/EXP-00{1..3}.md": "EXP-001 EXP-002 EXP-003",
    "cat E/EXP-00[^2-9].md": "EXP-001",
    "cat < E/EXP-003.md": "EXP-003",
    "head -n 2 E/EXP-003.md K/K-001.md 2>/dev/null": "EXP-003 K-001",
    "tail -n +3 E/EXP-003.md | head -2 | cut -c 1-9": "EXP-003",
    "sed -n '1,3p' E/EXP-003.md": "EXP-003",
    "sed -e 1d -e 2d E/EXP-003.md": "EXP-003",
    "awk -F: 'NR==2 {print $2}' E/EXP-003.md": "EXP-003",
    "sort -r E/EXP-003.md|uniq -c": "EXP-003",
    "cat E/EXP-003.md | grep -v Quiet": "EXP-003",
    'D=E; cat $D/EXP-003.md "${D}/EXP-004.md"': "EXP-003 EXP-004",
    "export D=E && cat $D/EXP-003.md": "EXP-003",
    "cd E/.. && cat experiments/EXP-003.md ../flywheel/knowledge/K-001.md": "EXP-003 K-001",
    "cd E >/dev/null 2>&1 && cat EXP-003.md": "EXP-003",
    "cat \\\n  E/EXP-003.md # and not E/EXP-004.md": "EXP-003",
    "cat E/EXP-003.md\n\ncat E/EXP-004.md": "EXP-003 EXP-004",
    "test -f E/EXP-003.md && cat E/EXP-003.md": "EXP-003",
    "cat E/EXP-003.md || cat E/EXP-004.md": "EXP-003",
    "cat E/EXP-999.md || cat E/EXP-004.md": "EXP-004",
    "cat E/EXP-999.md && cat E/EXP-004.md; true": NONE,
    "cat E/EXP-999.md E/index.md": NONE,
    "cat E/EXP-003.md | tee copy.md": "EXP-003",
    "echo E/EXP-003.md; cat E/EXP-004.md": "EXP-004",
    # of several files, those of which a line is printed
    "cat E/EXP-003.md E/EXP-004.md | head -5": "EXP-003",
    "cat E/EXP-003.md E/EXP-004.md | head -1": "EXP-003",
    "cat E/EXP-003.md E/EXP-004.md | tail -2": "EXP-004",
    "cat E/EXP-003.md E/EXP-004.md K/K-001.md | head -1000": "EXP-003 EXP-004 K-001",
    "cat -n E/EXP-003.md E/EXP-004.md | head -4": "EXP-003",
    "cat E/EXP-00[34].md | grep Quiet": "EXP-004",
    "cat E/EXP-00[34].md | grep -n Quiet": "EXP-004",
    "cat E/EXP-00[34].md | sed -n 2p": "EXP-003",
    "cat E/index.md E/EXP-003.md | head -3": NONE,
    "cat /etc/passwd E/EXP-003.md | head -1": NONE,
    "cat E/EXP-003.md E/EXP-004.md | tr a-z A-Z": "EXP-003 EXP-004",
    "head -n 2 E/EXP-003.md E/EXP-004.md": "EXP-003 EXP-004",
    # text that is not
    "cat E/EXP-003.md > copy.md": NONE,
    "cat E/EXP-003.md >/dev/null 2>&1": NONE,
    "cat E/EXP-003.md &> copy.md": NONE,
    "cat E/EXP-003.md | sed s/a/b/ > copy.md": NONE,
    "cat E/EXP-003.md | wc -l": NONE,
    "cat E/EXP-003.md | grep -c Quiet": NONE,
    "wc -l E/*.md; stat E/EXP-003.md; test -f E/EXP-003.md": NONE,
    "ls -l E; ls E/*.md; find E -name '*.md'": NONE,
    "cp E/EXP-003.md copy.md; mv copy.md moved.md; rm moved.md": NONE,
    "sed -i.bak s/Quiet/Calm/ E/EXP-004.md": NONE,
    "sort -o copy.md E/EXP-003.md": NONE,
    "cat '~/.cortex/context/projects/flywheel/experiments/EXP-003.md'": NONE,
    "cat 'E/EXP-*.md' E/EXP-\\*.md": NONE,
    "cat $NOWHERE/E/EXP-003.md": NONE,
    # what must be run to be known
    "for f in E/*.md; do cat $f; done": NONE,
    "cat $(ls E/*.md)": NONE,
    "cat `ls E/*.md`": NONE,
    "find E -name '*.md' | xargs cat": NONE,
    "f() { cat E/EXP-003.md; }; f": NONE,
    "if true; then cat E/EXP-003.md; fi": NONE,
    "cat <<END\n$(cat E/EXP-003.md)\nEND": NONE,
    "eval cat E/EXP-003.md": NONE,
    "python3 -c 'print(open(\"E/EXP-003.md\"))'": NONE,
    # matches
    "grep -rn bottleneck E": MATCH,
    "grep -r bottleneck E/": MATCH,
    "grep -rnH -C1 bottleneck E": MATCH,
    "grep -rc bottleneck E": MATCH,
    "grep -rl bottleneck E | sort | head -20": MATCH,
    "grep -n bottleneck E/*.md | grep -v index.md | tail -50": MATCH,
    "grep --recursive --files-with-matches -e bottleneck -- E": MATCH,
    "grep -rn --color=always bottleneck E": MATCH,
    "grep -rno 'bottlenec[k]' E": MATCH,
    "egrep -rl 'bottleneck|queue' E K": f"{MATCH} K-002",
    "cd E && grep -n bottleneck *": MATCH,
    "cd E && grep -rn bottleneck .": MATCH,
    "cd E && grep -rl bottleneck": MATCH,
    "cd E/.. && grep -rl bottleneck experiments ../flywheel/knowledge": f"{MATCH} K-002",
    "grep -rl Touch ~/.cortex": "tactile-reasoning/EXP-001",
    "grep -rl Touch ~/.cortex/context/*": "tactile-reasoning/EXP-001",
    "grep -n bottleneck E/EXP-002.md": "EXP-002",
    "grep -c bottleneck E/EXP-002.md": "EXP-002",
    "grep -l bottleneck E/EXP-002.md": "EXP-002",
    "grep -h bottleneck E/EXP-002.md": "EXP-002",
    "grep -n bottleneck E/EXP-002.md | cut -d: -f2": "EXP-002",
    "grep bottleneck < E/EXP-002.md": "EXP-002",
    "grep -n bottleneck E/EXP-002.md || echo none": "EXP-002",
    "grep -q bottleneck E/EXP-002.md && cat E/EXP-003.md": "EXP-003",
    "grep -rn bottleneck E || grep -rn Touch ~/.cortex/context": MATCH,
    "grep -rln Touch E || grep -rl Touch ~/.cortex": "_directory_search tactile-reasoning/EXP-001",
    # matches in files that another command has found
    "find E -name '*.md' | xargs grep -l bottleneck": MATCH,
    "find E -name '*.md' -print0 | xargs -0 grep -l bottleneck": MATCH,
    "find E -name '*.md' | xargs -n 1 grep -H bottleneck": MATCH,
    "find E K -type f | xargs -I{} grep -l 'bottleneck' {} | sort": f"{MATCH} K-002",
    "find E -name '*.md' -exec grep -l bottleneck {} +": MATCH,
    "find E -name '*.md' -exec grep -l bottleneck {} \\;": MATCH,
    "cd E && find . -name '*.md' -exec grep -Hn bottleneck {} \\; | head -50": MATCH,
    "ls E/*.md | xargs grep -l bottleneck": MATCH,
    "grep -rl bottleneck E | xargs grep -l 'no such word at all'": NONE,
    "find E -name '*.md' -print -exec grep -l bottleneck {} +": NONE,
    "find . -name '*.md' | xargs grep -l bottleneck": NONE,
    "find E -name 'EXP-002.md' | xargs grep bottleneck": NONE,
    "find E -name '*.md' | xargs grep -L bottleneck": NONE,
    "find E -name '*.md' | xargs wc -l": NONE,
    "find E -name '*.md' | xargs grep -l bottleneck | wc -l": NONE,
    "find E -name '*.md' | xargs grep -l bottleneck > copy.txt": NONE,
    # matches beside other things
    "grep -rn Nothing E; cat K/K-001.md": "EXP-003 K-001",
    "cat K/K-001.md; grep -rn Nothing E": "EXP-003 K-001",
    "cat K/K-001.md && echo --- && grep -rl Nothing E": "EXP-003 K-001",
    "grep -n Nothing E/EXP-003.md; echo ===; grep -n Touch E/EXP-004.md; true": "EXP-003",
    "echo == one; grep -n Quiet E/EXP-004.md; echo == two; cat K/K-001.md": "EXP-004 K-001",
    "ls E/*.md; grep -rl zzz E": NONE,
    "ls -d E/*.md; grep -rn Nothing E": "EXP-003",
    # no match, and none that can be told
    "grep -rn zzz E": "_directory_search",
    "grep -rn zzz E K | head": "_directory_search",
    "grep -rn zzz --include=*.md E 2>&1 | head": "_directory_search",
    "grep -rn zzz E || echo none": "_directory_search",
    "grep -rh zzz E": "_directory_search",
    "cd E; grep -rl zzz; true": "_directory_search",
    "grep -rn 'no entry' E": "_directory_search",
    "grep -rn zzz E ~/.cortex/context": NONE,
    "grep -rn zzz E > copy.txt": NONE,
    "grep -rn zzz E | wc -l": NONE,
    "grep -rq bottleneck E": NONE,
    "grep -rL bottleneck E": NONE,
    "grep -rh bottleneck E": NONE,
    "grep -n zzz E/EXP-002.md; true": NONE,
    "grep -c zzz E/EXP-002.md; true": NONE,
    "grep -n zzz E/EXP-002.md || echo none": NONE,
    "grep -rl bottleneck E | wc -l": NONE,
    "grep -rn bottleneck E | sed 's/^/  /'": NONE,
    "git -C ~/.cortex/context grep -n bottleneck": NONE,
    "grep -rn greet .": NONE,
}


@pytest.mark.parametrize("command", leave_to_soak(EXPECTED_READS, every=3))
def test_a_command_reads_the_atoms_whose_text_it_prints(
    recorded: RecordedHome, command: str
) -> None:
    folders = {"E": EXPERIMENTS, "K": KNOWLEDGE}
    full_command = re.sub(r"\b[EK]\b(?!-)", lambda letter: folders[letter[0]], command)
    assert recorded.run(full_command) == EXPECTED_READS[command]


@pytest.mark.parametrize("command", ["ls -l", "find", "stat", "wc -l", "echo", "cp -v", "mv -v"])
@pytest.mark.parametrize("prefix", ["", "cd ~/.cortex/context; "])
def test_listing_naming_or_copying_a_file_is_not_a_read(
    recorded: RecordedHome, command: str, prefix: str
) -> None:
    path = f"{recorded.context}/projects/flywheel/experiments/EXP-003.md"
    assert recorded.shell(f"{prefix}{command} {path} elsewhere", f"{path}: said of it\n") == NONE


@pytest.mark.parametrize(
    "git_command", ["log -p --", "diff", "blame", "show", "grep -n bottleneck --"]
)
def test_output_of_git_is_not_a_read(recorded: RecordedHome, git_command: str) -> None:
    path = f"{recorded.context}/projects/flywheel/experiments/EXP-003.md"
    assert (
        recorded.shell(f"git -C {recorded.context} {git_command} {path}", "+ its very text\n")
        == NONE
    )


TREE = ".cortex/context"
MATCH_PREFIX = "/x/projects/flywheel/experiments/EXP-004.md:3:"


def test_the_event_may_name_the_working_directory_before_or_after_the_command(
    recorded: RecordedHome,
) -> None:
    command = "cd projects/flywheel && cat experiments/EXP-003.md"
    assert recorded.shell(command, "x", TREE) == "EXP-003"
    assert recorded.shell(command, "x", f"{TREE}/projects/flywheel") == "EXP-003"
    assert recorded.shell(f"cd {recorded.home}/app && cat {TREE}", "x", TREE) == ""


def test_a_command_in_the_background_reads_nothing_yet(recorded: RecordedHome) -> None:
    command = f"cat {EXPERIMENTS}/EXP-003.md; grep -rn zzz {EXPERIMENTS}"
    assert recorded.shell(command, "", backgroundTaskId="b1") == ""


def test_an_interrupted_command_reads_what_it_printed(recorded: RecordedHome) -> None:
    command = f"grep -rn Quiet {EXPERIMENTS}; sleep 99"
    printed = f"{recorded.context}/projects/flywheel/experiments/EXP-004.md:9:Quiet"
    assert recorded.shell(command, printed, interrupted=True) == "EXP-004"
    assert recorded.shell(command, "", interrupted=True) == ""


def test_a_command_without_output_in_the_event_reads_the_files_it_must_have_printed(
    recorded: RecordedHome,
) -> None:
    command = f"cat {EXPERIMENTS}/EXP-003.md; grep -rn Quiet {EXPERIMENTS}"
    assert recorded.tool("Bash", {"command": command}, None) == "EXP-003"


def test_a_command_that_printed_nothing_read_nothing(recorded: RecordedHome) -> None:
    assert recorded.shell(f"cat {EXPERIMENTS}/EXP-003.md || true", "") == ""


@pytest.mark.parametrize(
    ("command", "expected"),
    {
        "rg -n x ~/.cortex": "EXP-003",
        "rg x": "EXP-003",
        "rg -g '*.md' --type md -C 2 x projects": "EXP-003",
        "sudo rg -N x . | head": "EXP-003",
        "ag --depth 3 x .": "EXP-003",
        "ugrep -r x projects": "EXP-003",
        "rg --files": "",
        "rg --heading x": "",
        "rg -I x": "",
        "rg --json x": "",
        "rg x ../../app": "",
        "rg -n x projects/flywheel/knowledge": "_directory_search",
        "bat -pp --style plain projects/flywheel/experiments/EXP-003.md": "EXP-003",
        "timeout 5 cat projects/flywheel/experiments/EXP-003.md": "EXP-003",
        "command -p cat projects/flywheel/experiments/EXP-003.md": "EXP-003",
        "time cat projects/flywheel/experiments/EXP-003.md": "EXP-003",
        "unheard-of projects/flywheel/experiments/EXP-003.md": "",
        "! cat projects/flywheel/experiments/EXP-003.md": "",
        "cat 'projects/flywheel/experiments/EXP-003.md": "",
        "cat projects/flywheel/experiments/EXP-003.md >": "",
        "&& cat projects/flywheel/experiments/EXP-003.md": "",
        "": "",
    }.items(),
)
def test_programs_that_may_not_be_installed_are_understood(
    recorded: RecordedHome, command: str, expected: str
) -> None:
    printed = "projects/flywheel/experiments/EXP-003.md:9:" + MATCH_PREFIX
    assert recorded.shell(command, printed, TREE) == expected


def test_output_of_an_echo_is_not_taken_for_a_match(recorded: RecordedHome) -> None:
    path = f"{EXPERIMENTS}/EXP-003.md"
    assert recorded.shell(f"grep -n zzz {path} || echo nothing there", "nothing there") == ""
    assert recorded.shell(f"grep -n zzz {path} || echo {path}", f"{recorded.home}/x") == "EXP-003"


def test_a_command_with_too_many_words_reads_nothing(recorded: RecordedHome) -> None:
    assert recorded.shell(f"cat {EXPERIMENTS}/EXP-003.md {'{a,b}' * 99}", "x") == ""
