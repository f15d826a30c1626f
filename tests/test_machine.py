"""What is recorded about the machine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from arena import __version__
from arena.machine import (
    _from_cpuinfo,
    cores_in_use,
    crowding,
    environment,
    processor,
)


def test_it_says_what_figures_depend_on() -> None:
    figures = environment()
    assert figures["arena"] == __version__
    assert figures["cores"] == os.cpu_count()
    assert 1 <= figures["usable_cores"] <= figures["cores"]
    for name in ("python", "system", "processor", "sqlite", "numpy", "numba"):
        assert figures[name]
    assert json.loads(json.dumps(figures)) == figures


def test_it_says_nothing_about_whose_machine_it_is() -> None:
    figures = json.dumps(environment())
    assert str(Path.home()) not in figures
    assert os.getcwd() not in figures


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


@pytest.mark.parametrize(
    ("tables", "cores", "others", "parts"),
    [
        (1, 4, 0.0, ()),
        (3, 4, 0.3, ()),
        (1, 4, 2.0, ()),
        (4, 4, 0.1, ("4 tables leave none of 4 cores free", "--workers 3")),
        (2, 2, 2.0, ("2.0 of 2 cores are at work for others and 2 tables", "--workers 1")),
        (1, 2, 2.0, ("2.0 of 2 cores are at work for others:", "limits: {cpu: 0.1}")),
        (2, 4, 3.0, ("3.0 of 4 cores are at work for others:", "--workers 1")),
        (1, 1, 0.0, ("1 table leaves no core free:", "limits: {cpu: 0.1}")),
    ],
)
def test_a_crowded_machine_is_told_with_what_helps(
    tables: int, cores: int, others: float, parts: tuple[str, ...]
) -> None:
    words = crowding(tables, cores, others, seconds=0.1)
    assert (words is None) == (not parts)
    assert all(part in str(words) for part in parts)
    assert tables > 1 or "--workers" not in str(words)


def test_cores_in_use_are_counted_by_what_they_have_done() -> None:
    assert 0.0 <= cores_in_use(0.02) <= (os.cpu_count() or 1) + 0.01
