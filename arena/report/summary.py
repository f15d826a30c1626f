"""The first screen of a report: facts, and the answer in at most 60 words.

Two engines alone are compared by their head-to-head score; the order of more of them by ratings,
corrected for the number of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.journal import Contestant
from arena.report.blocks import Block, Words
from arena.report.conditions import NO_LIMIT, date, limits_in_words, used_limits
from arena.report.data import ReportData
from arena.show.numbers import elo, halves, how_many, likely, listed, percent, percent_range
from arena.show.standings import RECORD, record
from arena.show.strength import elo_range, elo_words, more_games, verdict
from arena.show.table import Cell, Column, Table
from arena.standings.evidence import expected_score, value_of
from arena.standings.question import Answer, HeadToHead, difference
from arena.standings.ranking import by_strength, significant_pairs, tiers

MAX_TIERS = 8  # in a chain
MAX_IN_TIER = 3  # named; of more, the first and the last
MAX_NAMED = 3  # engines in a sentence
SPRT = "SPRT: "
BYES = "with byes"  # the column of a Swiss
FINISHED = "all games are played"
START = {"yes": "Yes", "no": "No", "open": "Not decided by these games"}


def head(data: ReportData) -> Iterator[Block]:
    """The top of a report: the facts, the question, and the answer."""
    yield Words(facts(data))
    if data.aims.about:
        yield Words(data.aims.about)
    yield from map(Words, question(data))
    yield Words(answer(data))


def facts(data: ReportData) -> str:
    """The tournament in a line."""
    parts = [f"{how_many(data.results.games, 'game')} of {data.rules}",
             how_many(len(data.names), "engine")]  # fmt: skip
    if data.sessions:
        last = data.sessions[-1].ended or data.sessions[-1].started
        days = [str(date(at))[:10] for at in (data.sessions[0].started, last)]
        parts.append(" to ".join(dict.fromkeys(days)))
    why = str(data.sessions[-1].why) if data.sessions else None
    state = None
    if data.is_unfinished:
        state = "Unfinished"
    elif why == FINISHED:
        state = "Finished"
    elif why is not None and not why.startswith(SPRT):  # which the answer repeats
        state = f"Ended: {why}"
    sentences = [", ".join(parts), limits_sentence(data.header.players), state]
    return f"{'. '.join(filter(None, sentences))}."


def limits_sentence(players: Sequence[Contestant]) -> str | None:
    """The limits of all engines, without a full stop; None if a journal does not say."""
    limits = {used_limits(player) for player in players} - {""}
    if not limits:
        return None
    if len(limits) > 1:
        return "Limits differ"
    if limits == {NO_LIMIT}:
        return "No engine was limited"
    words = limits_in_words(limits.pop())
    words = words if "clock" in words else f"{words} per move"
    ignoring = [player.name for player in players if player.limits and not used_limits(player)]
    if not ignoring:
        return f"Every engine had {words}"
    some = listed(ignoring) if len(ignoring) <= MAX_NAMED else how_many(len(ignoring), "engine")
    return f"Every engine had {words}, except {some} without a limit"


def question(data: ReportData) -> tuple[str, ...]:
    """The question with its answer, as a paragraph; none where nothing was asked."""
    if data.answer is None:
        return ()
    return (f"{data.answer.question.ask} {answer_sentence(data, data.answer)}",)


def answer_sentence(data: ReportData, answer: Answer) -> str:
    """Yes, no or open, by the best of both sides; and how many more games it takes if open."""
    best, question, names = answer.best, answer.question, data.names
    one, other = names[best.player], names[best.other]
    if best.difference is None:
        return f"Not answered yet: {one} and {other} have not met and have no common opponents."
    one += f" (the best of {len(question.better)})" if len(question.better) > 1 else ""
    other += f" (the best of {len(question.than)})" if len(question.than) > 1 else ""
    if best.score is None:
        words = f"{one} has not met {other}, but they have common opponents"
    else:
        score, interval = percent(best.score.value), percent_range(*share_interval(best))
        games = how_many(best.games.games, "game")
        words = f"{one} scores {score} ({interval} %) in {games} against {other}"
        words += _limits(data.header.players[best.player], data.header.players[best.other])
    more = more_games(best.difference, answer.confidence) if answer.verdict == "open" else ""
    return (
        f"{START[answer.verdict]}: {words}: {elo_words(best.difference)}, "
        f"{likely(best.difference.los)} likely to be stronger.{more}"
    )


def share_interval(best: HeadToHead) -> tuple[float, float]:
    """The interval of the score, seen from that of the difference."""
    assert best.difference is not None
    low, high = map(expected_score, best.difference.interval())
    return low, high


def _limits(*players: Contestant) -> str:
    """The limits of both for a move, if a journal has them."""
    one, other = (limits_in_words(used_limits(player)) or NO_LIMIT for player in players)
    if one == other == NO_LIMIT:
        return ""
    if one != other:
        return f" ({one} against {other})"
    kind = "time" if "s" in one.split() else "limits"
    return f" at equal {kind} ({one}{'' if 'clock' in one else ' a move'})"


def question_section(data: ReportData) -> Iterator[Block]:
    """The method of the answer, and a table of each of one side against each of the other."""
    answer = data.answer
    if answer is None or not data.results.games:
        return
    pairs, sure = answer.question.pairs, percent(answer.confidence, 2)
    if pairs == 1:
        yield Words(
            f"Decided by the head-to-head games of the two engines, with {sure} confidence."
        )
    else:
        yield Words(
            "Each side is represented by its best engine in the standings. Decided by the "
            f"head-to-head games of these two, with {sure} confidence, as there are {pairs} pairs "
            "to choose from."
        )
    if data.results.scoreboard.ended_by is not None:
        yield Words(
            "The sequential test ended the run. A test that stops at a difference overstates it: "
            "the Elo difference of its two engines allows for that."
        )
    yield pairs_table(data, answer)


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


# ---- the answer that every tournament has


def answer(data: ReportData) -> str:
    """The winner, and how certain that is, in at most 60 words."""
    if not data.results.games:
        return "No game has been played yet."
    return " ".join([_winner(data), *_certainty(data)])


def _winner(data: ReportData) -> str:
    """The winner, or the leader so far."""
    ratings, names, over = data.ratings, data.names, not data.is_unfinished
    scores = data.results.scoreboard.scores
    if data.champion is not None:
        words = f"won the {data.format} of {len(names)} engines"
        return f"{names[data.champion]} {words}, with {_record(data, data.champion)}."
    groups = [group for group in ratings.groups if group.games]
    if len(groups) > 1 and not data.ranked_by:
        first = [names[group.players[0]] for group in groups[:MAX_NAMED]]
        return (
            f"There is no overall winner: {len(groups)} groups of engines never met, not even "
            "through common opponents. First in "
            f"{'them' if len(groups) <= MAX_NAMED else 'the largest'}: {listed(first)}."
        )
    played = [player for player in data.order if scores[player].games]
    if len(played) == 1:
        return f"Only {names[played[0]]} has played, against itself."
    level = _level_with_first(data, played)
    if len(played) == 2:
        return _match(data, played, len(level) == 2)
    if len(level) > MAX_NAMED:
        place = f"{len(level)} engines share first place"
    elif len(level) > 1:
        place = f"{listed([names[player] for player in level])} share first place"
    else:
        place = f"{names[played[0]]} {'came' if over else 'is'} first"
    so_far = "" if over else " so far"
    return f"{place} of {len(played)} engines{so_far}, with {_record(data, played[0])}."


def _level_with_first(data: ReportData, played: Sequence[int]) -> list[int]:
    """The first of the standings and all that are equal to it in what their format ranks by."""
    scores, elo, own = data.results.scoreboard.scores, data.ratings.elo, data.ranked_by
    by_rating = not own and data.format != "round-robin"

    def rank(player: int) -> tuple[object, ...]:
        figures = tuple(values[player] for values in own.values())
        if BYES in own:
            return figures
        rating = round(elo[player] or 0.0, 1) if by_rating else None
        return *figures, scores[player].games, scores[player].points, rating

    return [player for player in played if rank(player) == rank(played[0])]


def _record(data: ReportData, player: int) -> str:
    """The points of a player, byes, and its rating."""
    ratings, score = data.ratings, data.results.scoreboard.scores[player]
    words = f"{halves(score.points)} of {how_many(score.games, 'point')} ({percent(score.share)})"
    if BYES in data.ranked_by and data.ranked_by[BYES][player] != score.points:
        words += f", {halves(float(data.ranked_by[BYES][player]))} with byes"
    elo, error = ratings.elo[player], ratings.error[player]
    return words if elo is None or error is None else f"{words}, {elo:z.0f} ± {error:.0f} Elo"


def _match(data: ReportData, played: Sequence[int], is_level: bool) -> str:
    """The score of two engines."""
    over, (one, other) = not data.is_unfinished, (data.names[player] for player in played)
    wdl = data.results.scoreboard.versus(*played)
    score = f"{halves(wdl.points)} to {halves(wdl.games - wdl.points)} points"
    details = f"({wdl.won:,} won, {wdl.drawn:,} drawn, {wdl.lost:,} lost)"
    if is_level:
        return f"{one} and {other} {'ended' if over else 'are'} level, {score} {details}."
    return f"{one} {'beat' if over else 'leads against'} {other} by {score} {details}."


def _certainty(data: ReportData) -> Iterator[str]:
    """Whether the first differs from the others, by the test that ended the run, or by ratings."""
    why = str(data.sessions[-1].why) if data.sessions else ""
    if why.startswith(SPRT):
        yield f"The sequential test ended the run: {why.removeprefix(SPRT)}."
        if len(data.names) == 2:
            return  # the difference that ended a test is overstated: see standings/question.py
    elif data.sprt:
        yield "The sequential test is not decided."
    players = _comparable(data)
    if len(players) < 2:
        return
    names, first, second = data.names, *players[:2]
    if len(players) == 2:
        apart = difference(data.results.scoreboard, data.ratings, first, second)
        if apart is not None:
            yield verdict((names[first], names[second]), apart)
        return
    top = tiers(data.ratings, players)[0]
    if len(top) == 1:
        rated = "" if first == data.order[0] else "By rating, "
        yield f"{rated}{names[first]} is significantly stronger than every other engine."
        return
    few = len(top) <= MAX_NAMED
    some = listed([names[player] for player in top]) if few else f"the top {len(top)}"
    yield f"{'No clear winner' if data.champion is None else 'By rating'}: {some} are within error."


def _comparable(data: ReportData) -> list[int]:
    """The players by rating, if there is one group of them."""
    groups = [at for at, group in enumerate(data.ratings.groups) if group.games]
    return by_strength(data.ratings, groups[0]) if len(groups) == 1 else []


def pairs_sentence(data: ReportData) -> str | None:
    """How many pairs differ significantly, and the order that this makes; None for one pair."""
    players = _comparable(data)
    if len(players) < 3:
        return None
    in_tiers = tiers(data.ratings, players)
    sure, pairs = significant_pairs(data.ratings, players)
    order = f": {chain(in_tiers, data.names)}" if len(in_tiers) > 1 else ""
    some = "No pair differs" if not sure else f"{sure:,} of {pairs:,} pairs differ"
    return f"{some} significantly (all pairs together at 95 %){order}."


def chain(in_tiers: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """Tiers from the strongest to the weakest: a > b, c > d to h (5)."""
    links = []
    for tier in in_tiers[:MAX_TIERS]:
        if len(tier) <= MAX_IN_TIER:
            links.append(", ".join(names[player] for player in tier))
        else:
            links.append(f"{names[tier[0]]} to {names[tier[-1]]} ({len(tier)})")
    rest = sum(map(len, in_tiers[MAX_TIERS:]))
    links += [f"{rest} more"] if rest else []
    return " > ".join(links)
