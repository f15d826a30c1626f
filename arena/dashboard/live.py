"""The dashboard: a scene drawn on a screen, a few times a second, at a small share of one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena.dashboard.glyphs import glyphs_for
from arena.dashboard.layout import arrange
from arena.dashboard.screen import Screen, is_in_front
from arena.dashboard.selection import Selection
from arena.run import Watcher

if TYPE_CHECKING:
    from rich.console import Console

    from arena.dashboard.plain import PlainView
    from arena.dashboard.scene import Scene
    from arena.play.table import Table
    from arena.run import Outcome, RunProgress
    from arena.runners.local import GameOver, TableLost

SHARE = 0.03  # of one core; frames that cost more come less often


class LiveView(Watcher):
    """Draws what the scene shows; if that fails, the run goes on with plain lines."""

    def __init__(
        self,
        scene: Scene,
        console: Console,
        plain: PlainView,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.scene, self.plain, self.clock = scene, plain, clock
        self.screen = Screen(console)
        self.selection = Selection(keys=self.screen.keyboard is not None)
        colour = console.color_system is not None and not console.no_color
        self.glyphs = glyphs_for(console.encoding, colour)
        self.due = 0.0
        self.frames = 0
        self.cost = 0.0  # seconds of the processor, of all frames
        self.broken = False

    def __enter__(self) -> LiveView:
        return self

    def __exit__(self, *error: object) -> None:
        self.screen.close()

    def checking(self, name: str, number: int, count: int) -> None:
        """The first thing there is to see."""
        if self.broken:
            self.plain.checking(name, number, count)
        else:
            self._draw(())

    def tick(self, tables: Sequence[Table]) -> None:
        """Draw, if it is time to."""
        if self.broken:
            self.plain.tick(tables)
            return
        self.screen.rest()
        pressed = self._hear(tables)
        if pressed or (self.clock() >= self.due and not self.selection.paused):
            self._draw(tables)

    def _hear(self, tables: Sequence[Table]) -> bool:
        """Do what the keys pressed since the last look ask for; whether there were any."""
        keys = self.screen.pressed() if is_in_front(self.screen.terminal) else []
        for key in keys:
            self.selection.press(key, len(self.scene.progress.names), len(self.scene.watched))
        return bool(keys)

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        """The scene knows; only plain lines have to be told."""
        if self.broken:
            self.plain.game_over(event, progress)

    def table_lost(self, event: TableLost, progress: RunProgress) -> None:
        """The same."""
        if self.broken:
            self.plain.table_lost(event, progress)

    def warned(self, words: str) -> None:
        """The same."""
        if self.broken:
            self.plain.warned(words)

    def stopping(self, why: str) -> None:
        """The same."""
        if self.broken:
            self.plain.stopping(why)

    def ended(self, outcome: Outcome) -> None:
        """Leave the screen."""
        self.screen.close()

    def _draw(self, tables: Sequence[Table]) -> None:
        """One frame. Whatever is wrong with it must not stop a tournament."""
        self.screen.rest()
        if not is_in_front(self.screen.terminal):
            return
        begin = time.thread_time()
        try:
            size, rules = self.screen.size, self.scene.session.tournament.rules
            snapshot = self.scene.snapshot(tables)
            frame = arrange(snapshot, rules, *size, self.glyphs, self.selection)
            self.screen.show(frame, size)
        except Exception as error:
            self.broken = True
            self.screen.close()
            self.plain.say(f"the dashboard fails, plain lines go on: {error!r}")
        spent = time.thread_time() - begin
        self.frames += 1
        self.cost += spent
        self.due = self.clock() + spent / SHARE
