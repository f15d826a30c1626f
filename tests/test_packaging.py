"""The engines are `arena.engines`, so that a user may have a package called engines."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import arena

SCRIPT = """
import engines
from arena.engine.registry import find, names
assert engines.MINE == 1
assert type(find("reflex").build()).__module__ == "arena.engines.reflex"
for name in names():
    find(name)
"""


def test_a_folder_with_an_engines_package_of_its_own_disturbs_nothing(tmp_path: Path) -> None:
    """By the path of this checkout or installation, whichever is tested; .ci/run tests a wheel."""
    (tmp_path / "engines").mkdir()
    (tmp_path / "engines" / "__init__.py").write_text("MINE = 1\n", encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    top = str(Path(arena.__file__).resolve().parents[1])
    for command in (["script.py"], ["-m", "arena", "engines"]):
        done = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": top},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr


def test_a_source_of_an_engine_has_one_place() -> None:
    folder = Path(arena.__file__).parent / "engines"
    assert not (folder / "engines").exists()
    from arena.engines import reflex

    assert Path(reflex.__file__).parent == folder
