"""Whatever standard output is (of few letters, closed, full), a command ends in order."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sim import BadInput, World
from sim.record.trajectory import load


def ended(file: Path, redirect: str, encoding: str = "utf-8") -> tuple[int, str, str]:
    """Exit status, output and errors of `check FILE` with its streams as a shell says."""
    words = f'PYTHONIOENCODING={encoding} "{sys.executable}" -m sim check "{file}" {redirect}'
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", pytest.param("cp1252", marks=pytest.mark.slow)])
def test_letters_that_a_stream_has_not_are_written_otherwise(scenario, encoding):
    """A title of other letters was a traceback where output is no UTF-8."""
    file = scenario(('"Small"', '"\u0421\u0442\u0430\u044f"'))
    status, out, err = ended(file, "", encoding)
    assert (status, err) == (0, "")
    assert r"\u0421\u0442\u0430\u044f" in out


@pytest.mark.parametrize("redirect", [">&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_no_fault(scenario, redirect):
    """What was to be printed goes nowhere, and the exit status is what it is otherwise."""
    file = scenario()
    assert ended(file, redirect) == (0, "", "")
    file.write_text("duration = -1")
    assert ended(file, redirect)[0] == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with a name")
@pytest.mark.parametrize("name", ["a.toml", "a.json", "a.txt", "a.npz", "a.gif", "a.mp4"])
def test_a_pipe_that_holds_nothing_is_no_file(tmp_path, name):
    """`check` waited without an end for the program that writes to it."""
    os.mkfifo(tmp_path / name)
    status, _, err = ended(tmp_path / name, "")
    assert status == 2
    assert err == f"error: {tmp_path / name}: cannot be read: it is not a plain file\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no device without an end")
def test_what_has_no_end_is_no_recording_and_no_state(tmp_path):
    """Its first line took all memory."""
    for kind, read in {"txt": load, "npz": load, "state": World.load}.items():
        (tmp_path / f"a.{kind}").symlink_to("/dev/zero")
        with pytest.raises(BadInput, match="is not a plain file"):
            read(tmp_path / f"a.{kind}")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_stream_is_told_of(scenario):
    """Output that is lost is exit status 1, and one line says why."""
    status, _, err = ended(scenario(), "> /dev/full")
    assert status == 1
    assert err == "error: what was to be printed cannot be written: No space left on device\n"


def test_names_cannot_command_a_terminal(tmp_path):
    """A file's name with letters that a terminal obeys is printed with their escapes."""
    odd = tmp_path / "\x1b[31m\x9bred\x07.json"
    words = [sys.executable, "-m", "sim", "schema", "--out", str(odd)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout == rf"wrote {tmp_path}/\x1b[31m\x9bred\x07.json" + "\n"
    assert odd.exists()


def test_a_process_that_can_open_no_more_files_says_so(scenario, tmp_path):
    """A film beside a recording needs some files at once: without them it was a traceback."""
    outputs = f"--film '{tmp_path}/a.gif' --trajectory '{tmp_path}/a.npz'"
    run = f"run '{scenario()}' --headless --seconds 0.1 {outputs}"
    words = f'ulimit -n 6 && exec "{sys.executable}" -m sim {run}'
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == (
        "error: no more files can be opened (see ulimit -n): Too many open files"
    )
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("*.gif"))
