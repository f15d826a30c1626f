"""What source files import, at any time."""

from __future__ import annotations

from pathlib import Path

from arena.imports import import_closure, imported_names

FILES = {
    "pack/__init__.py": "",
    "pack/first.py": (
        "from __future__ import annotations\n"
        "from typing import TYPE_CHECKING\n"
        "import os, pack.second as s\n"
        "if TYPE_CHECKING:\n    from pack import only_types\n"
        "def later():\n    from .inner import deep\n    from . import third\n"
    ),
    "pack/second.py": "try:\n    from other import thing\nexcept ImportError:\n    pass\n",
    "pack/third.py": "from pack.inner.deeper import VALUE\n",
    "pack/inner/__init__.py": "",
    "pack/inner/deep.py": "from ..third import x\n",
    "pack/inner/deeper.py": "VALUE = 1\n",
    "pack/only_types.py": "",
    "pack/unused.py": "",
    "pack/broken.py": "def",
}


def test_all_that_a_file_may_import_is_found(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    found = import_closure([tmp_path / "pack" / "first.py"], tmp_path)
    names = {file.relative_to(tmp_path).as_posix() for file in found}
    assert names == set(FILES) - {"pack/only_types.py", "pack/unused.py", "pack/broken.py"}
    inside = import_closure([tmp_path / "pack" / "first.py"], tmp_path / "pack", "pack")
    assert inside == found
    assert "other" in imported_names(tmp_path / "pack" / "second.py")
    assert imported_names(tmp_path / "pack" / "broken.py") == set()
