"""One recorded game on the screen: printed whole, or stepped through with keys."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

from rich.text import Text

from arena.errors import BadOption
from arena.game.notation import move_data, move_words, write_moves
from arena.game.position import DISCS, STEAL, Position
from arena.journal import Header
from arena.journal.export import summary
from arena.show.board import COLOURS, MARGIN, board_text
from arena.show.games import result_words
from arena.show.numbers import UNKNOWN, amount, duration, signed
from arena.show.terminal import console, dot, print_json, read_key, single_keys
from arena.table.game import GOOD_ENDS, Game, MoveRecord, in_words
from arena.text import printable

FORWARD = (" ", "n", "right", "down")
BACK = ("b", "p", "left", "up", "\x7f", "\b")
QUIT = ("q", "Q", "escape", "\x04")


def show_game(replay: Replay, ply: int | None, plain: bool, as_json: bool) -> None:
    """Print a game, or let the reader step through it on a terminal."""
    if ply is not None and ply > replay.last:
        number = replay.row.number
        raise BadOption(f"--ply {ply} is after the end: game {number} has {replay.last} moves")
    plies = range(replay.last + 1) if ply is None else [ply]
    if as_json:
        print_json(replay.data(plies))
    elif ply is None and not plain and _is_terminal():
        step_through(replay)
    else:
        _print(replay, plies)


def _print(replay: Replay, plies: Sequence[int]) -> None:
    """Positions below each other, and the ending if the last one is among them."""
    out = console()
    out.print(replay.title())
    for ply in plies:
        out.print(replay.position(ply), soft_wrap=True)
        out.print()
    if replay.last in plies:
        out.print(replay.ending(), soft_wrap=True)


def _is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


class Replay:
    """A recorded game and its positions."""

    def __init__(self, header: Header, row: Game) -> None:
        self.header = header
        self.row = row
        self.rules = header.rules
        self.names = [printable(header.names[player]) for player in (row.first, row.second)]
        self.positions = [Position(self.rules)]
        for column in row.moves:
            self.positions.append(self.positions[-1].play(column))
        moves = _telemetry(row)
        unknown = len(row.moves) - len(moves)
        self.telemetry: list[MoveRecord | None] = [None] * unknown + list(moves)

    @property
    def last(self) -> int:
        """The number of moves."""
        return len(self.row.moves)

    def title(self) -> Text:
        """The game's number and players."""
        parts = [printable(self.header.name), f"game {self.row.number}", f"round {self.row.round}"]
        title = Text(f" {dot()} ".join(parts) + "\n", style="dim")
        for seat, name in enumerate(self.names):
            title.append(f"{DISCS[seat]} ", style=f"not dim {COLOURS[seat]}")
            title.append(name, style="not dim bold").append(" against " if seat == 0 else "\n")
        return title

    def position(self, ply: int) -> Text:
        """The board after some moves, with the last disc's column and the engine's figures."""
        text = Text().append(self._move(ply)).append("\n")
        if self.rules.is_flat:
            marker = f"{MARGIN}{'   ' * self.positions[ply].last_column} v" if ply else ""
            text.append(f"{marker}\n", style="dim")
        text.append(board_text(self.positions[ply]))
        return text.append(f"\n{self._figures(ply)}", style="dim")

    def ending(self) -> Text:
        """How the game ended: every winning line, or the fault that decided it."""
        row, final = self.row, self.positions[-1]
        text = Text(f"{result_words(row.result)} {dot()} ", style="bold")
        lines = [
            f"{DISCS[line.player]} {self.names[line.player]} wins by a {in_words(line, self.rules)}"
            for line in final.winning_lines
        ]
        text.append("; ".join(lines) or printable(f"{row.reason}: {row.detail}"))
        trace, printed = row.trace, row.printed
        for words in trace.splitlines():
            text.append(f"\n  {printable(words)}", style="red")
        if row.reason not in GOOD_ENDS and printed:
            text.append("\n\nengine output:", style="dim")
            for words in printed.splitlines():
                text.append(f"\n  {printable(words)}", style="dim")
        return text

    def data(self, plies: Iterable[int]) -> dict[str, Any]:
        """The game and its positions as plain data; columns count from 1."""
        lines = [
            {"player": self.names[line.player], "direction": line.direction,
             "cells": [[n + 1 for n in cell] for cell in line.cells]}
            for line in self.positions[-1].winning_lines
        ]  # fmt: skip
        game = {"game": self.header.game, **summary(self.row, self.header), "lines": lines}
        trace, printed = self.row.trace, self.row.printed
        positions = [self._position_data(ply) for ply in plies]
        return {**game, "trace": trace, "log": printed, "positions": positions}

    def _position_data(self, ply: int) -> dict[str, Any]:
        position: dict[str, Any] = {"ply": ply, "board": str(self.positions[ply]).split("\n")}
        position["moves"] = write_moves(self.row.moves[:ply], self.rules)
        if ply:
            move = self.telemetry[ply - 1]
            figures = dict.fromkeys(MoveRecord._fields) if move is None else move._asdict()
            opening = ply <= len(self.row.opening)
            position |= {"player": self.names[(ply - 1) % 2], "opening": opening, **figures}
            position["column"] = move_data(self.row.moves[ply - 1])
        return position

    def _move(self, ply: int) -> Text:
        """The move that led here, in words."""
        if ply == 0:
            return Text("the empty board" + f" {dot()} {self.last} moves follow")
        seat, column = (ply - 1) % 2, self.row.moves[ply - 1]
        words = Text(f"move {ply} of {self.last}: ")
        words.append(DISCS[seat], style=COLOURS[seat]).append(f" {self.names[seat]} ")
        does = f"drops into {move_words(column, self.rules)}"
        words.append("steals the first disc" if column == STEAL else does)
        opening = ply <= len(self.row.opening)
        return words.append(" (opening)" if opening else "", style="dim")

    def _figures(self, ply: int) -> str:
        """What the engine reported of this move, and its time."""
        move = self.telemetry[ply - 1] if ply else None
        if move is None:
            return ""
        score = UNKNOWN if move.score is None else signed(move.score)
        depth = UNKNOWN if move.depth is None else str(move.depth)
        figures = f"score {score}   depth {depth}   nodes {amount(move.nodes)}"
        return f"{MARGIN}{figures}   time {duration(move.seconds)}   cpu {duration(move.cpu)}"


