import pytest

from sim.core.errors import BadInput
from sim.maps import read


@pytest.fixture
def reading(tmp_path):
    """Reads a map from text or bytes, under a name in a folder of its own."""

    def made(text, name="map.tmx", **options):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read(path, **options)

    return made


@pytest.fixture
def refusal(reading, tmp_path):
    """What is said of a map that is refused, after the name of its file; always one line."""

    def said(text, name="map.tmx", **options):
        with pytest.raises(BadInput) as error:
            reading(text, name, **options)
        line, file = str(error.value), f"{tmp_path / name}: "
        assert line.startswith(file)
        assert "\n" not in line
        assert len(line) < len(file) + 200
        return line.removeprefix(file)

    return said
