"""The games on disk: the only state of a tournament, one SQLite file that survives anything."""

from arena.journal.errors import BadJournal, JournalBusy, JournalChanged, JournalError
from arena.journal.journal import GAMES, Journal
from arena.journal.records import Contestant, Event, Header, Session

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
    "Session",
]
