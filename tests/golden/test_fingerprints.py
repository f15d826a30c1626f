"""The fingerprints of all shipped files: a journal can be resumed only while its fingerprint holds.

A change here means that runs of users cannot be resumed after an update.
"""

from __future__ import annotations

import pytest

from tests.support.fingerprints import MISSING, fingerprints, shipped_files
from tests.support.golden import FOLDER, Golden

pytestmark = pytest.mark.contract

FILE = "fingerprints.txt"


def recorded() -> dict[str, str]:
    file = FOLDER / FILE
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def test_fingerprints_of_shipped_files(golden: Golden) -> None:
    before = recorded()
    now = dict(pair for file in shipped_files() for pair in fingerprints(file))
    for name, digest in now.items():
        if digest == MISSING or before.get(name) == MISSING:
            now[name] = before.get(name, MISSING)  # the engines may be installed elsewhere
    golden(FILE, "".join(f"{digest}  {name}\n" for name, digest in now.items()))
