"""Somebody who types what a person would, and sees the pages that a person sees."""

from __future__ import annotations

from pathlib import Path

from tests.terminal import HOME, LEAVE, Size, Terminal, plain


class Typist(Terminal):
    """Somebody at a terminal in which `arena` is running, with a history of its own."""

    def __init__(
        self, *words: str, history: Path, size: Size = (80, 24), **environment: str
    ) -> None:
        ours = {"ARENA_HISTORY": str(history), **environment}
        super().__init__("-m", "arena", *words, environment=ours, size=size)

    def type(self, line: str, then: str) -> str:
        """Type a line, and wait until a page shows this; the page as plain text."""
        self.text = ""
        self.press(f"{line}\n")
        return self.see(then)

    def see(self, words: str) -> str:
        """Wait until a page shows this; the page as plain text."""
        self.wait_until(lambda: words in self.page(), words)
        return self.page()

    def page(self) -> str:
        """What has been drawn since the screen was last begun anew."""
        return plain(self.text.rpartition(HOME)[2])

    def end(self, keys: str = "") -> tuple[int, str]:
        """Press keys and wait for the end; the exit code, and what is left without the screen."""
        code = self.finish(keys)
        return code, plain(self.text.rpartition(LEAVE)[2])
