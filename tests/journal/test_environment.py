"""What is recorded about the machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena import __version__
from arena.environment import _from_cpuinfo, environment, processor


def test_it_says_what_figures_depend_on() -> None:
    told = environment()
    assert told["arena"] == __version__
    assert told["cores"] == os.cpu_count()
    assert 1 <= told["usable_cores"] <= told["cores"]
    for name in ("python", "system", "processor", "sqlite", "numpy", "numba"):
        assert told[name]
    assert json.loads(json.dumps(told)) == told


def test_it_says_nothing_about_whose_machine_it_is() -> None:
    told = json.dumps(environment())
    assert str(Path.home()) not in told
    assert os.getcwd() not in told


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("processor\t: 0\nmodel name\t: Fast  CPU @ 3 GHz\n", "Fast CPU @ 3 GHz"),
        ("Model\t\t: Small Board\n", "Small Board"),
        ("nothing here", ""),
    ],
)
def test_the_processor_is_read_from_cpuinfo(tmp_path: Path, text: str, name: str) -> None:
    (tmp_path / "cpuinfo").write_text(text)
    assert _from_cpuinfo(tmp_path / "cpuinfo") == name
    assert _from_cpuinfo(tmp_path / "missing") == ""
    assert processor()
