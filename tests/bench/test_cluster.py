"""`arena bench cluster`: measured on real workers."""

from __future__ import annotations

import json
import subprocess
import sys

ONE_WORKER = "from arena.bench import cluster as c; c.WORKERS = (1,); c.bench_cluster(100, True)"


def test_every_figure_is_measured() -> None:
    command = [sys.executable, "-c", ONE_WORKER]
    measured = subprocess.run(command, capture_output=True, text=True, check=False)
    assert measured.returncode == 0, measured.stderr
    figures = json.loads(measured.stdout)["measurements"]
    assert [(each["name"], each["unit"]) for each in figures] == [
        ("games on 1 worker", "/s"),
        ("client processor time per game, 1 worker", "s"),
        ("games one client can record", "/s"),
        ("client processor time per game sent alone", "s"),
        ("workers one client can serve with one-second games", ""),
    ]
    assert all(each["median"] > 0 for each in figures)
