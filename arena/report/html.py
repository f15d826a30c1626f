"""A report as one page that needs nothing else: styles, scripts, pictures and games inside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape as escaped
from importlib.resources import files
from itertools import groupby
from math import isfinite
from string import Template
from typing import Any

from arena.game.position import STEAL
from arena.game.rules import Rules
from arena.judge.game import Judged
from arena.judge.judge import KINDS
from arena.report.blocks import (
    Block,
    Caution,
    Code,
    Game,
    Link,
    Picture,
    Words,
    file_of,
    fold,
    slug,
)
from arena.report.canvas import FAINT, GRID, INK, PAPER
from arena.report.csv_files import Verdicts, judged_by_number
from arena.report.data import ReportData
from arena.show.numbers import how_many
from arena.show.table import Table, escape, table_html
from arena.table.game import Game as FinishedGame

SHADES = {PAPER: "var(--paper)", INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--grid)"}

MAX_ROWS = 1000  # of a table that unfolds
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
LETTERS = dict(enumerate(ALPHABET)) | {STEAL: "*"}  # of moves
MAX_GAMES, GAMES_BYTES = 10_000, 4_000_000
MAX_DETAIL = 200
MAX_BYTES, MIN_ROOM = 4_500_000, 500_000  # of a page, of the games in it


@dataclass(frozen=True)
class Replayed:
    """Games for the board: those that the report shows, the newest, and how many there are."""

    shown: Sequence[FinishedGame]
    newest: Sequence[FinishedGame]
    total: int


def write_page(
    data: ReportData,
    head: Sequence[Block],
    sections: Mapping[str, Sequence[Block]],
    svg: Mapping[str, str],
    replayed: Replayed | None,
) -> str:
    """The whole page; without games to replay it has no board."""
    parts = ["\n".join(_section(title, blocks, svg)) for title, blocks in sections.items()]
    size = sum(map(len, parts))
    games = Embedded(_json({"games": []}), 0, 0)
    if replayed is not None:
        room = max(MIN_ROOM, MAX_BYTES - size)
        games = embed_games(data, replayed, judged_by_number(data.accuracy), room=room)
    links = [f'<a href="#{_id(title)}">{escape(title)}</a>' for title in sections]
    if games.games:
        links.insert(1, '<a href="#replay">Replay</a>')
    return Template(_part("page.html")).substitute(
        name=escape(data.header.name),
        style=_part("page.css"),
        head="\n".join(_blocks(head, svg)),
        links=" ".join(links),
        sections="\n".join([*parts[:1], *_replay(games), *parts[1:]]),
        games=games.text,
        script=_part("page.js"),
    )


def inline(svg: str, name: str) -> str:
    """A picture as part of a page: ids of its own, colours that follow the page's."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="', f'id="{name}-', svg)
    svg = re.sub(r'((?:xlink:)?href="|url\()#', rf"\g<1>#{name}-", svg)
    svg = re.sub(r' d="[^"]*"', lambda path: re.sub(r"(\.\d\d)\d+", r"\1", path[0]), svg)
    svg = re.sub(r"^(<svg[^>]*?) height=\"[^\"]*\"", r"\1", svg)
    for colour, shade in SHADES.items():
        svg = svg.replace(colour, shade)
    return re.sub(r"\n\s*\n+", "\n", svg).strip()


def _part(name: str) -> str:
    return files("arena.report").joinpath("page", name).read_text(encoding="utf-8")


def _replay(games: Embedded) -> Iterator[str]:
    if not games.games:
        return
    cut = ""
    if games.games < games.total:
        cut = (
            f"The page holds {games.games:,} of {games.total:,} games: the notable ones and the "
            "newest. The others are in the journal: see arena games and arena replay."
        )
    yield _part("replay.html").replace("@CUT@", escape(cut))


def _section(title: str, blocks: Iterable[Block], svg: Mapping[str, str]) -> Iterator[str]:
    yield f'<section id="{_id(title)}">\n<h2>{escape(title)}</h2>'
    yield from _blocks(blocks, svg, title)
    yield "</section>"


def _blocks(blocks: Iterable[Block], svg: Mapping[str, str], title: str = "") -> Iterator[str]:
    for is_caution, some in groupby(blocks, lambda block: isinstance(block, Caution)):
        if is_caution:
            yield from _cautions([each for each in some if isinstance(each, Caution)])
            continue
        for block in some:
            if isinstance(block, Table) and block.title != title:
                yield f"<h3>{escape(block.title)}</h3>"
            yield from _block(block, svg)


def _cautions(cautions: Sequence[Caution]) -> Iterator[str]:
    """All cautions folded into a line that names their topics."""
    topics = ", ".join(caution.topic for caution in cautions)
    yield f'<details class="caution"><summary>{how_many(len(cautions), "caution")}: '
    yield f"{escape(topics)}</summary>"
    yield from (f"<p>{escape(caution.text)}</p>" for caution in cautions)
    yield "</details>"


def _id(title: str) -> str:
    return f"section-{slug(title)}"


