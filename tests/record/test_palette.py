from __future__ import annotations

import numpy as np
import pytest

from sim.core.errors import BadInput
from sim.record.gif import default_palette, nearest_table, pack


def test_given_colors_come_first() -> None:
    """The given colours head the palette once each, and the whole leaves a row free."""
    given = [[18, 20, 24], [255, 0, 0], [18, 20, 24], [1, 2, 3]]
    palette = default_palette(given)
    assert palette[:3].tolist() == [[18, 20, 24], [255, 0, 0], [1, 2, 3]]
    assert len(palette) == 2 + 216  # red is a corner of the cube
    assert len(np.unique(pack(palette))) == len(palette)


@pytest.mark.parametrize("count", [1, 39, 40, 130, 255])
def test_palette_always_fits(count: int) -> None:
    """However many colours are given, up to 255, all of them are there and the rest fits."""
    given = np.random.default_rng(1).permutation(256)[:count, None] * [1, 1, 1]
    palette = default_palette(given)
    assert palette[:count].tolist() == given.tolist()
    assert len(palette) <= 255


def test_too_many_colors() -> None:
    """More colours than a GIF holds are refused."""
    with pytest.raises(BadInput, match="256 different colours"):
        default_palette(np.arange(256)[:, None] * [1, 1, 1])


def test_palette_colors_are_met_exactly() -> None:
    """Also two colours within one step of the table stay apart, and the first of equals counts."""
    palette = np.array([[16, 16, 16], [17, 16, 16], [17, 17, 17], [16, 16, 16]], dtype=np.uint8)
    assert nearest_table(palette)[pack(palette)].tolist() == [0, 1, 2, 0]


def test_other_colors_go_to_a_near_one() -> None:
    """No colour is sent further than one step of the table beyond its true nearest."""
    palette = default_palette([[18, 20, 24]])
    colors = np.random.default_rng(3).integers(0, 256, (500, 3)).astype(np.uint8)
    far = np.linalg.norm(colors[:, None].astype(float) - palette, axis=2)
    chosen = far[np.arange(500), nearest_table(palette)[pack(colors)]]
    assert (chosen - far.min(axis=1)).max() <= np.sqrt(3) * 8
