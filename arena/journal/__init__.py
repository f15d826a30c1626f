"""The games on disk: the only state of a tournament, one SQLite file that survives anything."""

from arena.journal.errors import BadJournal, JournalBusy, JournalChanged, JournalError
from arena.journal.games import Numbers
from arena.journal.records import Contestant, Event, Header, Session
from arena.journal.store import GAMES, Journal

__all__ = [
    "GAMES",
    "BadJournal",
    "Contestant",
    "Event",
    "Header",
    "Journal",
    "JournalBusy",
    "JournalChanged",
    "JournalError",
    "Numbers",
    "Session",
]
