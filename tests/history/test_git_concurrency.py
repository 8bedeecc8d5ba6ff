from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from git_repository import Repository

WRITERS, ROUNDS = 8, 4

WRITER = """
import fcntl, sys
from cortexfs.history.find_repository import find_repository

root, lock, name, rounds = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
for number in range(rounds):
    with open(lock, "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with open(f"{root}/{name}.md", "a") as file:
            file.write(f"{name} {number}\\n")
        done = find_repository(root).commit(f"{name} {number}", [f"{name}.md"])
    print(getattr(done, "id", ""))
"""

ASK = """
import sys
from cortexfs.history.find_repository import find_repository
find_repository(sys.argv[1]).commit("two", sys.argv[2:])
"""

PERSON = """
for number in 1 2 3 4 5 6; do
  echo "line $number" >> mine.md
  until git add mine.md && git commit -qm "mine $number"; do sleep 0.05; done
done
"""


def test_concurrent_writers_and_a_user_lose_nothing_and_keep_a_linear_history(
    repository: Repository, tmp_path: Path
) -> None:
    for name in range(WRITERS):
        repository.write(f"w{name}.md", "")
    words = [sys.executable, "-c", WRITER, str(repository.top), str(tmp_path / "lock")]
    writers = [
        subprocess.Popen([*words, f"w{name}", str(ROUNDS)], stdout=subprocess.PIPE, text=True)
        for name in range(WRITERS)
    ]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    person = subprocess.Popen(["sh", "-c", PERSON], cwd=repository.top, **quiet)
    ids = [line for writer in writers for line in writer.communicate()[0].split()]
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert person.wait() == 0

    everything = repository.git("rev-list", "HEAD").split()
    assert set(ids) <= set(everything)
    for name in range(WRITERS):
        lines = "".join(f"w{name} {number}\n" for number in range(ROUNDS))
        assert repository.head(f"w{name}.md") == lines
    assert repository.head("mine.md") == "one\n" + "".join(f"line {n}\n" for n in range(1, 7))
    assert repository.subjects().count("mine 6") == 1
    assert repository.sound()
    repository.history.commit("mend", ["w0.md"])
    assert repository.status() == ""
    assert not [name for name in os.listdir(repository.top / ".git") if name.endswith(".lock")]


def test_a_commit_is_rebuilt_on_a_branch_that_moved(repository: Repository, tmp_path: Path) -> None:
    real = subprocess.run(["which", "git"], capture_output=True, text=True, check=True)
    git = real.stdout.strip()
    rival = tmp_path / "bin/git"
    rival.parent.mkdir()
    rival.write_text(
        f"""#!/bin/sh
case " $* " in *" update-ref "*)
  [ -e {tmp_path}/once ] || {{ touch {tmp_path}/once; {git} commit -q --allow-empty -m rival; }};;
esac
exec {git} "$@"
"""
    )
    rival.chmod(0o755)
    repository.write(repository.atom, "two\n")
    repository.write("mine.md", "edited\n")
    words = [sys.executable, "-c", ASK, str(repository.top), repository.atom, "new.md"]
    repository.write("new.md", "new\n")
    path = f"{rival.parent}:{os.environ['PATH']}"
    subprocess.run(words, env=os.environ | {"PATH": path}, check=True)
    assert repository.head(repository.atom) == "two\n"
    assert repository.head("new.md") == "new\n"
    assert "rival" in repository.subjects()
    assert repository.status() == " M mine.md"
    assert repository.sound()


def test_a_replaced_index_with_the_same_inode_is_noticed(
    repository: Repository, tmp_path: Path
) -> None:
    """A file system reuses inode numbers: a new index may have the number of the old one."""
    git = subprocess.run(
        ["which", "git"], capture_output=True, text=True, check=True
    ).stdout.strip()
    index, kept = repository.top / ".git/index", repository.top / ".git/kept"
    os.link(index, kept)
    number = index.stat().st_ino
    rival = tmp_path / "bin/git"
    rival.parent.mkdir()
    rival.write_text(
        f"""#!/bin/sh
case " $* " in *" update-index "*)
  {git} "$@" || exit
  [ -e {kept} ] || exit 0
  cd {repository.top} && unset GIT_INDEX_FILE && {git} add theirs.md
  cat {index} > {kept} && exec mv {kept} {index};;
esac
exec {git} "$@"
"""
    )
    rival.chmod(0o755)
    repository.write("theirs.md", "theirs\n")
    repository.write(repository.atom, "two\n")
    words = [sys.executable, "-c", ASK, str(repository.top), repository.atom]
    path = f"{rival.parent}:{os.environ['PATH']}"
    subprocess.run(words, env=os.environ | {"PATH": path}, check=True)
    assert not kept.exists()
    assert number not in {0, index.stat().st_ino}, "ours is in place"
    assert repository.status() == "A  theirs.md"
    assert repository.head(repository.atom) == "two\n"
