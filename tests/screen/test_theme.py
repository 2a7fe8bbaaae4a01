import itertools

import numpy as np
import pytest

from sim.screen.theme import DARK, mix

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB
SIGHT = {
    "normal": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(color, sight):
    """CIE L*a*b* of an sRGB colour (D65) as somebody sees it."""
    share = np.array(color) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(SIGHT[sight] @ linear, 0, 1) / (0.9505, 1.0, 1.089)
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("sight", SIGHT)
def test_roles_are_told_apart_by_everybody(sight):
    """Leader, interceptor, flock, player, solids and ground differ by 20 or more (CIE 1976)."""
    roles = [DARK.leader, DARK.interceptor, DARK.color("blue"), DARK.player]
    seen = [lab(color, sight) for color in [*roles, DARK.solid, DARK.ground]]
    assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 20


def test_colors_by_name():
    """Plain words mean the theme's colours, all others what pygame or the digits say."""
    assert DARK.color("Red") == DARK.leader
    assert DARK.color("#102030") == (16, 32, 48)
    assert DARK.color("navy blue") == (0, 0, 128)


def test_a_film_has_the_colors_of_its_groups_exactly():
    """The ground, each group's colour and their half blend are in the palette, once each."""
    colors = DARK.gif_colors([DARK.player, DARK.leader, DARK.player]).tolist()
    for wanted in (DARK.ground, DARK.player, DARK.leader, mix(DARK.player, DARK.ground, 0.5)):
        assert colors.count(list(wanted)) == 1


def test_a_palette_has_room_for_many_groups():
    """Three hundred groups of different colours still give a palette that a GIF can hold."""
    many = [(i % 256, i // 256, 7) for i in range(300)]
    assert len(DARK.gif_colors(many)) <= 200
