"""What all tests share, whoever starts them: signals, examples, and kernels compiled once.

Reports judge no moves unless a test asks for it, as that takes as long as it may.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from typer.testing import Result

from arena.machine import usable_cores
from tests.cli.running import run
from tests.compiling import PARTS
from tests.support.golden import Golden

settings.register_profile(
    "same-every-run",
    derandomize=True,
    deadline=None,  # the first example may compile a kernel
    database=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("same-every-run")
os.environ.setdefault("ARENA_ACCURACY", "0")

# A script that starts the tests in the background, or nohup, has these ignored; children would
# inherit that, and a test that interrupts one of them would wait for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)
for name in ("SIGHUP", "SIGTERM", "SIGTSTP"):
    if signal.getsignal(getattr(signal, name)) == signal.SIG_IGN:
        signal.signal(getattr(signal, name), signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--record", action="store_true", help="rewrite golden files")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare text with a golden file: `golden("help.txt", text)`."""
    return Golden(record=request.config.getoption("--record"))


@pytest.fixture(scope="session")
def cli() -> Callable[..., Result]:
    """Run a command line in this process: `cli("explain", "44")`."""
    return run


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores, as many tests wait for processes of theirs."""
    return usable_cores() + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Before the workers of a whole run begin, compile what each of them would compile again."""
    config = session.config
    apart = not hasattr(config, "workerinput") and config.getoption("numprocesses", None)
    if not apart or config.args != config.getini("testpaths"):
        return
    top = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-m", "tests.compiling"]
    compilers = [subprocess.Popen([*command, part], cwd=top) for part in PARTS]
    for compiler in compilers:
        compiler.wait()  # what fails here fails in a test as well, and is explained there
