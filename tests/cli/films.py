"""What a film tells when all of it is played."""

from os import PathLike
from typing import NamedTuple

from PIL import Image


class Played(NamedTuple):
    """A film of which every picture has been decoded."""

    size: tuple[int, int]
    """Pixels."""
    length: int
    """How long it plays, ms."""
    pictures: int


def played(path: PathLike[str]) -> Played:
    """Decode every picture of a film; what it comes to."""
    with Image.open(path) as film:
        length = 0
        for number in range(film.n_frames):
            film.seek(number)
            film.load()
            length += film.info["duration"]
        return Played(film.size, length, film.n_frames)
