import itertools

import numpy as np
import pytest
from PIL import Image
from pygame.colordict import THECOLORS

from sim import BadInput
from sim.core.colors import NAMES
from sim.screen.land import area_color
from sim.screen.theme import DARK, THEMES, lightness, mix, theme_named

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


def apart(colors, sight):
    """The least difference (CIE 1976) between any two colours, and which they are."""
    seen = {name: lab(color, sight) for name, color in colors.items()}
    pairs = itertools.combinations(seen, 2)
    return min((float(np.linalg.norm(seen[a] - seen[b])), a, b) for a, b in pairs)


def contrast(a, b):
    """The ratio of two colours' luminances as WCAG 2 counts it."""
    light = []
    for color in (a, b):
        share = np.array(color) / 255
        linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
        light.append(float(TO_XYZ[1] @ linear) + 0.05)
    return max(light) / min(light)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_roles_are_told_apart_by_everybody(sight, theme):
    """Leader, interceptor, flock, player, solids and ground differ by 20 or more (CIE 1976)."""
    colors = THEMES[theme]
    names = ("leader", "interceptor", "player", "solid", "ground")
    roles = {name: getattr(colors, name) for name in names} | {"flock": colors.color("blue")}
    assert apart(roles, sight)[0] > 20


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("sight", SIGHT)
def test_groups_are_told_apart_by_everybody(sight, theme):
    """So do all plain words: by 14, six times what one just notices, and twice that from most."""
    words = ["blue", "red", "green", "yellow", "orange", "purple", "magenta", "cyan"]
    colors = {word: THEMES[theme].color(word) for word in words}
    assert apart(colors, sight)[0] > 14


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_everything_stands_out_from_the_ground(theme):
    """Text by 7 : 1, faint text by 4.5 : 1 (WCAG 2, AAA and AA); hulls, which have rims, by 2.3."""
    assert contrast(theme.text, theme.ground) > 7
    assert contrast(theme.text, theme.panel) > 7
    assert contrast(theme.faint, theme.ground) > 4.5
    for color in {*theme.plain.values(), *theme.terms, theme.contact, theme.selected}:
        assert contrast(color, theme.ground) > 2.3, color


def test_themes_by_name():
    """Each theme has a name, and no others are known."""
    assert theme_named("light") is THEMES["light"]
    with pytest.raises(BadInput, match="dark, light"):
        theme_named("dim")


def test_colors_by_name():
    """Plain words mean the theme's colours, all others what pygame or the digits say."""
    assert DARK.color("Red") == DARK.leader
    assert DARK.color("#102030") == (16, 32, 48)
    assert DARK.color("navy blue") == (0, 0, 128)


def test_the_names_are_those_of_pygame():
    """Files and groups are checked without it: what they may say is what can be drawn."""
    assert set(THECOLORS) == NAMES


def test_a_film_has_the_colors_of_its_groups_exactly():
    """The ground, each group's colour and their half blend are in the palette, once each."""
    colors = DARK.gif_colors([DARK.player, DARK.leader, DARK.player]).tolist()
    for wanted in (DARK.ground, DARK.player, DARK.leader, mix(DARK.player, DARK.ground, 0.5)):
        assert colors.count(list(wanted)) == 1


def test_a_palette_has_room_for_many_groups():
    """Three hundred groups of different colours still give a palette that a GIF can hold."""
    many = [(i % 256, i // 256, 7) for i in range(300)]
    assert len(DARK.gif_colors(many)) <= 200


def test_a_film_in_the_light_theme(cli, scenario, tmp_path):
    """`--theme light` films on light ground; another name is refused in a line."""
    film = tmp_path / "film.gif"
    said = cli("run", scenario(), "--film", film, "--film-size", "160x120", "--theme", "light")
    assert said.status == 0, said.err
    with Image.open(film) as first:
        colors = first.convert("RGB").getcolors(160 * 120)
    assert max(colors)[1] == THEMES["light"].ground
    said = cli("run", scenario(), "--theme", "dim")
    assert said.status == 2
    assert said.err.strip().endswith("theme = 'dim': must be one of dark, light")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
def test_areas_are_told_from_ground_and_from_solids(theme):
    """An area is seen on the ground (0.06 of lightness apart), and looks less solid than a wall."""
    ground, area, solid = (
        lightness(color) for color in (theme.ground, area_color(theme), theme.solid)
    )
    assert abs(area - ground) > 0.06
    assert abs(area - ground) < abs(solid - ground)
