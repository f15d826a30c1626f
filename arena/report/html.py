"""A report as one page that needs nothing else: styles, scripts, pictures and games inside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
from arena.report.csv_files import judged_by_number
from arena.report.data import ReportData
from arena.show.numbers import how_many
from arena.show.table import Table, escape, table_html
from arena.table.game import Game as FinishedGame

SHADES = {PAPER: "var(--paper)", INK: "var(--ink)", FAINT: "var(--faint)", GRID: "var(--grid)"}

MAX_ROWS = 1000  # of a table that unfolds
ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"
LETTERS = dict(enumerate(ALPHABET)) | {STEAL: "*"}  # of moves
MAX_GAMES = 10_000
MAX_DETAIL = 200
MAX_BYTES, MIN_ROOM = 4_500_000, 500_000  # of a page, of the games in it


def write_page(
    data: ReportData,
    head: Sequence[Block],
    sections: Mapping[str, Sequence[Block]],
    svg: Mapping[str, str],
    games: Sequence[FinishedGame] = (),
) -> str:
    """The whole page; without games to replay, the most important first, it has no board."""
    parts = ["\n".join(_section(title, blocks, svg)) for title, blocks in sections.items()]
    room = max(MIN_ROOM, MAX_BYTES - sum(map(len, parts)))
    text, count = embed_games(data, games, room)
    links = [f'<a href="#{_id(title)}">{escape(title)}</a>' for title in sections]
    if count:
        links.insert(1, '<a href="#replay">Replay</a>')
        parts.insert(1, _replay(count, data.results.games))
    return Template(_read_part("page.html")).substitute(
        name=escape(data.header.name),
        style=_read_part("page.css"),
        head="\n".join(_blocks(head, svg)),
        links=" ".join(links),
        sections="\n".join(parts),
        games=text,
        script=_read_part("page.js"),
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


def _read_part(name: str) -> str:
    return files("arena.report").joinpath("page", name).read_text(encoding="utf-8")


def _replay(count: int, total: int) -> str:
    cut = (
        f"The page holds {count:,} of {total:,} games: the notable ones and the newest. The others "
        "are in the journal: see arena games."
    )
    return _read_part("replay.html").replace("@CUT@", escape(cut) if count < total else "")


def _section(title: str, blocks: Iterable[Block], svg: Mapping[str, str]) -> Iterator[str]:
    yield f'<section id="{_id(title)}">\n<h2>{escape(title)}</h2>'
    yield from _blocks(blocks, svg, title)
    yield "</section>"


def _blocks(blocks: Iterable[Block], svg: Mapping[str, str], title: str = "") -> Iterator[str]:
    for kind, group in groupby(blocks, type):
        if kind is Caution:
            yield from _cautions([block for block in group if isinstance(block, Caution)])
        else:
            for block in group:
                yield from _block(block, svg, title)


def _cautions(cautions: Sequence[Caution]) -> Iterator[str]:
    """All cautions folded into a line that names their topics."""
    topics = ", ".join(caution.topic for caution in cautions)
    yield f'<details class="caution"><summary>{how_many(len(cautions), "caution")}: '
    yield f"{escape(topics)}</summary>"
    yield from (f"<p>{escape(caution.text)}</p>" for caution in cautions)
    yield "</details>"


def _id(title: str) -> str:
    return f"section-{slug(title)}"


def _block(block: Block, svg: Mapping[str, str], title: str) -> Iterator[str]:
    match block:
        case Table():
            if block.title != title:
                yield f"<h3>{escape(block.title)}</h3>"
            yield from _table(block)
        case Words():
            yield f"<p>{escape(block.text)}</p>"
        case Code():
            yield f"<pre>{escaped(block.text.rstrip())}</pre>"
        case Picture():
            yield f'<figure role="img" aria-label="{escape(block.words)}">'
            yield f"{inline(svg[block.name], block.name)}</figure>"
        case Link():
            file = escape(block.file)
            yield f'<p><a href="{file}">{file}</a>: {escape(block.words)}</p>'
        case Game():
            ply = "" if block.ply is None else f' data-ply="{block.ply}"'
            yield f"<article><h3>{escape(block.title)}</h3>\n<p>{escape(block.story)}</p>"
            yield f"<pre>{escaped(block.board)}</pre>"
            yield f'<p><button type="button" class="show" data-game="{block.number}"{ply}>'
            yield f"replay it</button><code>{escape(block.command)}</code></p></article>"


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


def embed_games(data: ReportData, games: Iterable[FinishedGame], room: int) -> tuple[str, int]:
    """The first games that fit into this many bytes, as JSON for a page, and their number.

    A game is a list: number, round, first, second, result, reason, plies of the opening, moves (one
    character a column, * for a steal), detail, then for each move after the opening microseconds,
    score, depth and nodes; then for a judged game the kind of each move (its place in KINDS, - if
    unjudged), the exact scores of all positions, and by ply the moves that would have kept what a
    blunder gave away. A list of which nothing is known is 0. The page knows the order as well.
    """
    rules, judged = data.rules, judged_by_number(data.accuracy)
    reasons: dict[str, int] = {}
    chosen: dict[int, str] = {}
    for game in games:
        if game.number not in chosen:
            reason = reasons.setdefault(game.reason, len(reasons))
            text = _json([*_facts(game, reason), *_verdicts(judged.get(game.number), rules)])
            room -= len(text)
            if room < 0 or len(chosen) == MAX_GAMES:
                break
            chosen[game.number] = text
    board = {name: getattr(rules, name) for name in ("width", "depth", "height", "connect", "pie")}
    facts = {"rules": board, "names": data.names, "reasons": list(reasons),
             "kinds": KINDS}  # fmt: skip
    lines = ",\n".join(chosen[number] for number in sorted(chosen))
    text = f'{_json(facts)[:-1]},"games":[\n{lines}\n]}}'
    for sign in "<>&":  # whatever names it holds, it ends no script and begins no comment
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text, len(chosen)


def _facts(game: FinishedGame, reason: int) -> list[Any]:
    """A game without verdicts; times, scores, depths and nodes rounded for a reader."""
    try:
        moves = game.move_records()
    except ValueError:  # bytes that are no telemetry
        moves = []
    figures = (
        [_rounded(move.seconds * 1e6, 3) for move in moves],
        [_rounded(move.score, 5) for move in moves],
        [move.depth for move in moves],
        [_rounded(move.nodes, 4) for move in moves],
    )
    return [
        game.number, game.round, game.first, game.second, game.result, reason, len(game.opening),
        "".join(LETTERS[move] for move in game.moves), game.detail[:MAX_DETAIL],
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
