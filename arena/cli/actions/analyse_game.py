"""One game judged, on the screen and as data: every move with its verdict, and its course."""

from __future__ import annotations

from rich.table import Table as RichTable
from rich.text import Text

from arena.game.notation import column_name, move_words, play_moves
from arena.game.position import DISCS, STEAL
from arena.game.rules import Rules
from arena.judge.game import Judged
from arena.judge.judge import VALUES, in_words, nth
from arena.library.analysis import GameAnalysis
from arena.show.board import COLOURS, MARGIN, board_text
from arena.show.numbers import percent, two_digits, whole
from arena.show.table import Cell, Column, Table
from arena.show.terminal import console, dot, symbol
from arena.standings.evidence import value_of

STYLES = {"best": "green", "slower win": "yellow", "faster loss": "yellow"}

BLOCKS, PLAIN = "▁▂▃▄▅▆▇█", "_.:-=+*#"  # of the sparkline
NAME = 8  # characters before its lines
NOT_PROVEN = ("?", "dim")


def show_game(game: GameAnalysis) -> None:
    """Print the game: its end, its moves, its course, and what it comes to."""
    out, judged = console(), game.judged
    out.print(game.title, style="dim")
    players = Text()
    for seat, name in enumerate(game.names):
        players.append(" against " if seat else "")
        players.append(DISCS[seat], style=COLOURS[seat]).append(f" {name}", style="bold")
    out.print(players)
    out.print()
    out.print(board_text(play_moves(judged.moves, game.rules)), soft_wrap=True)
    out.print()
    out.print(_moves(game))
    out.print(sparkline(judged, game.rules), soft_wrap=True)
    out.print()
    out.print(_accuracy(game).screen(ruled=False))
    out.print(decision_words(game))
    if game.result is None and judged.scores[-1] is not None:
        ply = len(judged.moves)
        discs = judged.discs(ply)
        words = in_words(judged.scores[-1], discs, game.rules, discs < ply)
        out.print(f"It is not over: {DISCS[ply % 2]} {words}.")


def _moves(game: GameAnalysis) -> RichTable:
    table = RichTable(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
    first = "move" if game.rules.pie else "disc"
    for heading in (first, "", "column", "verdict", "the best", "this one", "instead"):
        table.add_column(heading, justify="right" if heading in (first, "column") else "left")
    for ply, column in enumerate(game.judged.moves):
        who = Text(DISCS[ply % 2], style=COLOURS[ply % 2])
        move = "steal" if column == STEAL else column_name(column, game.rules)
        table.add_row(str(ply + 1), who, move, *_verdict_cells(game, ply))
    return table


def _verdict_cells(game: GameAnalysis, ply: int) -> list[Text | str]:
    if ply < game.judged.opening:
        return [Text("opening", style="dim"), "", "", ""]
    verdict = game.judged.verdict(ply, game.rules)
    if verdict is None:
        return [Text("unjudged", style="dim"), "", "", ""]
    scores = verdict.before, verdict.after
    before, after = (verdict.outcome(score, game.rules) for score in scores)
    better = [column_name(column, game.rules) for column in verdict.better_moves if column != STEAL]
    instead = ", ".join([*better, *(["s"] if STEAL in verdict.better_moves else [])])
    mark = f" {dot()} critical" if verdict.critical and verdict.keeps_value else ""
    style = STYLES.get(verdict.kind, "bold red")
    kind = Text(verdict.words, style=style).append(mark, style="not bold dim")
    return [kind, before, "" if verdict.keeps_score else after, instead]


def _accuracy(game: GameAnalysis) -> Table:
    columns = (
        Column("accuracy"), Column("moves", whole), Column("unjudged", whole),
        Column("keeps value", percent), Column("if critical", percent),
        Column("keeps score", percent), Column("mean loss", two_digits),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for seat, name in enumerate(game.names):
        player = game.counted(seat)
        count, critical = player.groups["all"], player.groups["critical"]
        rows.append(
            (f"{DISCS[seat]} {name}", count.moves, count.unjudged, value_of(count.kept_value),
             value_of(critical.kept_value), value_of(count.kept_score), value_of(count.mean_loss))
        )  # fmt: skip
    return Table("", columns, tuple(rows))


def decision_words(game: GameAnalysis) -> str:
    """Where the game was decided, in a sentence."""
    decided, names = game.decided, game.names
    if decided.how == "start":
        return "Nobody let the value go: it was the same from beginning to end."
    if decided.how == "end":
        return "The board did not decide: the result is not what the position was worth."
    verdict = None if decided.ply is None else game.judged.verdict(decided.ply, game.rules)
    if verdict is None:
        return "Where it was decided is not proven."
    lost = f"turned a {VALUES[verdict.value_before]} into a {VALUES[verdict.value_after]}"
    so_far = "Decided" if game.result is not None else "The last change of value came"
    return (
        f"{so_far} by {nth(verdict.ply, game.rules)}: {DISCS[verdict.seat]} {names[verdict.seat]} "
        f"{lost} with {move_words(verdict.column, game.rules)}."
    )


def sparkline(judged: Judged, rules: Rules) -> Text:
    """Score, value and blunders of each position, from the beginning; ? is not proven.

    The score is the first player's, from the lowest that the game reached to the highest.
    """
    blocks, empty = symbol(BLOCKS, PLAIN), [(" ", "")] * judged.opening
    reach = max([1, *(abs(score) for score in judged.scores if score is not None)])
    heights, leaders = list(empty), list(empty)
    for ply, score in enumerate(judged.scores, start=judged.opening):
        if score is None:
            heights.append(NOT_PROVEN)
            leaders.append(NOT_PROVEN)
            continue
        score *= (-1) ** ply
        height = round((score + reach) / (2 * reach) * (len(blocks) - 1))
        ahead, colour = ("=", "dim") if score == 0 else (DISCS[score < 0], COLOURS[score < 0])
        heights.append((blocks[height], colour if score else ""))
        leaders.append((ahead, colour))
    blunders = [(" ", "")] * (len(judged.moves) + 1)
    for ply, verdict in judged.verdicts(rules):
        if verdict is not None and not verdict.keeps_value:
            blunders[ply + 1] = ("^", "bold")  # below the position that it led to
    lines = []
    for name, marks in (("score", heights), ("ahead", leaders), ("blunder", blunders)):
        line = Text(f"{MARGIN}{name.ljust(NAME)}", style="dim")
        for mark, style in marks:
            line.append(mark, style=f"not dim {style}")
        line.rstrip()
        lines.append(line)
    return Text("\n").join(lines)
