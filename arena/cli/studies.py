"""`arena studies`: the experiments of the sources, ready to be replayed, and what came of them."""

from __future__ import annotations

from pathlib import Path

from arena.cli.options import AsJson, option


def studies(
    summary: Path | None = option(
        None, "--summary FILE", "Write all that was published and measured on one page."
    ),
    as_json: AsJson = False,
) -> None:
    """List the bundled studies, and the results of those that were run.

    A study replays a published experiment and compares its figures with ours. Run one with
    `arena run studies/gaiceanu`; --full plays as many games as the source did. Reports are in
    reports/studies. --summary writes one page that says which claims hold, from all studies run
    here.

    Example: arena studies

    Example: arena studies --summary reports/studies/README.md
    """
    from arena.cli.actions.studies import list_studies, write_summary

    if summary is not None:
        write_summary(summary)
        return
    list_studies(as_json)
