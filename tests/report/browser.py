"""A real browser to look at a page with: Chromium without a window, driven through a pipe."""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from select import select
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip

PATIENCE = 60  # seconds for an answer

# It reads from 3 and writes to 4, whatever the numbers of our pipes are.
WITH_PIPES = """
import os, sys
os.dup2(int(sys.argv[1]), 120), os.dup2(int(sys.argv[2]), 121)
os.dup2(120, 3), os.dup2(121, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")


class Browser:
    """One page: go somewhere, press keys, ask what it shows. Errors on the page are kept."""

    def __init__(self, to: int, back: int) -> None:
        self.to, self.back, self.rest = to, back, b""
        self.calls = 0
        self.session: str | None = None
        self.errors: list[str] = []
        self.loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)[
            "sessionId"
        ]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask the browser for something and wait for the answer."""
        self.calls += 1
        asked: dict[str, Any] = {"id": self.calls, "method": method, "params": params}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.to, json.dumps(asked).encode() + b"\0")
        while (message := self._read()).get("id") != self.calls:
            self._note(message)
        assert "error" not in message, message
        return dict(message["result"])

    def open(self, page: Path, hash: str = "") -> None:
        """Load a page and wait until it is there."""
        self.loaded = False
        self.call("Page.navigate", url=page.resolve().as_uri() + hash)
        while not self.loaded:
            self._note(self._read())

    def ask(self, expression: str) -> Any:
        """The value of some JavaScript."""
        message = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in message, message
        return message["result"].get("value")

    def text(self, selector: str) -> str:
        """What an element says."""
        return str(self.ask(f"document.querySelector({json.dumps(selector)}).textContent"))

    def click(self, selector: str) -> None:
        """Click on an element."""
        self.ask(f"document.querySelector({json.dumps(selector)}).click()")

    def press(self, key: str) -> None:
        """Press a key where the focus is."""
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key)

    def picture(self, file: Path, width: int = 1200, height: int = 1000) -> None:
        """Take a picture of what is seen."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)  # fmt: skip
        file.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            ready, _, _ = select([self.back], [], [], PATIENCE)
            more = os.read(self.back, 1 << 16) if ready else b""
            assert more, "the browser has gone or says nothing"
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\0")
        return dict(json.loads(line))

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params", {})
        if method == "Page.loadEventFired":
            self.loaded = True
        elif method in (
            "Runtime.exceptionThrown",
            "Log.entryAdded",
            "Page.javascriptDialogOpening",
        ):
            self.errors.append(json.dumps(params))
        elif method == "Network.requestWillBeSent":
            address = params["request"]["url"]
            if not address.startswith(("file:", "data:", "about:")):
                self.errors.append(f"asked for {address}")


@contextmanager
def browsing(profile: Path) -> Iterator[Browser]:
    """A browser with a new profile, gone afterwards."""
    assert CHROMIUM is not None
    (hear, to), (back, say) = os.pipe(), os.pipe()
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
    process = subprocess.Popen(
        [sys.executable, "-c", WITH_PIPES, str(hear), str(say), *command],
        pass_fds=(hear, say), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(hear)
    os.close(say)
    try:
        yield Browser(to, back)
    finally:
        process.terminate()
        process.wait(timeout=20)
        os.close(to)
        os.close(back)
        time.sleep(0.1)  # its helpers let go of the profile
