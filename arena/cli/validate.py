"""`arena validate`: whether tournament files are right, and all that is wrong with them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from arena.cli import completing
from arena.cli.exits import BAD_INPUT
from arena.cli.options import AsJson
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.tournament.spec import Mistake


def validate(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Tournaments in YAML.", autocompletion=completing.tournaments
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Check tournament files, and tell all mistakes in them.

    Nothing is played or written. The exit code is 0 if all files are right and 2 if one is not.

    Example: arena validate tournaments/*.yaml
    """
    from arena.show.terminal import print_json

    found = [examine(file) for file in files]
    if as_json:
        print_json(found)
    else:
        for one in found:
            print(in_words(one))
    if not all(one["ok"] for one in found):
        raise typer.Exit(BAD_INPUT)


def examine(file: Path) -> dict[str, Any]:
    """What a file describes, or what is wrong with it."""
    from arena.tournament.spec import BadSpec, fingerprint, load

    try:
        tournament = load(file)
        schedule = tournament.schedule()
    except BadSpec as error:
        return {"file": str(file), "ok": False, "mistakes": [_as_data(m) for m in error.mistakes]}
    except ArenaError as error:
        return {"file": str(file), "ok": False, "mistakes": [{"message": f"{file}: {error}"}]}
    return {
        "file": str(file),
        "ok": True,
        "name": tournament.name,
        "engines": [player.name for player in tournament.players],
        "games": schedule.expected(),
        "games_known": schedule.total is not None,
        "fingerprint": fingerprint(tournament),
        "mistakes": [],
    }


def in_words(one: dict[str, Any]) -> str:
    """A line for a file that is right, or one for each mistake."""
    if not one["ok"]:
        return "\n".join(mistake["message"] for mistake in one["mistakes"])
    more = "" if one["games_known"] else " or more"
    return f"ok: {one['name']}, {len(one['engines'])} engines, {one['games']} games{more}"


def _as_data(mistake: Mistake) -> dict[str, Any]:
    line, column = mistake.place or (None, None)
    return {
        "file": str(mistake.path),
        "line": line,
        "column": column,
        "where": mistake.where,
        "sentence": mistake.sentence,
        "message": str(mistake),
    }
