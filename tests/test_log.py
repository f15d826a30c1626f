"""The log of a run: quiet by default, and complete where a worker hangs or is lost."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.errors import ArenaError
from arena.log import log, log_to
from tests.cli.running import run

BOTS = Path(__file__).parent / "table" / "bots.py"
LINE = re.compile(r"\S+ \S+ (INFO|WARNING) run=\S+ worker=(\d+|-) game=(\d+|-) .+")
FILE = """
name: hung
game: 4x4
games: 2
isolation: none
workers: 1
limits: {{seconds: 0.2}}
output: {folder}
engines: [random, {{engine: "{bots}:{bot}"}}]
"""


@pytest.mark.parametrize(
    ("bot", "words"),
    [("Hangs", "gave no answer"), ("Exits", "left with exit code 5")],
)
def test_a_lost_worker_leaves_lines_to_send(bot: str, words: str, tmp_path: Path) -> None:
    file, logged = tmp_path / "t.yaml", tmp_path / "run.log"
    file.write_text(FILE.format(folder=tmp_path, bots=BOTS, bot=bot))
    result = run("run", str(file), "--no-report", "--quiet", "--log", str(logged))
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    lines = logged.read_text().splitlines()
    assert all(LINE.fullmatch(line) for line in lines)
    lost = [line for line in lines if "lost process" in line]
    assert len(lost) == 2
    for number, line in enumerate(lost, start=1):
        assert f"run=hung worker=1 game={number} lost process" in line
        assert words in line
        assert f"{bot} was asked" in line
    assert sum("started process" in line for line in lines) >= 2
    if bot == "Hangs":
        assert sum("misbehave" in line for line in lines) == 2
    assert "finished after 2 games" in lines[-1]


def test_without_a_file_the_log_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    with log_to(None, "quiet"):
        log("a word")
    log("another", 1, 2, level=50)
    assert capfd.readouterr() == ("", "")


def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ArenaError, match="cannot be written"), log_to(tmp_path, "run"):
        pass
