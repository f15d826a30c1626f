"""One game judged move by move: a table of its moves, and all that was proven as data."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.game.notation import move_data, play_moves, read_moves, write_moves
from arena.game.rules import Rules
from arena.judge.game import Decision, Judged, decision, judge_in_rounds
from arena.judge.judge import VALUES, phase_of
from arena.show.numbers import signed, span
from arena.show.progress import Progress, ready_judge
from arena.show.table import Column, Show, Table
from arena.solver.solver import Budget
from arena.standings.accuracy import PlayerAccuracy
from arena.standings.evidence import value_of


@dataclass(frozen=True)
class GameAnalysis:
    """A game and what was proven about it; without a result it is not over."""

    rules: Rules
    title: str
    names: tuple[str, str]
    judged: Judged
    result: int | None
    reason: str

    @property
    def decided(self) -> Decision:
        """Where the game was decided, as far as it has come."""
        value = self.judged.values[-1]
        if self.result is None:
            return Decision("unknown") if value is None else decision(self.judged, value, "line")
        return decision(self.judged, self.result, self.reason)

    def counted(self, seat: int) -> PlayerAccuracy:
        """The accuracy of one of the two."""
        player = PlayerAccuracy()
        player.add_game(self.judged, seat, self.rules)
        return player

    @property
    def data(self) -> dict[str, Any]:
        """All of it; columns and discs count from 1, scores are the mover's."""
        return game_data(self)

    @property
    def table(self) -> Table:
        """A row for each move."""
        names = ("disc", "player", "column", "kind", "before", "after", "loss")
        rows = [tuple(move.get(name) for name in names) for move in self.data["verdicts"]]
        shows: dict[str, Show] = {"before": signed, "after": signed, "loss": str, "disc": str}
        columns = tuple(Column(name, shows.get(name)) for name in names)
        return Table(self.title, columns, tuple(rows))

    def to_pandas(self) -> Any:
        """The moves as a data frame of pandas."""
        return self.table.to_pandas()

    def __repr__(self) -> str:
        return f"<GameAnalysis of {self.title}: {len(self.judged.moves)} moves>"

    def __str__(self) -> str:
        """The table of its moves."""
        return str(self.table)

    def _repr_html_(self) -> str:
        return self.table._repr_html_()


def game_data(game: GameAnalysis) -> dict[str, Any]:
    """All of it for JSON; columns and discs count from 1, scores are the mover's."""
    judged, decided = game.judged, game.decided
    return {
        "rules": game.rules.name,
        "moves": write_moves(judged.moves, game.rules),
        "players": list(game.names),
        "result": game.result,
        "complete": judged.is_complete,
        "decided": {"how": decided.how, "disc": None if decided.ply is None else decided.ply + 1,
                    "by": None if decided.seat is None else game.names[decided.seat]},
        "accuracy": [_figures(game.counted(seat)) for seat in (0, 1)],
        "values": [None] * judged.opening + list(judged.values),
        "verdicts": [_move_data(game, ply) for ply in range(len(judged.moves))],
    }  # fmt: skip


def _move_data(game: GameAnalysis, ply: int) -> dict[str, Any]:
    move = {"disc": ply + 1, "player": game.names[ply % 2],
            "column": move_data(game.judged.moves[ply]), "opening": ply < game.judged.opening,
            "phase": phase_of(ply, game.rules.cells)}  # fmt: skip
    verdict = None if move["opening"] else game.judged.verdict(ply, game.rules)
    if verdict is None:
        return {**move, "judged": False}
    return {
        **move, "judged": True, "before": verdict.before, "after": verdict.after,
        "value_before": VALUES[verdict.value_before],
        "value_after": VALUES[verdict.value_after], "loss": verdict.loss,
        "kind": verdict.kind, "keeps_value": verdict.keeps_value,
        "keeps_score": verdict.keeps_score, "critical": verdict.critical,
        "would_have_kept": [move_data(column) for column in verdict.better_moves],
    }  # fmt: skip


def _figures(player: PlayerAccuracy) -> dict[str, Any]:
    return {
        group: {"moves": count.moves, "unjudged": count.unjudged,
                "keeps_value": value_of(count.kept_value),
                "keeps_score": value_of(count.kept_score),
                "mean_loss": value_of(count.mean_loss)}
        for group, count in player.groups.items()
    }  # fmt: skip


def is_notation(text: str) -> bool:
    """Whether the text is a game rather than the name of a journal."""
    is_game = re.fullmatch(r"[\d,\s]+|\d+,?s[\d,\s]*", text, re.IGNORECASE) is not None
    return is_game and not Path(text).exists()


def game_from_moves(text: str, game: str, seconds: float) -> GameAnalysis:
    """A game from its moves."""
    rules = Rules.named(game)
    moves = read_moves(text, rules)
    final = play_moves(moves, rules)
    judged = judged_in(bytes(moves), 0, rules, seconds)
    result = {None: 0 if final.is_over else None, 0: 1, 1: -1}[final.winner]
    return GameAnalysis(rules, str(rules), ("first", "second"), judged, result, "line")


def judged_in(moves: bytes, opening: int, rules: Rules, seconds: float) -> Judged:
    """Judge a game for this many seconds, without the time of compiling."""
    judge = ready_judge(rules)
    with Progress("judging", at_once=True) as progress:

        def on_wait() -> None:
            left = budget.time_left or 0.0
            progress.begin(f"judging {len(moves) - opening} moves, at most {span(left)} left")

        budget = Budget.lasting(seconds, on_wait=on_wait)
        return judge_in_rounds(judge, rules, Judged.blank(moves, opening), budget)
