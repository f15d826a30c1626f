"""The question of a tournament and its answer: a sentence with its numbers, and how it is found."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from arena.report.blocks import Block, Words
from arena.report.conditions import NO_LIMIT, limits_in_words, used_limits
from arena.report.data import ReportData
from arena.show.numbers import elo, how_many, likely, percent, percent_range
from arena.show.standings import RECORD, record
from arena.show.strength import difference_data, elo_range, elo_words, more_games
from arena.show.table import Cell, Column, Table
from arena.standings.evidence import expected_score, value_of
from arena.standings.question import Answer, HeadToHead

START = {"yes": "Yes", "no": "No", "open": "Not decided by these games"}


def question_paragraph(data: ReportData, answer: Answer) -> str:
    """The question and its answer, first of all in a report."""
    return f"{answer.question.ask} {answer_sentence(data, answer)}"


def answer_sentence(data: ReportData, answer: Answer) -> str:
    """Yes, no or open, by the best of both sides; and how many more games it takes if open."""
    names, best, question = data.names, answer.best, answer.question
    one, other = names[best.player], names[best.other]
    if best.difference is None:
        return f"Not answered yet: {one} and {other} have not met and have no common opponents."
    sides = one + _pick(len(question.better)), other + _pick(len(question.than))
    sentence = (
        f"{START[answer.verdict]}: {_score(best, *sides)}{_limits(data, best)}: "
        f"{elo_words(best.difference)}, {likely(best.difference.los)} likely to be stronger"
    )
    more = more_games(best.difference, answer.confidence) if answer.verdict == "open" else ""
    return f"{sentence}.{more}"


def _pick(several: int) -> str:
    return f" (the best of {several})" if several > 1 else ""


def _score(best: HeadToHead, one: str, other: str) -> str:
    if best.score is None:
        return f"{one} has not met {other}, but they have common opponents"
    score, interval = percent(best.score.value), percent_range(*_share_interval(best))
    games = how_many(best.games.games, "game")
    return f"{one} scores {score} ({interval} %) in {games} against {other}"


def _share_interval(best: HeadToHead) -> tuple[float, float]:
    """The interval of the score, seen from that of the difference."""
    assert best.difference is not None
    low, high = map(expected_score, best.difference.interval())
    return low, high


def _limits(data: ReportData, best: HeadToHead) -> str:
    """What both had for a move, if a journal says so."""
    players = data.header.players
    one, other = (
        limits_in_words(used_limits(players[each])) or NO_LIMIT
        for each in (best.player, best.other)
    )
    if not best.games.games or one == other == NO_LIMIT:
        return ""
    if one == other:
        return f" at equal {'time' if 's' in one.split() else 'limits'} ({one}{_a_move(one)})"
    return f" ({one} against {other})"


def _a_move(limits: str) -> str:
    return "" if "clock" in limits else " a move"


def question_section(data: ReportData) -> Iterator[Block]:
    """How the answer was found, and each of one side against each of the other."""
    answer = data.answer
    if answer is None or not data.results.games:
        return
    yield Words(_how(answer))
    if data.results.scoreboard.ended_by is not None:
        yield Words(
            "The sequential test ended the run. A test that stops at a difference overstates it: "
            "the Elo difference of its two engines allows for that."
        )
    yield pairs_table(data, answer)


def _how(answer: Answer) -> str:
    pairs, sure = answer.question.pairs, percent(answer.confidence, 2)
    if pairs == 1:
        return f"Decided by the head-to-head games of the two engines, with {sure} confidence."
    return (
        "Each side is represented by its best engine in the standings. Decided by the head-to-head "
        f"games of these two, with {sure} confidence, as there are {pairs} pairs to choose from."
    )


def pairs_table(data: ReportData, answer: Answer) -> Table:
    """Each of one side against each of the other, by games and by exact scores."""
    names = data.names
    columns = [Column("engine"), Column("against"), *RECORD]
    columns += [Column("Elo", elo), Column("95 %", elo_range, "elo", True)]
    columns += [Column("likely stronger", likely, "los")]
    judged = any(each.kept for each in answer.comparisons)
    columns += [Column("keeps value", percent), Column("other keeps it", percent)] if judged else []
    rows: list[tuple[Cell, ...]] = []
    for each in answer.comparisons:
        difference = each.difference
        row: list[Cell] = [names[each.player], names[each.other], *record(each.games)]
        row += [None] * 3 if difference is None else [
            value_of(difference), difference.interval(), difference.los
        ]  # fmt: skip
        if judged:
            row += [None] * 2 if each.kept is None else [share.value for share in each.kept]
        rows.append(tuple(row))
    return Table("Each of one side against each of the other", tuple(columns), tuple(rows))


def question_figures(data: ReportData) -> dict[str, Any]:
    """The answer for programs, under its key; nothing where nothing was asked."""
    answer = data.answer
    if answer is None:
        return {}
    names, best = data.names, answer.best
    figures = {
        "ask": answer.question.ask,
        "verdict": answer.verdict,
        "answer": answer_sentence(data, answer),
        "better": names[best.player],
        "than": names[best.other],
        "games": best.games.games,
        "score": value_of(best.score),
        "score_interval": None if best.score is None else _share_interval(best),
        "difference": difference_data(best.difference),
        "confidence": answer.confidence,
        "pairs": pairs_table(data, answer).records(),
    }
    if best.kept is not None:
        shares = [{"share": kept.value, "interval": kept.interval()} for kept in best.kept]
        figures["critical_value_kept"] = dict(zip(("better", "than"), shares, strict=True))
    return {"question": figures}
