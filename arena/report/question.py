"""The question of a tournament and its answer: a sentence with its numbers, and how it is found."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from arena.report.answer import MOST_TIMES, SPRT
from arena.report.blocks import Block, Words
from arena.report.evidence import Evidence
from arena.report.limits import NO_LIMIT, limits_in_words, used_limits
from arena.show.numbers import elo, how_many, likely, one_digit, percent, percent_range
from arena.show.standings import RECORD, record
from arena.show.table import Column, Table
from arena.standings.compare import Difference
from arena.standings.question import LEAST_GAMES, Comparison, Reply
from arena.standings.ranking import times_more_games
from arena.standings.shares import Share

START = {"yes": "Yes", "no": "No", "open": "Not decided by these games"}


def question_paragraph(evidence: Evidence, reply: Reply) -> str:
    """The question and its answer, first of all in a report."""
    return f"{reply.question.ask} {reply_sentence(evidence, reply)}"


def reply_sentence(evidence: Evidence, reply: Reply) -> str:
    """Yes, no or open, by the best of both sides; and how many more games it takes if open."""
    names, best, question = evidence.results.names, reply.best, reply.question
    one, other = names[best.player], names[best.other]
    if best.difference is None:
        return f"Not answered yet: {one} and {other} have not met and have no common opponents."
    sides = one + _pick(len(question.better)), other + _pick(len(question.than))
    sentence = (
        f"{START[reply.verdict]}: {_score(best, *sides)}{_limits(evidence, best)}: "
        f"{_elo(best.difference)}, stronger with {likely(best.difference.los)} probability"
    )
    if best.kept is not None:
        own, theirs = map(_kept, best.kept)
        sentence += f". In critical positions, {one} keeps the value {own}, {other} {theirs}"
    return f"{sentence}.{_more_games(reply)}"


def _pick(several: int) -> str:
    return f" (the best of {several})" if several > 1 else ""


def _score(best: Comparison, one: str, other: str) -> str:
    if not best.games.games:
        return f"{one} has not met {other}, but they have common opponents"
    score, interval = percent(best.games.share), percent_range(*best.games.interval)
    games = how_many(best.games.games, "game")
    return f"{one} scores {score} ({interval} %) in {games} against {other}"


def _elo(difference: Difference) -> str:
    """A difference in Elo; of a match too one-sided for an error, what it is at least."""
    if difference.least:
        return f"{elo(difference.elo, 0)} Elo (at least {difference.least:.0f})"
    return f"{elo(difference.elo, 0)} ± {difference.error:.0f} Elo"


def _limits(evidence: Evidence, best: Comparison) -> str:
    """What both had for a move, if a journal says so."""
    players = evidence.header.players
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


def _kept(share: Share) -> str:
    low, high = share.interval
    interval = "" if low is None or high is None else f" ({percent_range(low, high)} %)"
    return f"in {percent(share.share)}{interval}"


def _more_games(reply: Reply) -> str:
    """How many games it would take to decide."""
    difference = reply.best.difference
    if reply.verdict != "open" or difference is None:
        return ""
    times = times_more_games(difference.los, reply.needed)
    if not 1 < times <= MOST_TIMES:
        return ""
    return f" If the gap is real, about {times:.1f} times as many games would decide it."


def question_blocks(evidence: Evidence, reply: Reply) -> Iterator[Block]:
    """How the answer was found, and each of one side against each of the other."""
    yield Words(_how(reply))
    if evidence.sessions and str(evidence.sessions[-1].why).startswith(SPRT):
        yield Words(
            "The sequential test ended the run. A test that stops at a difference overstates it: "
            "the difference is less certain than it looks."
        )
    yield pairs_table(evidence, reply)


def _how(reply: Reply) -> str:
    pairs, sure = reply.question.pairs, percent(reply.needed, 2)
    needed = (
        f"A yes or no needs at least {LEAST_GAMES} games and a probability of {sure} that one is "
        "stronger. Fewer games need a higher probability"
    )
    if pairs == 1:
        return f"The answer comes from the games of the two engines with each other. {needed}."
    return (
        "Each side is represented by its best engine in the standings. The answer comes from the "
        f"games of these two with each other. {needed}, and so do more pairs to choose from "
        f"(here {pairs})."
    )


def pairs_table(evidence: Evidence, reply: Reply) -> Table:
    """Each of one side against each of the other, by games and by exact scores."""
    names = evidence.results.names
    columns = [Column("engine"), Column("against"), *RECORD, Column("Elo", one_digit)]
    columns += [Column("±", one_digit), Column("stronger", likely)]
    judged = any(each.kept for each in reply.comparisons)
    columns += [Column("keeps value", percent), Column("other keeps it", percent)] if judged else []
    rows = []
    for each in reply.comparisons:
        difference = each.difference
        row = [names[each.player], names[each.other], *record(each.games)]
        row += (
            [None] * 3 if difference is None else [difference.elo, difference.error, difference.los]
        )
        if judged:
            row += [None] * 2 if each.kept is None else [share.share for share in each.kept]
        rows.append(tuple(row))
    return Table("Each of one side against each of the other", tuple(columns), tuple(rows))


def question_figures(evidence: Evidence, reply: Reply | None) -> dict[str, Any]:
    """The answer for programs, under its key; nothing where nothing was asked."""
    if reply is None:
        return {}
    names, best = evidence.results.names, reply.best
    figures = {
        "ask": reply.question.ask,
        "verdict": reply.verdict,
        "answer": reply_sentence(evidence, reply),
        "better": names[best.player],
        "than": names[best.other],
        "games": best.games.games,
        "score": best.games.share if best.games.games else None,
        "score_interval": best.games.interval if best.games.games else None,
        "difference": None if best.difference is None else asdict(best.difference),
        "needed_likelihood": reply.needed,
        "pairs": pairs_table(evidence, reply).records({"±": "error", "Elo": "elo"}),
    }
    if best.kept is not None:
        shares = [{"share": kept.share, "interval": kept.interval} for kept in best.kept]
        figures["critical_value_kept"] = dict(zip(("better", "than"), shares, strict=True))
    return {"question": figures}
