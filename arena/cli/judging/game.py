"""One game on the screen, every move with its verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rich.table import Table
from rich.text import Text

from arena.cli.judging.spark import sparkline
from arena.game.notation import play_moves, write_moves
from arena.game.position import DISCS
from arena.game.rules import Rules
from arena.judge.game import Decision, Judged, decision
from arena.judge.verdict import VALUES, Verdict, in_words, phase_of
from arena.show.board import COLOURS, board_text
from arena.show.numbers import percent
from arena.show.terminal import console, dash, dot
from arena.standings.accuracy import Player
from arena.standings.shares import Count

STYLES = {"best": "green", "slower win": "yellow", "faster loss": "yellow"}
BLUNDER = "bold red"


@dataclass(frozen=True)
class Analysed:
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

    def counted(self, seat: int) -> Player:
        """What one of the two made of its moves."""
        player = Player()
        player.add_game(self.judged, seat, self.rules)
        return player

    def as_data(self) -> dict[str, Any]:
        """All of it for JSON; columns and discs count from 1, scores are the mover's."""
        found = self.decided
        return {
            "rules": self.rules.name,
            "moves": write_moves(self.judged.moves, self.rules),
            "players": list(self.names),
            "result": self.result,
            "complete": self.judged.is_complete,
            "decided": {"how": found.how, "disc": None if found.ply is None else found.ply + 1,
                        "by": None if found.seat is None else self.names[found.seat]},
            "accuracy": [_figures(self.counted(seat)) for seat in (0, 1)],
            "values": [None] * self.judged.opening + list(self.judged.values),
            "verdicts": [self._move(ply) for ply in range(len(self.judged.moves))],
        }  # fmt: skip

    def _move(self, ply: int) -> dict[str, Any]:
        move = {"disc": ply + 1, "player": self.names[ply % 2],
                "column": self.judged.moves[ply] + 1, "opening": ply < self.judged.opening,
                "phase": phase_of(ply, self.rules.cells)}  # fmt: skip
        verdict = None if move["opening"] else self.judged.verdict(ply, self.rules)
        if verdict is None:
            return {**move, "judged": False}
        return {
            **move, "judged": True, "before": verdict.before, "after": verdict.after,
            "value_before": VALUES[verdict.value_before],
            "value_after": VALUES[verdict.value_after], "loss": verdict.loss,
            "kind": verdict.kind, "keeps_value": verdict.keeps_value,
            "keeps_score": verdict.keeps_score, "critical": verdict.critical,
            "would_have_kept": [column + 1 for column in verdict.keepers],
        }  # fmt: skip


def _figures(player: Player) -> dict[str, Any]:
    return {
        group: {"moves": count.moves, "unjudged": player.unjudged[group],
                "keeps_value": count.kept_value.share, "keeps_score": count.kept_score.share,
                "mean_loss": count.mean_loss}
        for group, count in player.groups.items()
    }  # fmt: skip


def show_game(game: Analysed) -> None:
    """Print the game: its end, its moves, its course, and what it comes to."""
    out = console()
    out.print(game.title, style="dim")
    out.print(_players(game))
    out.print()
    out.print(board_text(play_moves(game.judged.moves, game.rules)), soft_wrap=True)
    out.print()
    out.print(_moves(game))
    out.print(sparkline(game.judged, game.rules), soft_wrap=True)
    out.print()
    out.print(_accuracy(game))
    out.print(decision_words(game))
    last = game.judged.scores[-1]
    if game.result is None and last is not None:
        ply = len(game.judged.moves)
        out.print(f"It is not over: {DISCS[ply % 2]} {in_words(last, ply, game.rules.cells)}.")


def _players(game: Analysed) -> Text:
    text = Text()
    for seat, name in enumerate(game.names):
        text.append(DISCS[seat], style=COLOURS[seat]).append(f" {name}", style="bold")
        text.append(" against " if seat == 0 else "")
    return text


def _moves(game: Analysed) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    for heading in ("disc", "", "column", "verdict", "the best", "this one", "instead"):
        table.add_column(heading, justify="right" if heading in ("disc", "column") else "left")
    for ply, column in enumerate(game.judged.moves):
        who = Text(DISCS[ply % 2], style=COLOURS[ply % 2])
        cells = _verdict_cells(game, ply)
        table.add_row(str(ply + 1), who, str(column + 1), *cells)
    return table


def _verdict_cells(game: Analysed, ply: int) -> list[Text | str]:
    if ply < game.judged.opening:
        return [Text("opening", style="dim"), "", "", ""]
    verdict = game.judged.verdict(ply, game.rules)
    if verdict is None:
        return [Text("unjudged", style="dim"), "", "", ""]
    cells = game.rules.cells
    before, after = (in_words(score, ply, cells) for score in (verdict.before, verdict.after))
    instead = ", ".join(str(column + 1) for column in verdict.keepers)
    mark = f" {dot()} critical" if verdict.critical and verdict.keeps_value else ""
    kind = Text(verdict.words, style=_style(verdict)).append(mark, style="not bold dim")
    return [kind, before, "" if verdict.keeps_score else after, instead]


def _style(verdict: Verdict) -> str:
    return STYLES.get(verdict.kind, BLUNDER)


def _accuracy(game: Analysed) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    table.add_column("accuracy")
    for heading in ("moves", "unjudged", "keeps value", "if critical", "keeps score", "mean loss"):
        table.add_column(heading, justify="right")
    for seat, name in enumerate(game.names):
        player = game.counted(seat)
        count, critical = player.groups["all"], player.groups["critical"]
        table.add_row(
            Text(f"{DISCS[seat]} {name}"), str(count.moves), str(player.unjudged["all"]),
            _percent(count.kept_value.share), _percent(critical.kept_value.share),
            _percent(count.kept_score.share), _loss(count),
        )  # fmt: skip
    return table


def _percent(share: float | None) -> str:
    return dash() if share is None else percent(share)


def _loss(count: Count) -> str:
    return dash() if count.mean_loss is None else f"{count.mean_loss:.2f}"


def decision_words(game: Analysed) -> str:
    """Where the game was decided, in a sentence."""
    found, names = game.decided, game.names
    if found.how == "start":
        return "Nobody let the value go: it was the same from beginning to end."
    if found.how == "end":
        return "The board did not decide: the result is not what the position was worth."
    verdict = None if found.ply is None else game.judged.verdict(found.ply, game.rules)
    if verdict is None:
        return "Where it was decided is not proven."
    lost = f"turned a {VALUES[verdict.value_before]} into a {VALUES[verdict.value_after]}"
    so_far = "Decided" if game.result is not None else "The last change of value came"
    return (
        f"{so_far} by disc {verdict.ply + 1}: {DISCS[verdict.seat]} {names[verdict.seat]} {lost} "
        f"with column {verdict.column + 1}."
    )
