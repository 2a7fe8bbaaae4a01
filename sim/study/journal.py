"""Rows as they come: one line of JSON each, safe on disk before the next, whatever happens then."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sim.core.errors import BadInput
from sim.core.files import atomic

Row = dict[str, Any]
ROWS = "rows.jsonl"


class Journal:
    """The rows that a folder has, by key, and a place for more.

    A line that a crash cut short is dropped; of two rows of one key the later holds. Raises
    `BadInput` for a file that holds something else.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / ROWS
        self.rows: dict[str, Row] = {}
        with writing(self.path):
            flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)
            self._file = os.open(self.path, flags, 0o666)
            self._claim()
            with open(self._file, "rb", closefd=False) as file:
                whole = file.read()
        end = whole.rfind(b"\n") + 1
        self._good = end
        try:
            for number, line in enumerate(whole[:end].splitlines(), start=1):
                self._take(number, line)
        except BaseException:
            self.close()
            raise

    def _take(self, number: int, line: bytes) -> None:
        """Take in a line. Raises `BadInput` for one that no journal has written."""
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not (isinstance(row, dict) and isinstance(row.get("key"), str)):
            said = 'must be a row with a "key"; choose another --out'
            raise BadInput(f"{self.path}: line {number}: {said}")
        self.rows[row.pop("key")] = row

    def _claim(self) -> None:
        """Keep others from writing to it, where the system can."""
        try:
            import fcntl
        except ImportError:
            return
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise BadInput(f"{self.path.parent}: another process is at work in it") from None
        except OSError:
            pass  # a file system that knows no locks

    def add(self, key: str, row: Row) -> None:
        """Write a row. Raises `BadInput` on a full disk; the rows before are whole."""
        line = json.dumps({"key": key, **row}, allow_nan=False).encode() + b"\n"
        try:
            with writing(f"{self.path} ({len(self.rows)} rows are kept)"):
                self._write(line)
        except KeyboardInterrupt:
            self._write(line)  # it has been made: Ctrl-C comes after it
            self._keep(key, row, line)
            raise
        except BaseException:
            with suppress(OSError):
                os.ftruncate(self._file, self._good)
            raise
        self._keep(key, row, line)

    def _keep(self, key: str, row: Row, line: bytes) -> None:
        self._good += len(line)
        self.rows[key] = row

    def _write(self, line: bytes) -> None:
        os.lseek(self._file, self._good, os.SEEK_SET)
        while line:
            line = line[os.write(self._file, line) :]
        os.ftruncate(self._file, os.lseek(self._file, 0, os.SEEK_CUR))
        os.fsync(self._file)

    def close(self) -> None:
        """Let go of the file."""
        os.close(self._file)


@contextmanager
def journal(folder: Path, definition: Row) -> Iterator[Journal]:
    """The journal of a folder, made where there is none, for work that is defined like this.

    `definition` holds plain values of JSON, and stands in the folder as `defined.json`. Raises
    `BadInput` where the folder holds other work, cannot be written, or another process works in it.
    """
    if folder.exists() and not folder.is_dir():
        raise BadInput(f"{folder}: is a file; must be a folder, there or to be")
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    kept = Journal(folder)
    definition = json.loads(json.dumps(definition))  # as it will be read again
    try:
        _agree(folder / "defined.json", definition, bool(kept.rows))
        yield kept
    finally:
        kept.close()


def _agree(path: Path, definition: Row, has_rows: bool) -> None:
    """Keep the definition, or compare it with the one that was kept."""
    try:
        before = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        before = None
    except (OSError, ValueError):
        raise BadInput(f"{path}: cannot be read; choose another --out") from None
    if before is None and has_rows:
        raise BadInput(f"{path.parent}: has rows of it is not known what; choose another --out")
    if before is None:
        write_json(path, definition)
        return
    keys = {**before, **definition} if isinstance(before, dict) else definition
    other = [k for k in keys if not isinstance(before, dict) or before.get(k) != definition.get(k)]
    if other:
        raise BadInput(
            f"{path.parent}: holds other work ({', '.join(other)} differ); choose another --out"
        )


@contextmanager
def writing(path: Path | str) -> Iterator[None]:
    """What the system refuses, as bad input with the path."""
    try:
        yield
    except OSError as error:
        raise BadInput(f"{path}: cannot be written: {error.strerror or error}") from None


def write_json(path: Path, value: Any) -> None:
    """Write a value to a file, whole or not at all. Raises `BadInput` where it cannot be."""
    with atomic(path, "w") as file:
        json.dump(value, file, indent=1)
        file.write("\n")
