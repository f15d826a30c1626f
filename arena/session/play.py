"""The one way to play games: a tournament, into the journal of its folder."""

from __future__ import annotations

from arena.journal import GAMES, Journal
from arena.session.prepare import cluster_of, header_of
from arena.session.run import Run
from arena.session.watcher import Outcome, Watcher
from arena.tournament.spec import Tournament


def play(
    tournament: Tournament, watcher: Watcher, *, new: bool = False, command: str = ""
) -> Outcome:
    """Play or resume a tournament; `command` is what the journal names to reproduce it."""
    path, header = tournament.output / GAMES, header_of(tournament)
    with cluster_of(tournament) as cluster, Journal.open(path, header, new=new) as journal:
        return Run(tournament, journal, watcher, cluster).run(command)
