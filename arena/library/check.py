"""`arena check` from Python: all findings about an engine, and the verdict."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from functools import partial

from arena.library.engines import AnyEngine, is_engine
from arena.library.packed import not_an_engine, title_of
from arena.show.table import Column, Table, table_html, titled
from arena.table.check import check_engine
from arena.table.checks import Finding
from arena.table.probe import PATIENCE


@dataclass(frozen=True)
class Check:
    """All findings about an engine."""

    name: str
    findings: tuple[Finding, ...]

    @property
    def passed(self) -> bool:
        """Whether the engine may play in a tournament."""
        return not any(finding.failed for finding in self.findings)

    @property
    def table(self) -> Table:
        """A row for each finding."""
        rows = [
            (_verdict(finding), finding.title, finding.detail.partition("\n")[0])
            for finding in self.findings
        ]
        return Table("", (Column(""), Column("check"), Column("detail")), tuple(rows))

    def __str__(self) -> str:
        """The verdict, and all findings."""
        return f"{self._sentence}\n{self.table}"

    def __repr__(self) -> str:
        return f"<{self._sentence}>"

    @property
    def _sentence(self) -> str:
        broken, of = sum(finding.failed for finding in self.findings), len(self.findings)
        if broken:
            return f"{self.name} is not valid: {broken} of {of} checks failed"
        return f"{self.name} is valid: {of} checks"

    def _repr_html_(self) -> str:
        return titled(self._sentence, table_html(self.table))


def check(engine: AnyEngine, *, patience: float = PATIENCE) -> Check:
    """Check that an engine is valid: legal moves, limits, the same game from the same seed.

    >>> arena.check(MyBot).passed
    True
    """
    if isinstance(engine, str):
        return Check(engine, tuple(check_engine(engine, patience)))
    if not is_engine(engine):
        raise not_an_engine(engine)
    build = engine if isinstance(engine, type) else partial(deepcopy, engine)
    return Check(title_of(engine), tuple(check_engine(build, patience)))


def _verdict(finding: Finding) -> str:
    if finding.kind == "note":
        return "note"
    return "ok" if finding.ok else "FAILED" if finding.failed else "advice"
