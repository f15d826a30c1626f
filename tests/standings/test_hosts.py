from __future__ import annotations

from dataclasses import replace

from arena.standings.timekeeping import Hosts, played_at
from tests.journal.examples import make_row


def test_games_count_where_they_were_played_last() -> None:
    rows = [replace(make_row(number), number=number, reason="line") for number in range(1, 5)]
    rows[3] = replace(rows[3], reason="time", result=1)
    events = [played_at("a", 1e6, [1, 2, 3]), played_at("b", 2e6, [3, 4]), played_at("c", 1e6, [9])]
    hosts = Hosts(events)
    hosts.add(rows)
    one, other = hosts.times
    assert (one.name, one.games, one.time.losses.total()) == ("a", 2, 0)
    assert (other.name, other.speeds, other.games) == ("b", [2_000_000], 2)
    assert other.time.losses.total() == 1


def test_without_a_cluster_there_are_no_hosts() -> None:
    hosts = Hosts([])
    hosts.add([make_row(1)])
    assert hosts.times == ()
