"""Grade one student: play the missing games, and compare the figures with the expectations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from os.path import relpath
from pathlib import Path
from typing import Literal

from arena.engine.errors import EngineMistake
from arena.errors import ArenaError, ClusterFailure
from arena.grading.submissions import Submission
from arena.journal import GAMES, Journal
from arena.journal.errors import JournalChanged
from arena.report.write import Report, write_report
from arena.session import Outcome, Run, RunProgress, Watcher, header_of
from arena.standings.games import WDL
from arena.standings.verdicts import Grade
from arena.table.cluster import Cluster
from arena.table.runner import GameOver
from arena.tournament.spec import Tournament

Result = Literal["passed", "failed", "undecided"]


@dataclass(frozen=True)
class StudentGrade:
    """The verdicts and the score of one student."""

    submission: Submission
    grade: Grade = field(default_factory=lambda: Grade(()))
    score: WDL = field(default_factory=WDL)
    mistakes: tuple[EngineMistake, ...] = ()  # of the student's own
    report: Path | None = None
    why: str = ""  # no game could be played

    @property
    def result(self) -> Result:
        """Passed if every expectation holds; undecided if none fails, but not all hold."""
        if self.why or self.grade.fails:
            return "failed"
        return "undecided" if self.grade.count("not decided") else "passed"


@dataclass(frozen=True)
class Grading:
    """How students are graded, the same for all."""

    command: str
    plots: tuple[str, ...] = ()
    judging: float | None = None  # seconds of each core
    say: Callable[[str], None] = lambda words: None
    cluster: Cluster | None = None  # on which all of them play, if not here

    def grade(self, submission: Submission, tournament: Tournament) -> StudentGrade | None:
        """Play the missing games and write the student's report; None if that was interrupted."""

        def say(words: str) -> None:
            self.say(f"{submission.name}: {words}")

        outcome = self._play(tournament, _Counting(say))
        if outcome.ending == "interrupted":
            return None
        if outcome.ending == "incomplete" and self.cluster is not None:
            raise ClusterFailure(outcome.why)  # which no student is to blame for
        with Journal.read(tournament.output) as journal:
            report = write_report(
                journal, tournament.output, formats=self.plots, judging=self.judging,
                progress=say, quiet=True,
            )  # fmt: skip
        return _summary(submission, report, tournament)

    def _play(self, tournament: Tournament, watcher: Watcher) -> Outcome:
        """Resume a student's games; start over if the file has changed."""
        path, header = tournament.output / GAMES, header_of(tournament)
        try:
            journal = Journal.open(path, header)
        except JournalChanged:
            journal = Journal.open(path, header, new=True)
        with journal:
            return Run(tournament, journal, watcher, self.cluster).run(self.command)


class _Counting(Watcher):
    """Reports how many games of a student are played."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say

    def game_over(self, event: GameOver, progress: RunProgress) -> None:
        self.say(f"game {progress.done}/{progress.total}")


def not_graded(submission: Submission, error: ArenaError) -> StudentGrade:
    """The grade of a student whose file cannot play."""
    return StudentGrade(submission, why=" ".join(str(error).split()))


def _summary(submission: Submission, report: Report, tournament: Tournament) -> StudentGrade:
    data, names = report.data, report.data.names
    own = {player.name for player in tournament.players if player.is_student}
    mistakes = []
    for mistake in data.results.mistakes:
        if mistake.player in own:
            name = f"{mistake.player}: "
            words = mistake.detail if len(own) > 1 else mistake.detail.removeprefix(name)
            folder = relpath(submission.file.resolve(), tournament.path.parent)
            words = words.replace(Path(folder).as_posix(), submission.file.name)
            mistakes.append(replace(mistake, detail=words))
    games = data.results.scoreboard
    pairs = [(one, other) for one, name in enumerate(names) if name in own
             for other, opponent in enumerate(names) if opponent not in own]  # fmt: skip
    score = WDL(*map(sum, zip(*(games.versus(*pair) for pair in pairs), strict=True)))
    return StudentGrade(submission, data.grade, score, tuple(mistakes), report.markdown)
