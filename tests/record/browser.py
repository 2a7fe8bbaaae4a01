"""A browser to test pages in: Chromium without a window, spoken to through a pair of pipes.

The protocol: Chrome DevTools Protocol, https://chromedevtools.github.io/devtools-protocol/; with
--remote-debugging-pipe each message is JSON with a null byte behind it, on descriptors 3 and 4.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import sys
from pathlib import Path
from time import monotonic
from typing import Any

PATIENCE = 60.0
"""Seconds that any answer may take on a busy machine."""
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
START = """
import os, sys

os.dup2(int(sys.argv[1]), 100)
os.dup2(int(sys.argv[2]), 101)
os.dup2(100, 3)
os.dup2(101, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
"""Gives the pipes the numbers that the browser expects, and becomes the browser."""


def find_browser() -> str | None:
    """The program, if there is one."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page in a browser of its own."""

    def __init__(self, program: str, folder: Path, size: tuple[int, int] = (900, 640)) -> None:
        ours, its_out = os.pipe()
        its_in, self._to = os.pipe()
        self._from = ours
        self._numbers = itertools.count(1)
        self._rest = b""
        self.requests: list[str] = []
        """Every address that the page asked for."""
        self.complaints: list[str] = []
        """What it wrote to its console, and errors that nothing caught."""
        flags = [
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
            "--no-first-run", "--hide-scrollbars", "--remote-debugging-pipe",
            f"--window-size={size[0]},{size[1]}", f"--user-data-dir={folder}",
        ]  # fmt: skip
        self._program = subprocess.Popen(
            [sys.executable, "-c", START, str(its_in), str(its_out), program, *flags],
            pass_fds=(its_in, its_out), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(its_in)
        os.close(its_out)
        self._session: str | None = None
        made = self.call("Target.createTarget", url="about:blank")
        found = self.call("Target.attachToTarget", targetId=made["targetId"], flatten=True)
        self._session = found["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        """End the browser."""
        self._program.terminate()
        self._program.wait(PATIENCE)
        for pipe in (self._to, self._from):
            os.close(pipe)

    def call(self, method: str, **parameters: Any) -> Any:
        """Ask for something and wait for the answer."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        until = monotonic() + PATIENCE
        while True:
            said = self._next(until)
            if said.get("id") == number:
                assert "error" not in said, said
                return said["result"]
            self._note(said)

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a file and wait until its page says that it is ready."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=page.as_uri() + fragment)
        self.wait("document.documentElement && document.documentElement.dataset.ready === 'yes'")

    def wait(self, condition: str) -> None:
        """Wait until an expression holds."""
        until = monotonic() + PATIENCE
        while not self.value(condition):
            assert monotonic() < until, (condition, self.complaints)

    def value(self, expression: str) -> Any:
        """What an expression gives."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press a key and let it go."""
        about: dict[str, Any] = {"key": key, "modifiers": 8 if shift else 0}
        if len(key) == 1:
            about["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **about)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """A mouse event: mousePressed, mouseMoved, mouseReleased or mouseWheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector: str, across: float = 0.5) -> None:
        """Click an element, at a share of its width."""
        box = self.value(
            f"(() => {{ const r = document.querySelector({selector!r}).getBoundingClientRect();"
            "return [r.left, r.top, r.width, r.height]; })()"
        )
        x, y = box[0] + across * box[2], box[1] + box[3] / 2
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def screenshot(self) -> bytes:
        """The page as a PNG."""
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])

    def _next(self, until: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._from], [], [], max(0.0, until - monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._from, 1 << 16)
            assert more, "the browser is gone"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        said: dict[str, Any] = json.loads(message)
        return said

    def _note(self, said: dict[str, Any]) -> None:
        method, about = said.get("method"), said.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(about["request"]["url"])
        elif method in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
            self.complaints.append(json.dumps(about))
