"""What a reader must know: what to be careful about, and what the numbers of a report mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.journal import Contestant, Session
from arena.play.record import GOOD_ENDS
from arena.report import provenance
from arena.report.blocks import Block, Words
from arena.show.numbers import how_many, listed, percent
from arena.standings.accuracy import Accuracy
from arena.standings.rating import Ratings
from arena.standings.results import Results
from arena.standings.timekeeping import BUSY, WHY_LONG

FEW_GAMES = 20  # of an engine
MOST_NAMED = 5  # engines in a sentence
TIMED = ("seconds", "clock")  # on the wall, of which a busy machine takes its share
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
    unfinished = provenance.unfinished(sessions)
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
    lost_by: dict[int, dict[str, int]] = {}
    for reason, lost in results.causes.items():
        if reason not in GOOD_ENDS:
            for player, games in enumerate(lost.tolist()):
                if games:
                    lost_by.setdefault(player, {})[reason] = games
    return dict(sorted(lost_by.items(), key=lambda item: -sum(item[1].values())))


def _forfeits(results: Results) -> Iterator[Caution]:
    by_player = forfeits(results)
    if not by_player:
        return
    games = [score.games for score in results.scoreboard.scores]
    sentences = []
    for player, reasons in list(by_player.items())[:MOST_NAMED]:
        many = sorted(reasons.items(), key=lambda item: -item[1])
        each = [f"{count:,} {HOW.get(reason, f'by {reason}')}" for reason, count in many]
        sentences.append(
            f"{results.names[player]}: {listed(each)}, of {how_many(games[player], 'game')}"
        )
    rest = len(by_player) - len(sentences)
    sentences += [f"{how_many(rest, 'other engine')} as well"] if rest else []
    total = sum(sum(reasons.values()) for reasons in by_player.values())
    yield Caution(
        "forfeited games",
        f"{how_many(total, 'game')} of {results.games:,} "
        f"{'was' if total == 1 else 'were'} forfeited ({'; '.join(sentences)}). Such a game says "
        "that an engine failed, not how well it or its opponent plays.",
    )


def _busy(players: Sequence[Contestant], results: Results) -> Iterator[Caution]:
    ratio = results.time.ratio
    if ratio is None or ratio <= BUSY:
        return
    if any_timed(players):
        effect = "Engines limited by time could do less in it: take losses on time, and all results"
        effect += " of theirs, with care."
    else:
        effect = "Nothing was limited by time, so that the games are the same; compare times by "
        effect += "the processor."
    yield Caution(
        "a busy machine",
        f"Moves took {ratio:.1f} times as long on the wall as on the processor: {WHY_LONG}. "
        f"{effect}",
    )


def any_timed(players: Sequence[Contestant]) -> bool:
    """Whether somebody was limited by time, so that a busy machine changes the games."""
    names = {part.partition("=")[0] for player in players for part in player.limits.split()}
    return not names.isdisjoint(TIMED)


def _few(results: Results) -> Iterator[Caution]:
    games = [score.games for score in results.scoreboard.scores if score.games]
    least = min(games)
    if least < FEW_GAMES:
        some = how_many(least, "game")
        each = f"{some} each" if least == max(games) else f"only {some} of some engines"
        yield Caution("few games", f"There are few games, {each}: the ratings are rough.")


def _perfect(results: Results) -> Iterator[Caution]:
    """Engines that won, or lost, every game: only the prior holds their ratings."""
    scores = list(enumerate(results.scoreboard.scores))
    sentences = []
    won = [player for player, score in scores if score.games and score.won == score.games]
    lost = [player for player, score in scores if score.games and score.lost == score.games]
    for words, all_so in (("won", won), ("lost", lost)):
        if all_so:
            names = [results.names[player] for player in all_so[:MOST_NAMED]]
            names += ["others"] if len(all_so) > MOST_NAMED else []
            sentences.append(f"{listed(names)} {words} every game")
    if all(score.drawn == score.games for _, score in scores):
        yield Caution("drawn games", "Every game was drawn: these games tell no engines apart.")
    elif sentences:
        yield Caution(
            "perfect scores",
            f"{' and '.join(sentences)}: only the prior holds such a rating, and the engine may be "
            "much further from the others than it says.",
        )


def glossary(ratings: Ratings) -> Iterator[Block]:
    """How the numbers are made, for a reader who did not make them."""
    yield Words(
        "Place: in the order of the format. A knockout ranks by how far each came; a Swiss by "
        "points with byes, then by Buchholz, the points of the opponents; a round-robin by score; "
        "the others by rating. What is equal goes by rating."
    )
    yield Words(
        "Score: a win is a point, a draw half a point; points over games. Ratings: the strengths "
        "that explain all games together best (Bradley and Terry's model, maximum likelihood), "
        "on the Elo scale: 400 points ahead means ten points scored for each one lost. The worth "
        "of the first move is fitted with them. Zero is the mean of the rated engines"
        + (f", with {ratings.anchor} held at {ratings.anchor_elo:g}." if ratings.anchor else ".")
    )
    yield Words(
        f"Prior: {ratings.prior_words}. It keeps the ratings of engines that won or lost "
        "everything finite, and matters little otherwise."
    )
    yield Words(
        "±: half of the 95 % interval, from the games' own spread, draws included; games with the "
        "same opening go together (clustered variance). Intervals that overlap do not mean that "
        "two engines are equal: see “better than next”, the likelihood that an engine is stronger "
        "than the one below it."
    )
    yield Words(
        "Times are measured for each move, on the wall and on the processor; compile time is never "
        "counted. Medians and 95th percentiles (p95) are estimated to 1 %. A dash is a number that "
        "is not known: an engine need not tell its nodes or its depth. In plots by move, a point "
        "that stands for less than 2 % of an engine's games is left out."
    )
