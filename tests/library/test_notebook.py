"""Notebooks: the example runs and says what it says on the page; a kernel can be interrupted."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import arena
from tests.library.session import SOURCE

TOP = Path(__file__).resolve().parents[2]
EXAMPLE = TOP / "tournaments" / "notebook.ipynb"
MACHINE = re.compile(r"/(tmp|work|home|root|Users)/|0x[0-9a-f]{6}")
STANDINGS = "results = arena.run(tournament)"

EXECUTE = """
import sys, nbformat
from nbclient import NotebookClient
notebook = nbformat.read(sys.argv[1], 4)
NotebookClient(notebook, timeout=300, resources={"metadata": {"path": "."}}).execute()
nbformat.write(notebook, "executed.ipynb")
"""

CELL = """
import time
from pathlib import Path

def on_game(game):
    print("game", flush=True)
    while not Path("interrupted").exists():
        time.sleep(0.01)

results = arena.run(
    {"name": "cell", "engines": [Wandering, "random"], "games": 200, "openings": {"random": 2}},
    on_game=on_game, workers=1, output="out")
print("games", len(results))
"""

INTERRUPT = """
import json, sys
from pathlib import Path
from jupyter_client.manager import start_new_kernel
define, cell = json.loads(sys.stdin.read())
manager, client = start_new_kernel(cwd=".")
told = []

def listen(message):
    content, kind = message["content"], message["msg_type"]
    text = content.get("text", "") if kind == "stream" else ""
    if "game\\n" in text and "interrupt" not in told:
        told.append("interrupt")
        manager.interrupt_kernel()
        Path("interrupted").touch()
    if kind in ("display_data", "update_display_data"):
        told.append("bar")

def run(source):
    reply = client.execute_interactive(source, timeout=120, output_hook=listen)
    return reply["content"]

try:
    assert run(define)["status"] == "ok"
    first = run(cell)
    again = run(cell)
    bad = run("arena.play('radom', 'random')")
    print(json.dumps([first["status"], first.get("ename"), first.get("evalue"), again["status"],
                      bad["traceback"], "bar" in told]))
finally:
    client.stop_channels()
    manager.shutdown_kernel(now=True)
"""


def run_python(source: str, folder: Path, *args: str, given: str = "") -> str:
    done = subprocess.run(
        [sys.executable, "-c", source, *args],
        cwd=folder, input=given, capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def code_cells(file: Path) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def page_of(cells: list[dict[str, Any]], source: str) -> str:
    """The HTML of the cell with this line, less its date and the digits that no cell shows.

    The last digits of a rating depend on the processor that added it up.
    """
    cell = next(cell for cell in cells if source in "".join(cell["source"]))
    page = "".join(cell["outputs"][-1]["data"]["text/html"])
    return re.sub(r"\d{4}-\d\d-\d\d| data-v=\"[^\"]*\"", "", page)


def test_the_example_was_executed_and_names_no_machine() -> None:
    cells = code_cells(EXAMPLE)
    assert all(cell["execution_count"] for cell in cells)
    outputs = [output for cell in cells for output in cell["outputs"]]
    assert not [output for output in outputs if output["output_type"] == "error"]
    assert not [output for output in outputs if output.get("name") == "stderr"]
    pages = [output for output in outputs if "image/png" not in output.get("data", {})]
    assert not MACHINE.search(json.dumps(pages))
    assert EXAMPLE.stat().st_size < 100_000


def test_the_example_runs_and_comes_to_the_same_standings(tmp_path: Path) -> None:
    run_python(EXECUTE, tmp_path, str(EXAMPLE))
    again = code_cells(tmp_path / "executed.ipynb")
    assert page_of(again, STANDINGS) == page_of(code_cells(EXAMPLE), STANDINGS)


def test_an_interrupted_kernel_goes_on_with_the_same_cell(tmp_path: Path) -> None:
    define = f"import arena\n{SOURCE}"
    told = run_python(INTERRUPT, tmp_path, given=json.dumps([define, CELL]))
    status, name, words, again, trace, bar = json.loads(told.splitlines()[-1])
    assert (status, name) == ("error", "KeyboardInterrupt")
    assert re.fullmatch(r"interrupted after \d+ of 200 games; the same call resumes the run", words)
    assert again == "ok"
    assert bar, "a bar was drawn"
    assert trace == ["UnknownName: unknown engine 'radom'; did you mean 'random'?"]
    assert len(arena.open_journal(tmp_path / "out")) == 200
