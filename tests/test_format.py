"""Tables of docs/format.md that no one room keeps: what `.cortexfs/` holds, what commits say."""

from __future__ import annotations

import re
import subprocess
from typing import TYPE_CHECKING

import pytest
from pages import page, rows, section, words
from shell_line import run_line

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = r"""
$ cortexfs init .
init: cortexfs tree => init: cortexfs tree
$ cortexfs project new dial --goal 'Tell the time'
new project NAME: goal => new project dial: Tell the time
$ cortexfs new experiment -s One -t a
new KIND REF: summary => new experiment dial/EXP-001: One
$ cortexfs new experiment -s Two -t a
new KIND REF: summary => new experiment dial/EXP-002: Two
$ cortexfs new knowledge -s So -t a --evidence EXP-001
new KIND REF: summary => new knowledge dial/K-001: So
$ mkdir ../notes; echo Words > ../notes/a.md; cortexfs import ../notes
import SOURCE: count => import notes: 1 note
$ echo more >> $EXP/EXP-001.md; cortexfs commit
edit … => edit dial/EXP-001
$ rm $EXP/EXP-002.md; cortexfs commit
remove … => remove dial/EXP-002
$ cortexfs undo
undo: … => undo: remove dial/EXP-002
$ cortexfs redo
redo: … => redo: remove dial/EXP-002
$ cortexfs undo
undo: … => undo: remove dial/EXP-002
$ sed -i s/One/Uno/ $EXP/EXP-001.md; git commit -qam hand; cortexfs index regen --all
chore: regenerate indexes => chore: regenerate indexes
$ cortexfs show EXP-001; cortexfs hook drain
chore: update access log => chore: update access log
$ CORTEXFS_NOW=2999-01-01T00:00:00 cortexfs access rotate
chore: rotate access log => chore: rotate access log
$ sed -i 's/^tags:/status: VALID\ntags:/' $EXP/EXP-002.md; git commit -qam hand; cortexfs check --fix
check: fix what is safe => check: fix what is safe
$ cortexfs status set --phase Two --next On
status PROJECT: phase, next => status dial: phase, next
$ echo mine >> projects/dial/STATUS.md; echo '# dial' | cortexfs status edit --body-file -
keep PATH as it was => keep projects/dial/STATUS.md as it was
status PROJECT: edited => status dial: edited
$ cortexfs issue add Slow --problem 3
issue PROJECT: title => issue dial: Slow
$ cortexfs issue resolve Slow
issue PROJECT resolved: title => issue dial resolved: Slow
$ echo '# Goal' | cortexfs mission edit --approved --body-file -
mission PROJECT: edited, approved => mission dial: edited, approved
$ cortexfs roadmap add --phase 9 --milestone Turn --item Spin
roadmap PROJECT: milestone => roadmap dial: Turn
$ cortexfs roadmap tick Spin
roadmap PROJECT done: item => roadmap dial done: Spin
$ echo x | cortexfs scan new --body-file -
scan YYYY-MM-DD => scan 2026-05-06
$ cortexfs user learn Pace slow
user: key => user: Pace
$ cortexfs task add Spin
task VERB ID: text => task add ID: Spin
$ cortexfs task claim $(grep -o ' id: ....' $TASKS | cut -c6-)
task VERB ID: text => task claim ID: Spin
$ cortexfs task split $(grep -o ' id: ....' $TASKS | cut -c6-) Left Right
task split ID: IDS => task split ID: ID, ID
$ cortexfs task lock
task lock PROJECT: owner => task lock dial: ada
$ cortexfs task unlock
task unlock PROJECT: owner => task unlock dial: ada
$ sed -i 's/^\( *\)status: open/\1status: done\n\1completed-at: 2026-01-01/' $TASKS; git commit -qam hand; cortexfs task archive
task archive PROJECT: count => task archive dial: 3
$ cortexfs mark EXP-001 challenged --by EXP-002 --reason Doubt
mark REF STATUS: reason => mark dial/EXP-001 challenged:EXP-002: Doubt
$ echo more >> $EXP/EXP-001.md; cortexfs mark EXP-001 invalidated --by EXP-002
keep PATH as it was => keep projects/dial/experiments/EXP-001.md as it was
mark REF STATUS: reason => mark dial/EXP-001 invalidated:EXP-002
$ cortexfs restore EXP-001
restore REF => restore dial/EXP-001
$ cortexfs restore EXP-001 --at HEAD~1
restore REF as of COMMIT => restore dial/EXP-001 as of COMMIT
$ sed -i 's/^status: .*//' projects/dial/knowledge/K-001.md; git commit -qam hand; cortexfs maintain --apply
maintain: mark … => maintain: mark 1 challenged
$ mkdir -p $OBS; for n in 1 2; do printf -- '---\nid: OBS-00%s\ndate: 2026-05-01\nproject: dial\nsummary: Note\ntags: [a]\ntype: fact\n---\n\nThe dial turns.\n' $n > $OBS/OBS-00$n.md; done; git add -A; git commit -qm hand; cortexfs maintain --apply
maintain: merge … => maintain: merge 1 memory
$ mkdir -p $OBS; for n in 3 4; do printf -- '---\nid: OBS-00%s\ndate: 2026-05-01\nproject: dial\nsummary: Note\ntags: [a]\ntype: fact\n---\n\nThe dial needs %s drops of oil a day.\n' $n $n > $OBS/OBS-00$n.md; done; git add -A; git commit -qm hand; cortexfs maintain --accept $(cortexfs maintain --proposals --json | grep -o '"id": "[0-9a-f]*' | cut -c8- | head -1)
merge REF into REF: kind => merge dial/OBS-003 into dial/OBS-004: newer replaces older
$ mkdir -p $OBS; for n in 5; do printf -- '---\nid: OBS-00%s\ndate: 2026-05-01\nproject: dial\nsummary: Note\ntags: [a]\ntype: fact\n---\n\nThe dial needs %s drops of oil a day.\n' $n $n > $OBS/OBS-00$n.md; done; git add -A; git commit -qm hand; cortexfs maintain --reject $(cortexfs maintain --proposals --json | grep -o '"id": "[0-9a-f]*' | cut -c8- | head -1)
reject the merge of REF and REF => reject the merge of dial/OBS-005 and dial/OBS-004
$ mkdir -p .cortexfs/events; for d in 1 2 3 4 5; do echo '{"ts":"2026-05-0'$d'T09:00:00.000Z","event":"file-edited","session":"s'$d'","project":"dial","text":"a.py"}'; done > .cortexfs/events/2026-05-05.jsonl; cortexfs patterns --apply
patterns: … => patterns: 1 new
$ cortexfs patterns --reject f982bced
patterns: reject ID => patterns: reject f982bced
$ cortexfs decision new -p dial -s Pick -t a --alternative left --alternative right --decision left
new KIND REF: summary => new decision dial/DR-0001: Pick
$ cortexfs decision reject dial/DR-0001 --reason Later
decision REF rejected: reason => decision dial/DR-0001 rejected: Later
$ cortexfs decision accept dial/DR-0001 --reason Now
decision REF accepted: reason => decision dial/DR-0001 accepted: Now
$ cortexfs decision new -p dial -s Anew -t a --alternative left --alternative right --decision right
new KIND REF: summary => new decision dial/DR-0002: Anew
$ cortexfs decision supersede dial/DR-0001 --by dial/DR-0002 --reason Worn
decision REF superseded by REF: reason => decision dial/DR-0001 superseded by dial/DR-0002: Worn
$ cortexfs new idea -s Echo -t a
new KIND REF: summary => new idea IDEA-001: Echo
$ cortexfs idea promote IDEA-001 echo
promote REF to project NAME: goal => promote IDEA-001 to project echo: Echo
$ cortexfs project archive echo --reason Rests
archive PROJECT: reason => archive echo: Rests
$ cortexfs new experiment -p dial -s Late -t a; cortexfs edit Late -s Later
new KIND REF: summary => new experiment dial/EXP-003: Late
edit REF: FIELDS => edit dial/EXP-003: summary
$ cortexfs tag rename a b
rename tag TAG to TAG => rename tag a to b
$ cortexfs rename dial/EXP-003 EXP-009
rename REF to REF => rename dial/EXP-003 to dial/EXP-009
$ cp $EXP/EXP-009.md $EXP/EXP-010.md; git add -A; git commit -qm hand; cortexfs renumber $EXP/EXP-010.md EXP-011
renumber REF to REF => renumber dial/EXP-009 to dial/EXP-011
$ cortexfs project new echo2 --goal Far; cortexfs move dial/EXP-011 echo2
new project NAME: goal => new project echo2: Far
move REF to REF => move dial/EXP-011 to echo2/EXP-011
$ cortexfs rename echo2 delta
rename project NAME to NAME => rename project echo2 to delta
$ cortexfs rm delta/EXP-011
rm REF => rm delta/EXP-011
$ printf 'Ada: Here\n' | cortexfs story import - --name road -p dial
story PROJECT/NAME: count => story dial/road: 1 new message
$ sed -i /BULLETIN/d .gitignore; git commit -qam hand; cortexfs hook drain
chore: ignore BULLETIN.md => chore: ignore BULLETIN.md
"""  # noqa: E501 - a shell line is one line
"""A tree's life, and what the commits of each step say: in the words of the table, and in fact."""

