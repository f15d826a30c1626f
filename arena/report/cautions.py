"""What a reader must know before believing the numbers of a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.journal import Contestant, Session
from arena.play.record import GOOD_ENDS
from arena.report import origin
from arena.report.limits import any_timed
from arena.show.numbers import how_many, listed, percent
from arena.standings.accuracy import Accuracy
from arena.standings.results import DRAW, LOSS, WIN, Results
from arena.standings.timekeeping import BUSY, WHY_LONG

FEW_GAMES = 20  # of an engine
MOST_NAMED = 5  # engines in a sentence
HOW = {"time": "on time", "exception": "by an exception", "illegal move": "by an illegal move",
       "memory": "by using too much memory", "crash": "by a crash"}  # fmt: skip


@dataclass(frozen=True)
class Caution:
    """A topic to be careful about, and what there is to know."""

    topic: str
    words: str


def cautions(
    players: Sequence[Contestant],
    sessions: Sequence[Session],
    results: Results,
    accuracy: Accuracy | None,
    crowded: Sequence[str] = (),
    damage: str = "",
    changed: Sequence[str] = (),
) -> Iterator[Caution]:
    """Everything to be careful about, the most serious first.

    What was said before the games of a crowded machine and of changed engines is said again.
    """
    unfinished = origin.unfinished(sessions)
    if unfinished:
        so_far = f"The numbers are those of the {how_many(results.games, 'game')} so far."
        yield Caution("an unfinished tournament", f"{unfinished} {so_far}")
    if damage:
        yield Caution("a damaged journal", f"The journal is damaged; this is left out: {damage}.")
    if not results.games:
        return
    yield from _forfeits(results)
    for words in changed:
        yield Caution("a changed engine", f"Before a later run it was said: {words}.")
    for words in crowded:
        yield Caution("a crowded machine", f"Before the games it was said: {words}.")
    yield from _busy(players, results)
    yield from _few(results)
    if results.distinct < 0.5:
        yield Caution(
            "repeated games",
            f"Only {percent(results.distinct)} of the games are distinct: repeated games "
            "add no evidence, and the errors are larger than shown.",
        )
    yield from _perfect(results)
    if accuracy is not None and accuracy.unjudged:
        share = accuracy.unjudged / (accuracy.moves + accuracy.unjudged)
        yield Caution(
            "unjudged moves",
            f"{percent(share)} of the moves in the judged games are unjudged: the accuracies leave "
            "open what they were worth.",
        )


def forfeits(results: Results) -> dict[int, dict[str, int]]:
    """The games that each player lost by its own fault, by reason; the worst first."""
    found: dict[int, dict[str, int]] = {}
    for reason, lost in results.causes.items():
        if reason not in GOOD_ENDS:
            for player, games in enumerate(lost.tolist()):
                if games:
                    found.setdefault(player, {})[reason] = games
    return dict(sorted(found.items(), key=lambda item: -sum(item[1].values())))


def _forfeits(results: Results) -> Iterator[Caution]:
    found = forfeits(results)
    if not found:
        return
    games = results.score.sum(axis=1).tolist()
    told = []
    for player, reasons in list(found.items())[:MOST_NAMED]:
        many = sorted(reasons.items(), key=lambda item: -item[1])
        each = [f"{count:,} {HOW.get(reason, f'by {reason}')}" for reason, count in many]
        told.append(
            f"{results.names[player]}: {listed(each)}, of {how_many(games[player], 'game')}"
        )
    rest = len(found) - len(told)
    told += [f"{how_many(rest, 'other engine')} as well"] if rest else []
    total = sum(sum(reasons.values()) for reasons in found.values())
    yield Caution(
        "forfeited games",
        f"{how_many(total, 'game')} of {results.games:,} "
        f"{'was' if total == 1 else 'were'} forfeited ({'; '.join(told)}). Such a game says that "
        "an engine failed, not how well it or its opponent plays.",
    )


def _busy(players: Sequence[Contestant], results: Results) -> Iterator[Caution]:
    if results.busy is None or results.busy <= BUSY:
        return
    if any_timed(players):
        effect = "Engines limited by time could do less in it: take losses on time, and all results"
        effect += " of theirs, with care."
    else:
        effect = "Nothing was limited by time, so that the games are the same; compare times by "
        effect += "the processor."
    yield Caution(
        "a busy machine",
        f"Moves took {results.busy:.1f} times as long on the wall as on the processor: {WHY_LONG}. "
        f"{effect}",
    )


def _few(results: Results) -> Iterator[Caution]:
    games = [int(count) for count in results.score.sum(axis=1) if count]
    least = min(games)
    if least < FEW_GAMES:
        some = how_many(least, "game")
        each = f"{some} each" if least == max(games) else f"only {some} of some engines"
        yield Caution("few games", f"There are few games, {each}: the ratings are rough.")


def _perfect(results: Results) -> Iterator[Caution]:
    """Engines that won, or lost, every game: only the prior holds their ratings."""
    score = results.score
    told = []
    for words, outcome in (("won", WIN), ("lost", LOSS)):
        all_so = [p for p, row in enumerate(score) if row.sum() and row[outcome] == row.sum()]
        if all_so:
            names = [results.names[player] for player in all_so[:MOST_NAMED]]
            names += ["others"] if len(all_so) > MOST_NAMED else []
            told.append(f"{listed(names)} {words} every game")
    if score[:, DRAW].sum() == score.sum():
        told = ["every game was drawn"]
        yield Caution("drawn games", "Every game was drawn: these games tell no engines apart.")
    elif told:
        yield Caution(
            "perfect scores",
            f"{' and '.join(told)}: only the prior holds such a rating, and the engine may be "
            "much further from the others than it says.",
        )
