from __future__ import annotations

import errno
import gc
import os
from pathlib import Path

import pytest

from sim.core.errors import BadInput
from sim.core.files import AtomicFile, atomic, check_target


def full_disk(*_: object) -> None:
    """What the system does when there is no room left."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_file_appears_at_the_end(tmp_path: Path) -> None:
    """Nothing has the target's name until the block ends, and nothing else is left after it."""
    target = tmp_path / "out.json"
    with atomic(target, "w") as file:
        file.write("ü\n")
        assert not target.exists()
    assert target.read_bytes() == "ü\n".encode()
    assert os.listdir(tmp_path) == ["out.json"]


@pytest.mark.parametrize("mode", ["w", "wb"])
@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_failure_keeps_what_was_there(
    tmp_path: Path, mode: str, failure: type[BaseException]
) -> None:
    """An existing file survives a failed rewrite, and no temporary file is left."""
    target = tmp_path / "out.bin"
    target.write_bytes(b"before")

    def rewrite() -> None:
        with atomic(target, mode) as file:
            file.write("half" if mode == "w" else b"half")
            raise failure

    with pytest.raises(failure):
        rewrite()
    assert target.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["out.bin"]


def test_full_disk_in_the_block(tmp_path: Path) -> None:
    """A disk that fills up is bad input that names the file, and nothing is left."""
    target = tmp_path / "out.bin"
    with pytest.raises(BadInput, match=r"out\.bin: .*No space left on device"), atomic(target):
        full_disk()
    assert os.listdir(tmp_path) == []


def test_full_disk_at_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk may also turn out to be full when buffers are written out at the end."""
    monkeypatch.setattr(os, "fsync", full_disk)
    target = tmp_path / "out.bin"
    target.write_bytes(b"before")
    with pytest.raises(BadInput, match="No space left on device"), atomic(target) as file:
        file.write(b"after")
    assert target.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["out.bin"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs the device that is always full")
def test_real_full_device(tmp_path: Path) -> None:
    """A write that the system itself refuses for want of room is reported the same way."""
    file = AtomicFile(tmp_path / "out.bin")
    file.file.close()
    file.file = open("/dev/full", "w+b", buffering=0)  # noqa: SIM115  (closed by the writer)
    with pytest.raises(BadInput, match=r"out\.bin: .*No space left on device"):
        file.write(b"x")
    assert file.done
    assert os.listdir(tmp_path) == []


def test_other_errors_pass_through(tmp_path: Path) -> None:
    """An error about another file is not blamed on the target."""
    with pytest.raises(FileNotFoundError), atomic(tmp_path / "out.bin"):
        (tmp_path / "missing").read_bytes()


def test_partial_record_is_dropped(tmp_path: Path) -> None:
    """A record that an interrupt cut short does not stay in the file."""
    target = tmp_path / "out.bin"
    file = AtomicFile(target)
    file.write(b"one,")
    file.file.write(b"tw")
    file.write(b"three")
    file.file.write(b"fo")
    file.commit()
    assert target.read_bytes() == b"one,three"


def test_target_that_cannot_be_written(tmp_path: Path) -> None:
    """A folder, a device and a missing folder are refused before anything is computed."""
    with pytest.raises(BadInput, match="is a folder"):
        check_target(tmp_path)
    with pytest.raises(BadInput, match="there is no folder"):
        check_target(tmp_path / "none" / "out.gif")
    with pytest.raises(BadInput, match="not a plain file"):
        check_target(os.devnull)


def test_folder_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder that may not be written in is refused."""
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(BadInput, match="no permission"):
        check_target(tmp_path / "out.gif")


def test_link_stays_a_link(tmp_path: Path) -> None:
    """Writing through a symbolic link replaces the file it leads to."""
    (tmp_path / "real").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with atomic(tmp_path / "link") as file:
        file.write(b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"new"


def test_long_name(tmp_path: Path) -> None:
    """The longest name a file system takes can be written."""
    target = tmp_path / ("ü" * 125 + ".txt")
    with atomic(target) as file:
        file.write(b"x")
    assert target.exists()


def test_permissions_follow_the_users_mask(tmp_path: Path) -> None:
    """The result is as readable as any other new file, not for its owner alone."""
    (tmp_path / "plain").write_bytes(b"")
    with atomic(tmp_path / "ours"):
        pass
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("call", ["open", "fdopen"])
def test_an_interrupt_while_a_file_is_made_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """Ctrl-C that comes as the system has just made the hidden file leaves nothing behind."""
    make = getattr(os, call)

    def interrupted(*given: object, **options: object) -> None:
        make(*given, **options)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, call, interrupted)
        with pytest.raises(KeyboardInterrupt), atomic(tmp_path / "page.html", "w"):
            pass
    assert not list(tmp_path.iterdir())


def test_a_file_that_nothing_holds_is_gone(tmp_path: Path) -> None:
    """An interrupt between the making of a file and its use leaves no hidden file behind."""
    AtomicFile(tmp_path / "page.html")
    gc.collect()
    assert not list(tmp_path.iterdir())
