"""Everything to be careful about in the figures of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.journal import Contestant
from arena.report.blocks import Caution
from arena.report.data import ReportData
from arena.show.numbers import how_many, listed, percent, whole_percent
from arena.standings.results import Results
from arena.standings.timekeeping import BUSY, WHY_LONG
from arena.table.game import GOOD_ENDS

MAX_NAMED = 3  # engines in a sentence
FEW_GAMES = 20  # of an engine
FEW_DISTINCT = 0.5  # of all games: fewer are worth a caution
IDLE = 0.5  # of the allowed time: an engine that uses less could have thought longer
TIMED = {"seconds", "clock"}  # on the wall, of which a busy machine takes its share
FAULTS = {"time": "on time", "exception": "by an exception", "illegal move": "by an illegal move",
          "memory": "by using too much memory", "crash": "by a crash"}  # fmt: skip


def cautions(data: ReportData) -> list[Caution]:
    """All of them, the most serious first."""
    return list(_cautions(data))


def _cautions(data: ReportData) -> Iterator[Caution]:
    results, accuracy = data.results, data.accuracy
    if data.is_unfinished:
        last = data.sessions[-1]
        how = f"ended with “{last.why}”" if last.ended else "is still going or was cut short"
        yield Caution("unfinished tournament", f"This tournament is unfinished: its last run {how}."
                      f" The numbers are those of the {how_many(results.games, 'game')} so "
                      "far.")  # fmt: skip
    if not results.games:
        return
    yield from _forfeits(results)
    for words in data.changed:
        yield Caution("changed engine", f"An engine changed between runs: {words}.")
    for words in data.crowded:
        yield Caution("crowded machine", f"Before the games: {words}.")
    yield from _busy(data.header.players, results.time.ratio)
    games = [score.games for score in results.scoreboard.scores if score.games]
    if min(games) < FEW_GAMES:
        some = how_many(min(games), "game")
        each = f"{some} each" if min(games) == max(games) else f"only {some} of some engines"
        yield Caution("few games", f"There are few games, {each}: the ratings are rough.")
    if results.distinct < FEW_DISTINCT:
        words = (
            f"Only {percent(results.distinct)} of the games are different: copies add no evidence, "
            "and the intervals allow for that."
        )
        yield Caution("repeated games", words)
    yield from _idle(results)
    yield from _perfect(results)
    if accuracy is not None and accuracy.unjudged:
        share = accuracy.unjudged / (accuracy.moves + accuracy.unjudged)
        words = (
            f"{percent(share)} of the moves in the judged games are unjudged: the accuracy tables "
            "do not include their value."
        )
        yield Caution("unjudged moves", words)


def _forfeits(results: Results) -> Iterator[Caution]:
    """The games that players lost by their own fault, by reason; the worst first."""
    faults = {reason: lost for reason, lost in results.causes.items() if reason not in GOOD_ENDS}
    lost_by = {
        player: {reason: int(lost[player]) for reason, lost in faults.items() if lost[player]}
        for player in range(len(results.names))
    }
    lost_by = {player: reasons for player, reasons in lost_by.items() if reasons}
    if not lost_by:
        return
    sentences = []
    worst_first = sorted(lost_by.items(), key=lambda item: -sum(item[1].values()))
    for player, reasons in worst_first[:MAX_NAMED]:
        many = sorted(reasons.items(), key=lambda item: -item[1])
        each = [f"{count:,} {FAULTS.get(reason, f'by {reason}')}" for reason, count in many]
        played = how_many(results.scoreboard.scores[player].games, "game")
        sentences.append(f"{results.names[player]}: {listed(each)}, of {played}")
    rest = len(lost_by) - len(sentences)
    sentences += [f"{how_many(rest, 'other engine')} as well"] if rest else []
    total = sum(sum(reasons.values()) for reasons in lost_by.values())
    words = (
        f"{how_many(total, 'game')} of {results.games:,} "
        f"{'was' if total == 1 else 'were'} forfeited ({'; '.join(sentences)}). Such a game shows "
        "that an engine failed, not how well it or its opponent plays."
    )
    yield Caution("forfeited games", words)


def _busy(players: Sequence[Contestant], ratio: float | None) -> Iterator[Caution]:
    """A busy machine, which changes games only where time limits them."""
    if ratio is None or ratio <= BUSY:
        return
    limits = {part.partition("=")[0] for player in players for part in player.limits.split()}
    if limits & TIMED:
        effect = "Engines with a time limit could search less, so their results and losses on time "
        effect += "are doubtful."
    elif "cpu" in limits:
        effect = "Limits of processor time are not affected; compare processor times."
    else:
        effect = "No engine had a time limit, so the games are not affected; compare processor "
        effect += "times."
    words = f"Moves took {ratio:.1f} times their processor time: {WHY_LONG}. {effect}"
    yield Caution("busy machine", words)


def _idle(results: Results) -> Iterator[Caution]:
    """Engines that left most of their time unused."""
    idle = sorted(
        (moves.used, player)
        for player, moves in enumerate(results.moves)
        if moves.used is not None and moves.used < IDLE
    )
    if idle:
        some = [f"{results.names[at]} {whole_percent(used)}" for used, at in idle[:MAX_NAMED]]
        some += [how_many(len(idle) - MAX_NAMED, "other engine")] if len(idle) > MAX_NAMED else []
        yield Caution("unused time", f"Most of the allowed time was left unused: {listed(some)}.")


def _perfect(results: Results) -> Iterator[Caution]:
    """Engines that won, or lost, every game: only the prior keeps their ratings finite."""
    scores = results.scoreboard.scores
    if all(score.drawn == score.games for score in scores):
        words = "Every game was drawn, so these games do not separate any engines."
        yield Caution("drawn games", words)
        return
    sentences = []
    for verb in ("won", "lost"):
        names = [results.names[player] for player, score in enumerate(scores)
                 if score.games and getattr(score, verb) == score.games]  # fmt: skip
        if names:
            others = ["others"] if len(names) > MAX_NAMED else []
            sentences.append(f"{listed([*names[:MAX_NAMED], *others])} {verb} every game")
    if sentences:
        words = (
            f"{' and '.join(sentences)}. Only the prior keeps such a rating finite: the engine may "
            "be much further from the others than shown."
        )
        yield Caution("perfect scores", words)
