"""Whatever standard output is (of few letters, closed, full), a command ends in order."""

import subprocess
import sys
from pathlib import Path

import pytest


def ended(file: Path, redirect: str, encoding: str = "utf-8") -> tuple[int, str, str]:
    """Exit status, output and errors of `check FILE` with its streams as a shell says."""
    words = f'PYTHONIOENCODING={encoding} "{sys.executable}" -m sim check "{file}" {redirect}'
    done = subprocess.run(["sh", "-c", words], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
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


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_stream_is_told_of(scenario):
    """Output that is lost is exit status 1, and one line says why."""
    status, _, err = ended(scenario(), "> /dev/full")
    assert status == 1
    assert err == "error: what was to be printed cannot be written: No space left on device\n"
