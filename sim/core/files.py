"""Files that appear whole or not at all.

Output goes to a hidden file beside its target and takes the target's name only when it is complete,
so a run that fails or is stopped never leaves half a file, nor spoils one that was there before.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import IO, Any

from sim.core.errors import BadInput, Unwritable, shortened

AnyPath = str | os.PathLike[str]

_OUT_OF_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
# How much of the target's name the temporary one keeps: file systems allow 255 bytes in all.
_KEPT_CHARACTERS = 40


def path_of(path: AnyPath) -> Path:
    """A path. Raises `BadInput` for what is no name of a file."""
    try:
        return Path(path)
    except TypeError:
        raise BadInput(f"path = {shortened(path)}: must be the name of a file") from None


def check_target(path: AnyPath) -> Path:
    """The place a file will take, links followed; refused while it is still cheap to say so.

    Raises BadInput when the folder is missing or not writable, or when something other than a plain
    file (a folder, a device) has the name: renaming over it would destroy it.
    """
    try:
        target = Path(os.path.realpath(path_of(path)))
        target.exists()
    except BadInput:
        raise
    except (OSError, ValueError) as error:  # a name that is too long, or holds a zero
        said = error.strerror if isinstance(error, OSError) else str(error)
        raise BadInput(f"{path}: cannot be written: {said}") from error
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        kind = "a folder" if target.is_dir() else "not a plain file"
        raise BadInput(f"{path}: cannot be written: it is {kind}")
    if not target.parent.is_dir():
        raise BadInput(f"{path}: cannot be written: there is no folder {target.parent}")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise BadInput(f"{path}: cannot be written: no permission to write in {target.parent}")
    return target


def first_free(stem: AnyPath, suffix: str) -> Path:
    """The first of STEM-1SUFFIX, STEM-2SUFFIX and so on that is not taken."""
    named = (Path(f"{stem}-{number}{suffix}") for number in count(1))
    return next(path for path in named if not path.exists())


def check_source(path: AnyPath) -> None:
    """Raise `BadInput` for a pipe or a device: it is there once, and may have no end."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError, TypeError):
        return  # its reader says what is wrong
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise BadInput(f"{path}: cannot be read: it is not a plain file")


def check_targets(sources: Iterable[Path | None], targets: Iterable[Path | None]) -> None:
    """Raise `BadInput` for a target that cannot be written, is read from, or is given twice.

    None stands for a file that was not asked for.
    """
    read = {Path(os.path.realpath(each)) for each in sources if each is not None}
    written: set[Path] = set()
    for target in targets:
        if target is None:
            continue
        place = check_target(target)
        if place in read:
            raise BadInput(f"{target}: is read by this command; choose another name")
        if place in written:
            raise BadInput(f"{target}: is another output too; give each its own name")
        written.add(place)


@contextlib.contextmanager
def room_for(path: AnyPath) -> Iterator[None]:
    """Turn a full disk, quota or size limit met inside into BadInput that names `path`.

    Other errors of the operating system pass: they need not be about this file.
    """
    try:
        yield
    except OSError as error:
        if error.errno in _OUT_OF_ROOM:
            raise _refusal(path, error) from error
        raise


class AtomicFile:
    """A binary file under a temporary path, `hidden`, until `commit` names it; `abort` removes it.

    Both may be called again without effect. What fails while the file is written (a full disk above
    all) removes it and is raised as BadInput.
    """

    def __init__(self, path: AnyPath) -> None:
        self.path = path
        self.done = False
        self._good = 0  # bytes up to the end of the last complete `write`
        self._target = check_target(path)
        kept = self._target.name[:_KEPT_CHARACTERS]
        self.hidden = self._target.with_name(f".{kept}.{secrets.token_hex(6)}.part")
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            self.file: IO[bytes] = os.fdopen(os.open(self.hidden, flags, 0o666), "w+b")
        except OSError as error:
            raise _refusal(path, error) from error
        except BaseException:  # an interrupt, when the file may be there already
            self.hidden.unlink(missing_ok=True)
            raise

    def __del__(self) -> None:
        """An interrupt may come before the object has a name at its owner's."""
        if hasattr(self, "file"):
            self.abort()

    @property
    def length(self) -> int:
        """Bytes of all complete records."""
        return self._good

    def write(self, data: bytes) -> None:
        """Append one record. An interrupt may cut it short: the next write or `commit` drops it."""
        with self._or_abort():
            self._drop_partial()
            self.file.write(data)
            self._good += len(data)

    def patch(self, offset: int, data: bytes) -> None:
        """Write over what is there, such as a length that is known only at the end."""
        with self._or_abort():
            self._drop_partial()
            self.file.seek(offset)
            self.file.write(data)
            self.file.seek(self._good)

    def commit(self) -> None:
        """Make the records safe on disk and give the file its name."""
        if self.done:
            return
        with self._or_abort():
            self._drop_partial()
            self._rename()

    def abort(self) -> None:
        """Remove what was written; whatever had the target's name before stays."""
        if self.done:
            return
        self.done = True
        try:
            with contextlib.suppress(OSError):  # closing writes what is buffered: it need not fit
                self.file.close()
        finally:
            self.hidden.unlink(missing_ok=True)

    def commit_stream(self) -> None:
        """`commit` for a file that was written through `.file` itself, not by records."""
        with self._or_abort():
            self._rename()

    def _rename(self) -> None:
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        os.replace(self.hidden, self._target)
        self.done = True

    def _drop_partial(self) -> None:
        if self.file.tell() != self._good:
            self.file.seek(self._good)
            self.file.truncate()

    @contextlib.contextmanager
    def _or_abort(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self.abort()
            raise _refusal(self.path, error) from error
        except Exception:
            self.abort()
            raise


@contextlib.contextmanager
def atomic(path: AnyPath, mode: str = "wb") -> Iterator[IO[Any]]:
    """A file to write in a `with` block, "wb" or "w" (UTF-8): whole at its end, or gone.

    Raises BadInput for a target that cannot be written and for a full disk.
    """
    if mode not in ("wb", "w"):
        raise ValueError(f"mode = {mode!r}: must be 'wb' or 'w'")
    whole = AtomicFile(path)
    try:
        with room_for(path):
            if mode == "wb":
                yield whole.file
            else:
                text = io.TextIOWrapper(whole.file, encoding="utf-8", newline="\n")
                yield text
                text.detach()  # writes out what it still holds
        whole.commit_stream()
    except BaseException:
        whole.abort()
        raise


def _refusal(path: AnyPath, error: OSError) -> Unwritable:
    return Unwritable(f"{path}: cannot be written: {error.strerror or error}")
