"""The rules of the golden suite itself: differences fail, and contract tests use no internals."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.golden import TOP, Golden

OURS = ("arena", "engines", "tests")


def contract_files() -> list[Path]:
    """Every test file with a `contract` mark."""
    files = sorted((TOP / "tests").rglob("test_*.py"))
    return [file for file in files if "mark.contract" in file.read_text(encoding="utf-8")]


def imports(file: Path) -> Iterator[str]:
    """The modules of ours that a file imports."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [str(node.module)]
        else:
            continue
        yield from (name for name in names if name.split(".")[0] in OURS)


def is_public(module: str) -> bool:
    return module == "arena" or f"{module}.".startswith("tests.support.")


@pytest.mark.parametrize("file", contract_files(), ids=lambda file: file.stem)
def test_contract_tests_import_only_the_public_surface(file: Path) -> None:
    assert [name for name in imports(file) if not is_public(name)] == []


def test_a_difference_fails_with_a_diff(tmp_path: Path) -> None:
    file = tmp_path / "golden.txt"
    Golden(record=True)(file, "one\ntwo\n")
    Golden(record=False)(file, "one\ntwo\n")
    with pytest.raises(AssertionError, match=r"-two\n\+three"):
        Golden(record=False)(file, "one\nthree\n")
    assert file.read_text(encoding="utf-8") == "one\ntwo\n"


def test_a_missing_file_fails(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="differs"):
        Golden(record=False)(tmp_path / "golden.txt", "")
