"""Removal restores each settings file, also when a client has several."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from place import Place


def test_two_settings_files_are_set_up_and_removed_separately(
    tree: Place, tmp_path: Path, world: Path
) -> None:
    texts = {"one": '{"model": "opus"}', "two": '{\r\n\t"permissions": {"allow": []}\r\n}'}
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "settings.json").write_bytes(text.encode())
        tree.ok("setup", "claude-code", "--yes", CLAUDE_CONFIG_DIR=str(tmp_path / name))
    scripts = [world / ".cortex/hooks" / name for name in ("note_event.py", "guard.py")]
    for name, text in texts.items():
        assert all(script.exists() for script in scripts)
        tree.ok("setup", "claude-code", "--remove", "--yes", CLAUDE_CONFIG_DIR=str(tmp_path / name))
        assert (tmp_path / name / "settings.json").read_bytes() == text.encode()
    assert not any(script.exists() for script in scripts)
