"""What a report answers in its first paragraph: who won, under which limits, and how certain it is.

Two engines alone are compared by their head-to-head score; the order of more of them by ratings,
corrected for the number of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.journal import Contestant
from arena.report.evidence import Evidence
from arena.report.limits import NO_LIMIT, limits_in_words, used_limits
from arena.show.numbers import halves, how_many, likely, listed, percent
from arena.show.strength import verdict
from arena.standings.question import difference as compare_two
from arena.standings.ranking import by_strength, significant_pairs, tiers
from arena.standings.results import Results

MOST_TIERS = 8  # in a chain
MOST_IN_TIER = 3  # named; of more, the first and the last
MOST_LEVEL = 4  # engines named that share a place, a limit, or cannot be told apart
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
        sentences.append(f"See the notes below about {listed(topics)}.")
    else:
        sentences.append("No problems were found in this run.")
    return " ".join(sentences)


def limits_sentence(players: Sequence[Contestant]) -> str | None:
    """The limits of all engines; None if a journal does not say. The standings list them."""
    limits = {used_limits(player) for player in players} - {""}
    if not limits:
        return None
    if len(limits) > 1:
        return "The engines had different limits, listed in the standings."
    words = limits_in_words(limits.pop())
    per_move = "" if words.startswith(("a clock", NO_LIMIT)) else " per move"
    ignoring = [player.name for player in players if player.limits and not used_limits(player)]
    if not ignoring:
        return f"Every engine had {words}{per_move}."
    who = listed(ignoring) if len(ignoring) <= MOST_LEVEL else f"{len(ignoring)} engines"
    use = "uses" if len(ignoring) == 1 else "use"
    return f"Every engine had {words}{per_move}, except {who}, which {use} no limit."


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
            f"There is no overall winner: {len(groups)} groups of engines never met, not even "
            "through common opponents. First in "
            f"{'them' if len(groups) <= MOST_LEVEL else 'the largest'}: {listed(first)}."
        )
    level = _level_with_first(evidence, played)
    if len(played) == 2:
        return _match(results, played, len(level) == 2, over)
    if len(level) > 1:
        names = [results.names[player] for player in level[:MOST_LEVEL]]
        names += [f"{len(level) - MOST_LEVEL} more"] if len(level) > MOST_LEVEL else []
        who = f"{listed(names)} share first place"
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
    stopped = why.removeprefix(SPRT) if why.startswith(SPRT) else None
    if stopped is None and (evidence.header.canonical.get("stop") or {}).get("sprt"):
        yield "The sequential test is not decided."
    if stopped:
        yield f"The sequential test ended the run: {stopped}."
        if len(evidence.results.names) == 2:
            return  # a difference that was waited for is less likely than it looks
    groups = [at for at, group in enumerate(evidence.ratings.groups) if group.games]
    players = by_strength(evidence.ratings, groups[0]) if len(groups) == 1 else []
    if len(players) < 2:
        return
    names, los = evidence.results.names, evidence.ratings.los
    first, second = players[:2]
    if len(players) == 2:
        difference = compare_two(evidence.results.scoreboard, evidence.ratings, first, second)
        if difference is not None:
            yield verdict((names[first], names[second]), difference)
        return
    in_tiers = tiers(evidence.ratings, players)
    rated = "" if first == evidence.ratings.order[0] else "By rating, "
    if len(in_tiers[0]) == 1:
        yield f"{rated}{names[first]} is significantly stronger than every other engine."
    else:
        top = [names[player] for player in in_tiers[0]]
        engines = listed(top) if len(top) <= MOST_LEVEL else f"the top {len(top)}"
        yield (
            f"No clear winner: {engines} are within error. {rated}{names[first]} is "
            f"{likely(float(los[first, second]))} likely to be stronger than {names[second]}."
        )
    sure, pairs = significant_pairs(evidence.ratings, players)
    order = f": {chain(in_tiers, names)}" if len(in_tiers) > 1 else ""
    of = "No pair differs" if not sure else f"{sure:,} of {pairs:,} pairs differ"
    yield f"{of} significantly (all pairs together at 95 %){order}."


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
