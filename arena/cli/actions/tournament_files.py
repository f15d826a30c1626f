"""The bodies of `arena init`, `arena validate` and `arena schema`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from shlex import quote
from typing import Any

from arena.engine.registry import names
from arena.errors import ArenaError
from arena.files import disk_errors, write_atomic
from arena.learning.canonical import fingerprint as fingerprint_of_training
from arena.learning.reading import is_training
from arena.learning.reading import understand as read_training
from arena.learning.schema import training_schema
from arena.show.numbers import how_many
from arena.show.terminal import print_json
from arena.text import printable
from arena.tournament.games import STAND_IN
from arena.tournament.identity import fingerprint
from arena.tournament.load import (
    FULL,
    STUDENT,
    in_full_length,
    is_grading,
    understand,
    with_student,
)
from arena.tournament.mistakes import BadSpec, Mistake
from arena.tournament.schema import TITLE, json_schema
from arena.tournament.yaml import Document, read

STARTER = "starter.yaml"  # in arena/tournament
SCHEMA = "arena.schema.json"  # beside the file
SCHEMA_LINE = f"# yaml-language-server: $schema={SCHEMA}"


def write_starter(file: Path, force: bool) -> None:
    """Write a tournament to start from, and the schema for editors beside it."""
    text = files("arena.tournament").joinpath(STARTER).read_text(encoding="utf-8")
    if file.is_file() and not force:
        raise ArenaError(f"{file} exists; --force overwrites it")
    with disk_errors(file):
        write_atomic(file, f"{SCHEMA_LINE}\n{text}".encode())
    schema = _write_schema(file.with_name(SCHEMA), force)
    print(printable(f"wrote {file}{schema}"), file=sys.stderr)
    print(printable(f"play it with: arena run {quote(str(file))}"), file=sys.stderr)


def _write_schema(path: Path, force: bool) -> str:
    """Put the schema beside the file, in words; somebody else's file of that name is left alone."""
    try:
        if path.exists() and not force and TITLE not in path.read_text(encoding="utf-8"):
            return f"; {path} is not ours and was left as it is"
        text = json.dumps(json_schema(names()), indent=2, ensure_ascii=False)
        write_atomic(path, f"{text}\n".encode())
    except (OSError, UnicodeDecodeError) as error:
        return f"; {path} for editors cannot be written: {getattr(error, 'strerror', error)}"
    return f" and {path} for editors"


def print_schema(training: bool) -> None:
    """Print the schema of one kind of file."""
    print_json(training_schema(names()) if training else json_schema(names()))


def check_files(paths: Sequence[Path], skip_missing: bool, as_json: bool) -> bool:
    """Print what files describe, or what is wrong with them; whether all are right."""
    reports = [_examine(path, skip_missing) for path in paths]
    if as_json:
        print_json(reports)
    else:
        for report in reports:
            for line in _in_words(report):
                print(printable(line))
    return all(report["ok"] for report in reports)


def _examine(file: Path, skip_missing: bool) -> dict[str, Any]:
    """What a file describes, or what is wrong with it."""
    try:
        document = read(file)
        return {**_described(document, skip_missing), "file": str(file), "ok": True, "mistakes": []}
    except BadSpec as error:
        return {"file": str(file), "ok": False, "mistakes": [_as_data(m) for m in error.mistakes]}
    except ArenaError as error:
        return {"file": str(file), "ok": False, "mistakes": [{"message": f"{file}: {error}"}]}


def _described(document: Document, skip_missing: bool) -> dict[str, Any]:
    """A tournament or a training in a few figures."""
    if is_training(document):
        training = read_training(document)
        return {
            "name": training.name,
            "method": training.method,
            "game": training.rules.name,
            "games": training.settings.games,
            "fingerprint": fingerprint_of_training(training),
        }
    if is_grading(document):
        document = with_student(document, STAND_IN, STUDENT)
    if isinstance(document.data.get(FULL), dict):
        understand(in_full_length(document), skip_missing)
    tournament = understand(document, skip_missing)
    schedule = tournament.schedule()
    return {
        "name": tournament.name,
        "engines": [player.name for player in tournament.players],
        "games": schedule.expected(),
        "games_known": schedule.total is not None,
        "broken": {player.name: player.broken for player in tournament.players if player.broken},
        "fingerprint": fingerprint(tournament),
    }


def _in_words(report: dict[str, Any]) -> list[str]:
    """A line for a file that is right, or one for each mistake."""
    if not report["ok"]:
        return [mistake["message"] for mistake in report["mistakes"]]
    if "method" in report:
        games = how_many(report["games"], "game")
        return [f"ok: {report['name']}, {report['method']} on {report['game']}, {games}"]
    more = "" if report["games_known"] else " or more"
    engines = len(report["engines"])
    lines = [f"ok: {report['name']}, {engines} engines, {report['games']} games{more}"]
    lines += [f"  {name} loses its games: {why}" for name, why in report["broken"].items()]
    return lines


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
