"""The program of a host process: `python -P -m arena.bots.host MEGABYTES`, 0 for no bound."""

from __future__ import annotations

import sys

from arena.bots.finding import find_here
from arena.bots.serve import serve

if __name__ == "__main__":
    serve(find_here, int(sys.argv[1]) or None)
