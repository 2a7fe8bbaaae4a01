"""The gallery shows every demo, and says what the demos say."""

import re
from pathlib import Path

import pytest
from PIL import Image

from sim.commands.demo import scripts
from sim.commands.gallery import LARGEST, PAGE, PICTURES, page, plays

ROOT = Path(__file__).resolve().parent.parent
DEMOS = scripts()


def test_the_page_says_what_the_demos_say():
    """Whoever changes a demo's docstring makes the page anew."""
    said = (ROOT / PAGE).read_text(encoding="utf-8")
    assert said == page(DEMOS), "python -m sim gallery NAME makes it anew"


@pytest.mark.parametrize("name", [name for name in DEMOS if plays(DEMOS[name])])
def test_every_demo_has_a_small_film(name: str):
    """It moves, lasts long enough to understand, and is quickly loaded."""
    path = ROOT / PICTURES / f"{name}.gif"
    assert path.stat().st_size < LARGEST
    with Image.open(path) as film:
        assert film.n_frames >= 30
        assert 200 <= film.size[0] <= 400
        assert 90 <= film.size[1] <= 300


def test_all_of_it_is_not_large():
    """All films together, and none of a demo that is gone."""
    films = list((ROOT / PICTURES).glob("*"))
    assert {path.stem for path in films} == {name for name in DEMOS if plays(DEMOS[name])}
    assert sum(path.stat().st_size for path in films) < 8_000_000


def test_its_links_lead_somewhere():
    """Pictures stand where the page looks for them."""
    said = (ROOT / PAGE).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", said)
    assert len(links) == sum(map(plays, DEMOS.values()))
    assert all(((ROOT / PAGE).parent / link).exists() for link in links)


def test_some_can_be_made_anew(cli, tmp_path):
    """One demo's film and the page, in another folder; unknown names are refused."""
    said = cli("gallery", "bump_from_behind", "--out", tmp_path)
    assert (said.status, said.err) == (0, "")
    assert (tmp_path / PAGE).read_text(encoding="utf-8") == page(DEMOS)
    assert [path.name for path in (tmp_path / PICTURES).iterdir()] == ["bump_from_behind.gif"]
    said = cli("gallery", "bump_from_behnd", "--out", tmp_path)
    assert said.status == 2
    assert "did you mean" in said.err.lower() or "bump_from_behind" in said.err
