"""The bodies of `arena cache show` and `arena cache clear`."""

from __future__ import annotations

import sys
from dataclasses import asdict

from arena.doctor.caches import directory, every_cache, is_ours, remove
from arena.show.numbers import how_many, in_bytes
from arena.show.terminal import print_json


def show_caches(as_json: bool) -> None:
    """Print where compiled kernels are kept, and how much there is."""
    current, caches = directory(), every_cache()
    chosen = current is not None and not is_ours(current)
    if as_json:
        data = [asdict(each) for each in caches]
        print_json({"directory": current, "chosen_by_user": chosen, "caches": data})
        return
    if current is None:
        print("No directory can be written: each run compiles.")
    elif chosen:
        print(f"{current}, as NUMBA_CACHE_DIR says")
    for each in caches:
        kind = "of this version" if each.current else "of another version"
        print(f"{each.path}  {each.files:>4} files  {in_bytes(each.bytes):>8}  {kind}")
    if stale := [each for each in caches if not each.current]:
        total = in_bytes(sum(each.bytes for each in stale))
        print(f"arena cache clear would free {total}.")


def clear_caches(everything: bool) -> None:
    """Remove the kernels of other versions, those of this one too if wanted."""
    files = size = 0
    for each in every_cache():
        if each.current and not everything:
            continue
        removed = remove(each.path)
        files, size = files + removed.files, size + removed.bytes
        if not removed.all_gone:
            print(f"{each.path}: the folder stays, it is in use or not empty", file=sys.stderr)
    print(f"{how_many(files, 'file')} removed, {in_bytes(size)} freed")
    current = directory()
    if current is not None and not is_ours(current):
        print(f"{current} is left alone: NUMBA_CACHE_DIR names it", file=sys.stderr)