RANDOM_ID = re.compile(r"\b(?:(?!\d+\b)[0-9a-f]{4}|[0-9a-f]{10})\b")  # four digits: a year
CHOSEN = {4: "ID", 10: "COMMIT"}
PLACES = {
    "EXP": "projects/dial/experiments",
    "OBS": "projects/dial/observations",
    "TASKS": "projects/dial/TASKS.yaml",
}
STEPS = [step.splitlines() for step in SCRIPT.strip().removeprefix("$ ").split("\n$ ")]
EXPECTED_SUBJECTS = [tuple(row.split(" => ")) for _, *told in STEPS for row in told]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which a tree can be begun."""
    for name, said in {**PLACES, "CORTEXFS_OWNER": "ada"}.items():
        monkeypatch.setenv(name, said)
    monkeypatch.setenv("CORTEXFS_NOW", "2026-05-06T20:31:10")
    (tmp_path / "tree").mkdir()
    return tmp_path / "tree"


def subjects(root: Path) -> list[str]:
    """Give what all commits but those by hand say, the oldest first, without ids of chance."""
    words = ["git", "log", "--reverse", "--format=%s"]
    told = subprocess.check_output(words, cwd=root, text=True).splitlines()
    return [
        RANDOM_ID.sub(lambda found: CHOSEN[len(found[0])], said) for said in told if said != "hand"
    ]


def test_every_commit_message_is_the_one_of_the_table(root: Path) -> None:
    count = 0
    for line, *told in STEPS:
        output = run_line(line, root).stdout
        said = subjects(root)[count:]
        assert said == [row.partition(" => ")[2] for row in told], (line, output)
        count += len(said)


def test_no_message_is_missing_from_the_table_of_commits() -> None:
    table = rows(section(page("docs/format.md"), "## Git"))
    assert {word for cells in table for word in words(cells[0])} == {
        said for said, _ in EXPECTED_SUBJECTS
    }


FILES_OF_EXTRAS = {
    *("vectors-vN.sqlite", "vectors-vN.sqlite.seal", "vectors-vN.rows", "vectors-vN.rows.seal"),
    *("embedding", "words-large-v3"),
}
"""What only an extra that is installed, or a large tree, has."""


FILES_OF_SERVERS = {"mcp-token", "server-token", "server.json"}
"""What only a tree has that was served over HTTP."""


FILES_OF_THE_DAEMON = {
    *("daemon.lock", "daemon.json", "daemon.sock", "daemon.log", "metrics.prom"),
    *("changes.lock", "changes.sock", "watch"),
}
"""What only a tree has whose daemon has run."""


def test_every_file_of_the_private_folder_is_in_its_table(root: Path) -> None:
    for line, *_ in STEPS[:2]:
        run_line(line, root)
    (root / "projects/dial/experiments/index.md").write_text("# Mine\n")
    run_line("cortexfs event prompt --session one; cortexfs hook drain", root)
    run_line("git rev-parse HEAD > .git/MERGE_HEAD", root)  # and so what is written waits
    run_line("cortexfs new experiment -s One -t a && cortexfs show EXP-001", root)
    run_line("cortexfs chat stats", root)
    table = rows(section(page("docs/format.md"), "### What `.cortexfs/` holds"))
    said = {word.partition("/")[0] for cells in table for word in words(cells[0])}
    there = {path.name for path in (root / ".cortexfs").iterdir()}
    beside = {name for name in there if name.endswith(("-shm", "-wal"))}  # SQLite's own
    named = {re.sub(r"-v\d+", "-vN", name) for name in there - beside}
    needed = {"crash", *FILES_OF_SERVERS}  # a report needs a bug, and a token a server
    assert named == said - needed - FILES_OF_EXTRAS - FILES_OF_THE_DAEMON
