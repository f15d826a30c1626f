"""What a report answers in its first paragraph: who won, under which limits, and how certain it is.

Who is the stronger of two is certain if that is at least as likely as SURE by the ratings, which
are fitted to all games at once; the likelihood is that of the two alone, whatever the other pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.journal import Contestant
from arena.report.evidence import Evidence
from arena.report.limits import limits_in_words
from arena.show.numbers import halves, how_many, likely, listed, percent
from arena.standings.ranking import SURE, by_strength, certain_pairs, tiers, times_more_games
from arena.standings.results import Results

MOST_TIERS = 8  # in a chain
MOST_IN_TIER = 3  # named; of more, the first and the last
MOST_LEVEL = 4  # engines named that share a place, a limit, or cannot be told apart
MOST_LIMITS = 6  # in a sentence
MOST_TIMES = 50  # as many games that it is worth to say so
SPRT = "SPRT: "
BYES = "with byes"  # the column of a Swiss


def answer(evidence: Evidence) -> str:
    """The whole paragraph."""
    limits = limits_sentence(evidence.header.players)
    if not evidence.results.games:
        return " ".join(["No game has been played yet.", *([limits] if limits else [])])
    sentences = [_winner(evidence), *([limits] if limits else []), *_certain(evidence)]
    topics = list(dict.fromkeys(topic for topic, _ in evidence.cautions))
    if topics:
        sentences.append(f"Be careful about {listed(topics)}, as noted below.")
    else:
        sentences.append("Nothing was noticed that speaks against these figures.")
    return " ".join(sentences)


def limits_sentence(players: Sequence[Contestant]) -> str | None:
    """Under which limits the engines played; None where a journal does not say."""
    by_limit: dict[str, list[str]] = {}
    for player in players:
        by_limit.setdefault(limits_in_words(player.limits), []).append(player.name)
    by_limit.pop("", None)
    if not by_limit:
        return None
    if len(by_limit) == 1:
        (words,) = by_limit
        return f"Every engine had {words}{'' if 'clock' in words else ' a move'}."
    if len(by_limit) > MOST_LIMITS:
        return "Their limits differ, and stand beside their names."
    parts = []
    for words, names in by_limit.items():
        who = listed(names) if len(names) <= MOST_LEVEL else f"{len(names)} engines"
        parts.append(f"{words} ({who})")
    return f"Their limits a move: {'; '.join(parts)}."


def _winner(evidence: Evidence) -> str:
    """Who came first, or is ahead while it goes on."""
    results, ratings = evidence.results, evidence.ratings
    over = evidence.unfinished is None
    scores = results.scoreboard.scores
    played = [player for player in ratings.order if scores[player].games]
    groups = [group for group in ratings.groups if group.games]
    champion = None if ratings.ranking is None else ratings.ranking.champion
    if champion is not None:
        name, record = results.names[champion], _record(evidence, champion)
        return f"{name} won the {_format(evidence)} of {len(results.names)} engines, with {record}."
    if len(groups) > 1 and not _own(evidence):
        first = [results.names[group.players[0]] for group in groups[:MOST_LEVEL]]
        return (
            f"There is no common winner: {len(groups)} groups of engines never met, not even "
            f"through others. First in {'them' if len(groups) <= MOST_LEVEL else 'the largest'}: "
            f"{listed(first)}."
        )
    level = _level_with_first(evidence, played)
    if len(played) == 2:
        return _match(results, played, len(level) == 2, over)
    if len(level) > 1:
        names = [results.names[player] for player in level[:MOST_LEVEL]]
        names += [f"{len(level) - MOST_LEVEL} more"] if len(level) > MOST_LEVEL else []
        who = f"{listed(names)} share the first place"
    else:
        who = f"{results.names[played[0]]} {'came' if over else 'is'} first"
    so_far = "" if over else " so far"
    return f"{who} of {len(played)} engines{so_far}, with {_record(evidence, played[0])}."


def _format(evidence: Evidence) -> str | None:
    """What kind of tournament it is, where the journal says so."""
    return (evidence.header.canonical.get("format") or {}).get("kind")


def _own(evidence: Evidence) -> Mapping[str, Sequence[float | str]]:
    """What the format ranks by besides points and ratings, by player."""
    ranking = evidence.ratings.ranking
    return {} if ranking is None else ranking.columns


def _level_with_first(evidence: Evidence, played: Sequence[int]) -> list[int]:
    """The first of the standings and all that are equal to it in what their format ranks by."""
    scores, elo, own = evidence.results.scoreboard.scores, evidence.ratings.elo, _own(evidence)

    def rank(player: int) -> tuple[object, ...]:
        figures = tuple(values[player] for values in own.values())
        if BYES in own:
            return figures
        score = scores[player]
        by_rating = not own and _format(evidence) != "round-robin"
        return (*figures, score.games, score.points,
                round(elo[player] or 0.0, 1) if by_rating else None)  # fmt: skip

    return [player for player in played if rank(player) == rank(played[0])]


def _record(evidence: Evidence, player: int) -> str:
    ratings, score = evidence.ratings, evidence.results.scoreboard.scores[player]
    points, games = score.points, how_many(score.games, "game")
    words = (
        f"{halves(points)} {'point' if points == 1 else 'points'} from {games} "
        f"({percent(score.share)})"
    )
    own = _own(evidence)
    byes = own[BYES][player] if BYES in own else points
    words += "" if byes == points else f" and byes to {halves(float(byes))} points"
    elo, error = ratings.elo[player], ratings.error[player]
    return words if elo is None or error is None else f"{words}, rated {elo:z.0f} ± {error:.0f} Elo"


def _match(results: Results, played: Sequence[int], level: bool, over: bool) -> str:
    one, other = played
    wdl = results.scoreboard.versus(one, other)
    score = f"{halves(wdl.points)} to {halves(wdl.games - wdl.points)} points"
    details = f"({wdl.won:,} won, {wdl.drawn:,} drawn, {wdl.lost:,} lost)"
    names = results.names[one], results.names[other]
    if level:
        return f"{names[0]} and {names[1]} {'ended' if over else 'are'} level, {score} {details}."
    return f"{names[0]} {'beat' if over else 'leads against'} {names[1]} by {score} {details}."


def _certain(evidence: Evidence) -> Iterator[str]:
    """Which differences are certain, by the test that ended the run, or by the ratings."""
    why = str(evidence.sessions[-1].why) if evidence.sessions else ""
    verdict = why.removeprefix(SPRT) if why.startswith(SPRT) else None
    if verdict is None and (evidence.header.canonical.get("stop") or {}).get("sprt"):
        yield "The sequential test is not decided."
    if verdict:
        yield f"The sequential test ended the run: {verdict}."
        if len(evidence.results.names) == 2:
            return  # a difference that was waited for is less likely than it looks
    groups = [at for at, group in enumerate(evidence.ratings.groups) if group.games]
    players = by_strength(evidence.ratings, groups[0])
    if len(groups) > 1 or len(players) < 2:
        return
    names, los = evidence.results.names, evidence.ratings.los
    first, second = players[:2]
    apart = float(los[first, second])
    if len(players) == 2:
        yield from _two(names[first], names[second], apart)
        return
    in_tiers = tiers(evidence.ratings, players)
    rated = "" if first == evidence.ratings.order[0] else "By the ratings "
    if len(in_tiers[0]) == 1:
        least = min(float(los[first, other]) for other in players[1:])
        yield (
            f"{rated}{names[first]} is stronger than each of the others with at least "
            f"{likely(least)}."
        )
    else:
        top = [names[player] for player in in_tiers[0]]
        rank = "" if len(top) == len(players) else "highest rated "
        engines = listed(top) if len(top) <= MOST_LEVEL else f"the {len(top)} {rank}engines"
        only = "only " if apart < SURE else ""
        apart_words = "not told apart" if len(top) == 2 else "not all told apart"
        yield (
            f"Who is the strongest is not certain: {engines} are {apart_words}, and "
            f"{rated.lower()}{names[first]} is ahead of {names[second]} with {only}{likely(apart)}."
            f"{_more(apart)}"
        )
    sure, pairs = certain_pairs(evidence.ratings, players)
    if not sure:
        yield f"No two engines are told apart with {percent(SURE)} or more."
        return
    of = f"All {pairs:,}" if sure == pairs else f"{sure:,} of {pairs:,}"
    order = f": {chain(in_tiers, names)}" if len(in_tiers) > 1 else ""
    yield f"{of} pairs of engines are told apart, each with {percent(SURE)} or more{order}."


def _two(stronger: str, weaker: str, apart: float) -> Iterator[str]:
    if apart >= SURE:
        yield f"{stronger} is stronger than {weaker} with {likely(apart)}."
    elif apart <= 0.5:
        yield "Nothing tells which of the two is the stronger."
    else:
        yield (
            f"Which of the two is the stronger is not certain: {stronger} with {likely(apart)}."
            f"{_more(apart)}"
        )


def _more(apart: float) -> str:
    """How many games it would take."""
    times = times_more_games(apart)
    if not 1 < times <= MOST_TIMES:
        return ""
    return (
        f" If the difference is what it seems, it takes about {times:.1f} times as many games "
        f"to be sure ({percent(SURE)})."
    )


def chain(in_tiers: Sequence[Sequence[int]], names: Sequence[str]) -> str:
    """Tiers from the strongest to the weakest: a > b, c > d to h (5)."""
    links = []
    for tier in in_tiers[:MOST_TIERS]:
        if len(tier) <= MOST_IN_TIER:
            links.append(", ".join(names[player] for player in tier))
        else:
            links.append(f"{names[tier[0]]} to {names[tier[-1]]} ({len(tier)})")
    rest = sum(map(len, in_tiers[MOST_TIERS:]))
    links += [f"{rest} more"] if rest else []
    return " > ".join(links)