def _block(block: Block, svg: Mapping[str, str]) -> Iterator[str]:
    if isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Words):
        yield f"<p>{escape(block.text)}</p>"
    elif isinstance(block, Code):
        yield f"<pre>{escaped(block.text.rstrip())}</pre>"
    elif isinstance(block, Picture):
        yield f'<figure role="img" aria-label="{escape(block.words)}">'
        yield f"{inline(svg[block.name], block.name)}</figure>"
    elif isinstance(block, Link):
        file = escape(block.file)
        yield f'<p><a href="{file}">{file}</a>: {escape(block.words)}</p>'
    elif isinstance(block, Game):
        yield from _game(block)


def _table(table: Table) -> Iterator[str]:
    """A table; of a folded one all of it stands behind a click, and a very long one in a file."""
    brief, whole = fold(table)
    if not whole:
        yield _wide(table)
        return
    yield f'<div class="fold">\n<div class="brief">{_wide(brief)}</div>'
    if len(table.rows) > MAX_ROWS:
        yield f'<p><a href="{escape(file_of(table))}">{escape(whole)}</a></p></div>'
    else:
        yield f"<details><summary>{escape(whole)}</summary>{_wide(table)}</details></div>"


def _wide(table: Table) -> str:
    return f'<div class="wide">{table_html(table, sorted_by_hand=True)}</div>'


def _game(game: Game) -> Iterator[str]:
    yield f"<article><h3>{escape(game.title)}</h3>\n<p>{escape(game.story)}</p>"
    yield f"<pre>{escaped(game.board)}</pre>"
    ply = "" if game.ply is None else f' data-ply="{game.ply}"'
    yield f'<p><button type="button" class="show" data-game="{game.number}"{ply}>replay it</button>'
    yield f"<code>{escape(game.command)}</code></p></article>"


@dataclass(frozen=True)
class Embedded:
    """Games as JSON that can stand inside a page, and how many of all they are."""

    text: str
    games: int
    total: int


def embed_games(
    data: ReportData,
    replayed: Replayed,
    judged: Verdicts,
    most: int = MAX_GAMES,
    room: int = GAMES_BYTES,
) -> Embedded:
    """The games shown and the newest others, as far as there is room: a few hundred bytes each.

    A game is a list: number, round, first, second, result, reason, plies of the opening, moves (one
    character a column, * for a steal), detail, then for each move after the opening microseconds,
    score, depth and nodes; then for a judged game the kind of each move (its place in KINDS, - if
    unjudged), the exact scores of all positions, and by ply the moves that would have kept what a
    blunder gave away. A list of which nothing is known is 0. The page knows the order as well.
    """
    rules = data.rules
    reasons: dict[str, int] = {}
    chosen: dict[int, str] = {}
    for row in [*replayed.shown, *reversed(replayed.newest)]:
        if row.number not in chosen and len(chosen) < most:
            text = _json([*_compact(row, reasons), *_verdicts(judged.get(row.number), rules)])
            room -= len(text)
            if room < 0:
                break
            chosen[row.number] = text
    board = {name: getattr(rules, name) for name in ("width", "depth", "height", "connect", "pie")}
    facts = {"rules": board, "names": data.names, "reasons": list(reasons),
             "kinds": KINDS}  # fmt: skip
    games = ",\n".join(chosen[number] for number in sorted(chosen))
    text = f'{_json(facts)[:-1]},"games":[\n{games}\n]}}'
    for sign in "<>&":  # whatever names it holds, it ends no script and begins no comment
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Embedded(text, len(chosen), replayed.total)


def _compact(row: FinishedGame, reasons: dict[str, int]) -> list[Any]:
    """A game without verdicts; times, scores, depths and nodes rounded to what is shown."""
    try:
        moves = row.move_records()
    except ValueError:  # bytes that are no telemetry
        moves = []
    figures = (
        [_rounded(move.seconds * 1e6, 3) for move in moves],
        [_rounded(move.score, 5) for move in moves],
        [move.depth for move in moves],
        [_rounded(move.nodes, 4) for move in moves],
    )
    return [
        row.number, row.round, row.first, row.second, row.result,
        reasons.setdefault(row.reason, len(reasons)), len(row.opening),
        "".join(LETTERS[move] for move in row.moves), row.detail[:MAX_DETAIL],
        *(values if any(value is not None for value in values) else 0 for values in figures),
    ]  # fmt: skip


def _verdicts(judged: Judged | None, rules: Rules) -> list[Any]:
    """The kind of each move, the score of each position, and what blunders should have been."""
    if judged is None:
        return [0, 0, 0]
    verdicts = [verdict for _, verdict in judged.verdicts(rules)]
    kinds = "".join("-" if each is None else str(KINDS.index(each.kind)) for each in verdicts)
    right = {
        ply: "".join(LETTERS[move] for move in moves) for ply, moves in judged.better_moves.items()
    }
    return [kinds, judged.scores, right]


def _rounded(value: float | None, digits: int) -> float | None:
    if value is None or not isfinite(value):
        return None
    number = float(f"{value:.{digits}g}")
    return int(number) if number.is_integer() and abs(number) < 1e15 else number


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":"), allow_nan=False)
