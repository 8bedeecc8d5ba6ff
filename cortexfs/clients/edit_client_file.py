"""Install into any file of a client, and remove from it: one entry for all formats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from cortexfs.clients import edit_json_settings, marked_block, toml_tables
from cortexfs.clients.client_files import (
    ExtraPermission,
    JsonFile,
    MarkedFile,
    OwnFile,
    TomlFile,
)
from cortexfs.clients.hook_command import is_own_server
from cortexfs.clients.settings_record import SettingsRecord, parse_record
from cortexfs.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Collection

    from cortexfs.clients.client_entries import ClientEntries
    from cortexfs.clients.client_files import ClientFile


class FileEdit(NamedTuple):
    """The new text of a file and the record to keep; None: no file, no record.

    `missing` are the permissions that agents would not have.
    """

    text: str | None
    record: SettingsRecord | None
    missing: tuple[ExtraPermission, ...] = ()


def install_into_file(
    file: ClientFile, text: str | None, prior: SettingsRecord | None, chosen: Collection[str]
) -> FileEdit:
    """Add our entries to a file; `chosen` names permissions and options.

    What was chosen earlier and is still there stays.
    """
    match file:
        case JsonFile():
            return _install_into_json(file, text, prior, chosen)
        case TomlFile():
            return _record_edit(
                _set_server(text or "", file), text, prior, _remove_toml(file, text)
            )
        case OwnFile() | MarkedFile() if file.needs not in chosen and not (prior and text):
            asks = (file.needs,) if isinstance(file.needs, ExtraPermission) else ()
            return FileEdit(text, None, asks)
        case MarkedFile() if file.needs not in chosen and not marked_block.has_block(text or ""):
            return FileEdit(text, None)
        case MarkedFile():
            new = marked_block.set_block(text or "", file.text)
            return _record_edit(new, text, prior, marked_block.remove_block(text or ""))
        case OwnFile():
            if text is not None and not prior and text != file.text:
                raise Refused(f"{file.path} is not from cortexfs", hint="move it away first")
            return FileEdit(file.text, SettingsRecord(None, file.text))


def remove_from_file(
    file: ClientFile, text: str | None, record: SettingsRecord | None
) -> str | None:
    """Return the text of a file without our entries; None: there should be no file."""
    if record and text == record.written:
        return record.original
    match file:
        case JsonFile():
            return edit_json_settings.remove_from_settings(
                text, record, file.entries.values, file.form
            )
        case OwnFile():
            return None if record or text == file.text else text
        case TomlFile():
            new = _remove_toml(file, text)
        case MarkedFile():
            new = marked_block.remove_block(text or "")
    is_new = record is not None and record.original is None
    return None if text is None or (is_new and not new.strip()) else new


def load_record(text: str | None) -> SettingsRecord | None:
    """Return the record in a text; None if there is none, or it is damaged."""
    return parse_record(text) if text else None


def _install_into_json(
    file: JsonFile, text: str | None, prior: SettingsRecord | None, chosen: Collection[str]
) -> FileEdit:
    wanted, missing = file.entries, []
    for permission, extra in file.permitted.items():
        present = edit_json_settings.keep_present_entries(text, extra, file.form)
        added = extra if permission in chosen else _keep_recorded(present, prior)
        if added == extra._replace(rules=(), values=()) and present != extra:
            missing.append(permission)
        wanted = _join(wanted, added)
    done = edit_json_settings.install_into_settings(text, wanted, prior, file.form)
    return FileEdit(done.text, done.record, tuple(missing))


def _keep_recorded(present: ClientEntries, prior: SettingsRecord | None) -> ClientEntries:
    """Return of the entries that are there those that we have written."""
    return present._replace(
        rules=tuple(rule for rule in present.rules if prior and rule in prior.rules),
        values=tuple(each for each in present.values if prior and each in prior.values),
    )


def _join(entries: ClientEntries, more: ClientEntries) -> ClientEntries:
    """Return the entries of both; a value of `more` replaces one at the same path."""
    paths = {each.path for each in more.values}
    values = (*(each for each in entries.values if each.path not in paths), *more.values)
    return entries._replace(rules=(*entries.rules, *more.rules), values=values)


def _set_server(text: str, file: TomlFile) -> str:
    present = toml_tables.read_table(text, file.table)
    if present is not None and not is_own_server(present):
        raise Refused(
            f"`{'.'.join(file.table)}` has another value in these settings",
            hint="remove it by hand first",
        )
    return toml_tables.set_table(text, file.table, file.values)


def _remove_toml(file: TomlFile, text: str | None) -> str:
    present = toml_tables.read_table(text or "", file.table)
    own = present is not None and is_own_server(present)
    return toml_tables.remove_table(text or "", file.table) if own else text or ""


def _record_edit(
    new: str, text: str | None, prior: SettingsRecord | None, without: str
) -> FileEdit:
    """Return an edit with its record: the original is the text without our part."""
    original: str | None = without
    if prior and text == prior.written:
        original = prior.original
    elif text is None or (prior and prior.original is None and not without.strip()):
        original = None
    return FileEdit(new, SettingsRecord(original, new))
