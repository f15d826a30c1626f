"""Wrong input of every kind, with the exit code and the message that answer it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.support.golden import FOLDER, Golden
from tests.support.messages import check

pytestmark = pytest.mark.contract
FILES = sorted(path.name for path in (FOLDER / "messages").glob("*.txt"))


@pytest.mark.parametrize("file", FILES)
def test_messages(file: str, cli: Callable[..., Result], golden: Golden, tmp_path: Path) -> None:
    golden(f"messages/{file}", check(cli, f"messages/{file}", tmp_path))
