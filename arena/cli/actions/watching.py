"""Who watches a run: the dashboard on a terminal, plain lines elsewhere, a stream of events."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice

from arena.cli.views.match import repeated_lines
from arena.dashboard.live import LiveView
from arena.dashboard.plain import PlainView
from arena.dashboard.scene import Scene
from arena.dashboard.screen import is_in_front
from arena.dashboard.stream import EventStream
from arena.dashboard.watchers import Watchers
from arena.engine.errors import Mistakes
from arena.printable import printable
from arena.run import Watcher
from arena.show.terminal import console, is_live

RECALLED = 5  # grave events that are told again when the dashboard is gone


@contextmanager
def watching(plain: bool, quiet: bool, events: str | None) -> Iterator[Watcher]:
    """Whoever watches a run: nobody, lines or the dashboard on stderr, and a stream of events."""
    with ExitStack() as stack:
        watchers: list[Watcher] = []
        if events is not None:
            watchers.append(stack.enter_context(EventStream(events)))
        if not quiet:
            watchers += _views(stack, plain)
        yield Watchers(*watchers)


def _views(stack: ExitStack, plain: bool) -> list[Watcher]:
    scene = Scene()
    lines = PlainView(scene, say)
    if plain or not _has_a_screen():
        stack.callback(_sum_up, lines.mistakes)
        return [scene, lines]
    stack.callback(_recall, scene)
    return [scene, stack.enter_context(LiveView(scene, console(stderr=True), lines))]


def _has_a_screen() -> bool:
    """Whether stderr is a terminal that can be drawn on, and ours to draw on now."""
    return is_live(sys.stderr) and is_in_front(sys.stderr.fileno())


def say(sentence: str) -> None:
    """A line on stderr."""
    print(printable(sentence), file=sys.stderr, flush=True)


def _recall(scene: Scene) -> None:
    """What went wrong, for those who only see the end: the dashboard has left no trace."""
    grave = [event for event in scene.happenings if event.grave]
    for event in grave[-RECALLED:]:
        say(f"{event.when} {event.text}")
    if scene.faults > RECALLED:
        say(f"{scene.faults} games were lost by a fault; arena games --bad lists them")
    _sum_up(scene.mistakes)


def _sum_up(mistakes: Mistakes) -> None:
    """Mistakes that were made several times, each with how often that was."""
    for line in islice(repeated_lines(mistakes), RECALLED):
        say(line)