class Stepper:
    """The reader's position in a game, which keys change."""

    def __init__(self, last: int) -> None:
        self.last = last
        self.ply = 0
        self.typed = ""

    def press(self, key: str) -> bool:
        """Handle a key; return whether the reader goes on."""
        if key in QUIT:
            return False
        if key.isdecimal() and key.isascii():
            self.typed = (self.typed + key)[:4]
        elif key in ("\r", "\n"):
            self._go(int(self.typed) if self.typed else self.ply + 1)
        elif self.typed and key in ("\x7f", "\b"):
            self.typed = self.typed[:-1]
        elif key in FORWARD or key in BACK:
            self._go(self.ply + (1 if key in FORWARD else -1))
        elif key in ("home", "end"):
            self._go(0 if key == "home" else self.last)
        return True

    def _go(self, ply: int) -> None:
        self.ply = max(0, min(self.last, ply))
        self.typed = ""


def _telemetry(row: Game) -> list[MoveRecord]:
    """The figures of the moves after the opening; none if the bytes are damaged."""
    try:
        return row.move_records()
    except ValueError:
        return []


def step_through(replay: Replay) -> None:
    """Show a game on a screen of its own, and follow the keys."""
    stepper = Stepper(replay.last)
    out = console()
    with out.screen() as screen, single_keys():
        is_reading = True
        while is_reading:
            screen.update(_page(replay, stepper))
            key = read_key()
            is_reading = bool(key) and stepper.press(key)
    out.print(replay.title(), replay.ending(), sep="\n")


def _page(replay: Replay, stepper: Stepper) -> Text:
    page = Text().append(replay.title()).append("\n").append(replay.position(stepper.ply))
    if stepper.ply == replay.last:
        page.append("\n\n").append(replay.ending())
    page.append("\n\nEnter next   b back   number Enter jump   q quit", style="dim")
    return page.append(f"   {stepper.typed}", style="bold")
