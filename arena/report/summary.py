"""The first screen of a report: facts, the answer in at most 60 words, verdicts, cautions.

Two engines alone are compared by their head-to-head score; the order of more of them by ratings,
corrected for the number of pairs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.journal import Contestant
from arena.report.blocks import Block, Caution, Words
from arena.report.conditions import NO_LIMIT, date, limits_in_words, used_limits
from arena.report.data import ReportData
from arena.report.question import question_paragraph
from arena.report.verdicts import busy_sentence, grade_sentence, published_sentence
from arena.show.numbers import halves, how_many, listed, percent, whole_percent
from arena.show.strength import verdict
from arena.standings.question import difference
from arena.standings.ranking import by_strength, significant_pairs, tiers
from arena.standings.results import Results
from arena.standings.timekeeping import BUSY, WHY_LONG
from arena.table.game import GOOD_ENDS

MAX_TIERS = 8  # in a chain
MAX_IN_TIER = 3  # named; of more, the first and the last
MAX_NAMED = 3  # engines in a sentence
SPRT = "SPRT: "
BYES = "with byes"  # the column of a Swiss
FINISHED = "all games are played"
FEW_GAMES = 20  # of an engine
IDLE = 0.5  # of the allowed time: an engine that uses less could have thought longer
TIMED = {"seconds", "clock"}  # on the wall, of which a busy machine takes its share
FAULTS = {"time": "on time", "exception": "by an exception", "illegal move": "by an illegal move",
          "memory": "by using too much memory", "crash": "by a crash"}  # fmt: skip
UNEQUAL_LIMITS = "The limits differ, so the standings compare engines together with their limits."


def head(data: ReportData) -> Iterator[Block]:
    """What stands above everything else: the facts, what was asked, and the answer."""
    about = (data.aims.about,) if data.aims.about else ()
    for paragraph in (facts(data), *about, *question(data), answer(data)):
        yield Words(paragraph)


def facts(data: ReportData) -> str:
    """The tournament in a line."""
    parts = [f"{how_many(data.results.games, 'game')} of {data.rules}",
             how_many(len(data.names), "engine")]  # fmt: skip
    if data.sessions:
        last = data.sessions[-1].ended or data.sessions[-1].started
        days = [str(date(at))[:10] for at in (data.sessions[0].started, last)]
        parts.append(" to ".join(dict.fromkeys(days)))
    limits = limits_sentence(data.header.players)
    sentences = [", ".join(parts), *([limits] if limits else []), *_state(data)]
    return f"{'. '.join(sentences)}."


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


def _state(data: ReportData) -> Iterator[str]:
    if data.is_unfinished:
        yield "Unfinished"
    elif data.sessions:
        why = str(data.sessions[-1].why)
        if why == FINISHED:
            yield "Finished"
        elif not why.startswith(SPRT):  # which the answer repeats
            yield f"Ended: {why}"


def question(data: ReportData) -> tuple[str, ...]:
    """The question with its answer, as a paragraph; none where nothing was asked."""
    return () if data.answer is None else (question_paragraph(data, data.answer),)


def verdicts(data: ReportData) -> tuple[str, ...]:
    """How expectations and published figures fare, in a sentence each."""
    expected = (grade_sentence(data.grade),) if data.grade.rulings else ()
    published = (published_sentence(data.comparisons),) if data.comparisons else ()
    ratio, timed = data.results.time.ratio, "time" in data.aims.measures()
    busy = (busy_sentence(ratio),) if ratio and timed and data.results.time.is_busy else ()
    return *expected, *published, *busy


# ---- the answer


def answer(data: ReportData) -> str:
    """Who came first, and how certain that is, in at most 60 words."""
    if not data.results.games:
        return "No game has been played yet."
    return " ".join([_winner(data), *_certain(data)])


def _winner(data: ReportData) -> str:
    """Who came first, or is ahead while it goes on."""
    ratings, names, over = data.ratings, data.names, not data.is_unfinished
    scores = data.results.scoreboard.scores
    played = [player for player in data.order if scores[player].games]
    groups = [group for group in ratings.groups if group.games]
    champion = None if ratings.ranking is None else ratings.ranking.champion
    if champion is not None:
        record = _record(data, champion)
        return f"{names[champion]} won the {_format(data)} of {len(names)} engines, with {record}."
    if len(groups) > 1 and not _own(data):
        first = [names[group.players[0]] for group in groups[:MAX_NAMED]]
        return (
            f"There is no overall winner: {len(groups)} groups of engines never met, not even "
            "through common opponents. First in "
            f"{'them' if len(groups) <= MAX_NAMED else 'the largest'}: {listed(first)}."
        )
    level = _level_with_first(data, played)
    if len(played) == 2:
        return _match(data.results, played, len(level) == 2, over)
    if len(level) > MAX_NAMED:
        place = f"{len(level)} engines share first place"
    elif len(level) > 1:
        place = f"{listed([names[player] for player in level])} share first place"
    else:
        place = f"{names[played[0]]} {'came' if over else 'is'} first"
    so_far = "" if over else " so far"
    return f"{place} of {len(played)} engines{so_far}, with {_record(data, played[0])}."


def _format(data: ReportData) -> str | None:
    """The kind of tournament, where the journal says so."""
    return (data.header.canonical.get("format") or {}).get("kind")


def _own(data: ReportData) -> Mapping[str, Sequence[float | str]]:
    """What the format ranks by besides points and ratings, by player."""
    ranking = data.ratings.ranking
    return {} if ranking is None else ranking.columns


def _level_with_first(data: ReportData, played: Sequence[int]) -> list[int]:
    """The first of the standings and all that are equal to it in what their format ranks by."""
    scores, elo, own = data.results.scoreboard.scores, data.ratings.elo, _own(data)

    def rank(player: int) -> tuple[object, ...]:
        figures = tuple(values[player] for values in own.values())
        if BYES in own:
            return figures
        score = scores[player]
        by_rating = not own and _format(data) != "round-robin"
        return (*figures, score.games, score.points,
                round(elo[player] or 0.0, 1) if by_rating else None)  # fmt: skip

    return [player for player in played if rank(player) == rank(played[0])]


def _record(data: ReportData, player: int) -> str:
    ratings, score = data.ratings, data.results.scoreboard.scores[player]
    words = f"{halves(score.points)} of {how_many(score.games, 'point')} ({percent(score.share)})"
    own = _own(data)
    byes = own[BYES][player] if BYES in own else score.points
    words += "" if byes == score.points else f", {halves(float(byes))} with byes"
    elo, error = ratings.elo[player], ratings.error[player]
    return words if elo is None or error is None else f"{words}, {elo:z.0f} ± {error:.0f} Elo"


def _match(results: Results, played: Sequence[int], level: bool, over: bool) -> str:
    one, other = played
    wdl = results.scoreboard.versus(one, other)
    score = f"{halves(wdl.points)} to {halves(wdl.games - wdl.points)} points"
    details = f"({wdl.won:,} won, {wdl.drawn:,} drawn, {wdl.lost:,} lost)"
    names = results.names[one], results.names[other]
    if level:
        return f"{names[0]} and {names[1]} {'ended' if over else 'are'} level, {score} {details}."
    return f"{names[0]} {'beat' if over else 'leads against'} {names[1]} by {score} {details}."


def _certain(data: ReportData) -> Iterator[str]:
    """Whether the first differs from the others, by the test that ended the run, or by ratings."""
    why = str(data.sessions[-1].why) if data.sessions else ""
    stopped = why.removeprefix(SPRT) if why.startswith(SPRT) else None
    if stopped is None and (data.header.canonical.get("stop") or {}).get("sprt"):
        yield "The sequential test is not decided."
    if stopped:
        yield f"The sequential test ended the run: {stopped}."
        if len(data.names) == 2:
            return  # a difference that was waited for is less likely than it looks
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
    rated = "" if first == data.order[0] else "By rating, "
    if len(top) == 1:
        yield f"{rated}{names[first]} is significantly stronger than every other engine."
        return
    some = f"the top {len(top)}"
    if len(top) <= MAX_NAMED:
        some = listed([names[player] for player in top])
    ranking = data.ratings.ranking
    is_won = ranking is not None and ranking.champion is not None
    yield f"{'By rating' if is_won else 'No clear winner'}: {some} are within error."


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


# ---- cautions


def cautions(data: ReportData) -> list[Caution]:
    """Everything to be careful about, the most serious first."""
    return list(_cautions(data))


def _cautions(data: ReportData) -> Iterator[Caution]:
    results, accuracy = data.results, data.accuracy
    if data.is_unfinished:
        last = data.sessions[-1]
        how = (
            "its last run is still going or was cut short"
            if last.ended is None
            else f"its last run ended with “{last.why}”"
        )
        yield Caution("unfinished tournament", f"This tournament is unfinished: {how}. The numbers "
                      f"are those of the {how_many(results.games, 'game')} so far.")  # fmt: skip
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
    if results.distinct < 0.5:
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
    lost_by: dict[int, dict[str, int]] = {}
    for reason, lost in results.causes.items():
        if reason not in GOOD_ENDS:
            for player, games in enumerate(lost.tolist()):
                if games:
                    lost_by.setdefault(player, {})[reason] = games
    if not lost_by:
        return
    worst_first = sorted(lost_by.items(), key=lambda item: -sum(item[1].values()))
    sentences = []
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
    scores = list(enumerate(results.scoreboard.scores))
    sentences = []
    won = [player for player, score in scores if score.games and score.won == score.games]
    lost = [player for player, score in scores if score.games and score.lost == score.games]
    for words, all_so in (("won", won), ("lost", lost)):
        if all_so:
            names = [results.names[player] for player in all_so[:MAX_NAMED]]
            names += ["others"] if len(all_so) > MAX_NAMED else []
            sentences.append(f"{listed(names)} {words} every game")
    if all(score.drawn == score.games for _, score in scores):
        words = "Every game was drawn, so these games do not separate any engines."
        yield Caution("drawn games", words)
    elif sentences:
        words = (
            f"{' and '.join(sentences)}. Only the prior keeps such a rating finite: the engine may "
            "be much further from the others than shown."
        )
        yield Caution("perfect scores", words)
