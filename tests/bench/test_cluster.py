"""What a cluster costs at home: measured on real workers, and told in one shape."""

from __future__ import annotations

import json
import subprocess
import sys

ONE_WORKER = "from arena.bench import cluster as c; c.WORKERS = (1,); c.bench_cluster(100, True)"


def test_every_figure_is_measured() -> None:
    command = [sys.executable, "-c", ONE_WORKER]
    measured = subprocess.run(command, capture_output=True, text=True, check=False)
    assert measured.returncode == 0, measured.stderr
    figures = json.loads(measured.stdout)["figures"]
    assert [(each["name"], each["unit"]) for each in figures] == [
        ("games on 1 worker", "/s"),
        ("processor time at home a game, 1 worker", "s"),
        ("games that one client can take in", "/s"),
        ("processor time at home a game that travels alone", "s"),
        ("workers that one client can feed with games of a second", ""),
    ]
    assert all(each["value"] > 0 for each in figures)
