"""Kernels on disk are as new as the sources they came from."""

from pathlib import Path

from sim.compiled import forget_stale


def test_a_changed_source_drops_the_kernels(tmp_path: Path) -> None:
    """A kernel's index goes when any source has changed, and stays while none has."""
    source, index = tmp_path / "rule.py", tmp_path / "__pycache__" / "rule.kernel.nbi"
    source.write_text("a = 1")
    index.parent.mkdir()
    forget_stale(tmp_path)
    index.write_text("compiled")
    forget_stale(tmp_path)
    assert index.exists()
    source.write_text("a = 12")
    forget_stale(tmp_path)
    assert not index.exists()


def test_a_package_that_cannot_be_written_to_is_left_alone(tmp_path: Path) -> None:
    """Where the stamp cannot be kept nothing fails."""
    (tmp_path / "__pycache__").write_text("not a folder")
    forget_stale(tmp_path)
