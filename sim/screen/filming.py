"""Films that are begun and ended by a key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sim.core.errors import BadInput
from sim.core.files import first_free
from sim.screen.capture import FilmRecorder
from sim.screen.plain_scene import PlainScene
from sim.screen.replay import Shown


class Filming:
    """Films NAME-1.gif, NAME-2.gif and so on of what a scene shows."""

    def __init__(self, name: str | Path, scene: PlainScene[Any]) -> None:
        self.name, self._scene = Path(name), scene
        self.recorder: FilmRecorder | None = None

    def toggle(self, world: Shown) -> str:
        """Begin a film, or end the one that runs; what there is to say of it."""
        if self.recorder is not None:
            return self.stop()
        try:
            self.recorder = FilmRecorder(first_free(self.name, ".gif"), world, scene=self._scene)
        except BadInput as error:
            return str(error)
        return self.observe(world)

    def observe(self, world: Shown) -> str:
        """Go on with the film, if there is one; why it ended, if it did."""
        if self.recorder is not None:
            try:
                self.recorder.observe(world)
            except BadInput as error:  # a full disk ends the film, not the run
                self.recorder = None
                return str(error)
        return ""

    def stop(self) -> str:
        """End the film, if there is one, and say where it is."""
        if self.recorder is None:
            return ""
        recorder, self.recorder = self.recorder, None
        try:
            recorder.close()
        except BadInput as error:
            return str(error)
        return f"wrote {recorder.path}"
