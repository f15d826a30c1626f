"""Tournament and training files: `arena init`, the bundled files, and whether a file is valid."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from arena.cli.options import argument, complete_bundled, option, refuse
from arena.errors import ArenaError

if TYPE_CHECKING:
    from arena.report.data import ReportData
    from arena.report.studies import Study
    from arena.tournament.mistakes import Mistake
    from arena.tournament.spec import Tournament
    from arena.tournament.yaml import Document

STUDIES = "studies"  # the folder of bundled studies
SCHEMA = "arena.schema.json"  # beside the file
SCHEMA_LINE = f"# yaml-language-server: $schema={SCHEMA}"


def init(
    file: Path | None = argument(
        None, "FILE", "Where to write it; by default tournament.yaml, or the name after --from."
    ),
    source: str | None = option(
        None, "--from NAME", "Copy this bundled file and the files it uses.", complete_bundled
    ),
    schema: bool = option(False, "--schema", "Print the JSON Schema of tournament files instead."),
    training: bool = option(False, "--training", "With --schema: that of training files."),
    force: bool = option(False, "--force", "Overwrite files that exist."),
) -> None:
    """Write a tournament file with comments, or copy a bundled one.

    Arena writes a schema beside a new file. Editors with the YAML language server, such as VS
    Code, then complete the keys and mark mistakes. `arena run --list` lists the bundled files.

    Example: arena init cup.yaml

    Example: arena init --from course/league
    """
    if not schema:
        refuse("without --schema", training=training)
    if schema:
        refuse("with --schema", from_=source, force=force, FILE=file)
        _print_schema(training)
    elif source is not None:
        _copy_bundled(source, file, force)
    else:
        _write_starter(file or Path("tournament.yaml"), force)


def _print_schema(training: bool) -> None:
    from arena.engine.registry import names
    from arena.learning.schema import training_schema
    from arena.show.terminal import print_json
    from arena.tournament.schema import json_schema

    print_json(training_schema(names()) if training else json_schema(names()))


def _write_starter(file: Path, force: bool) -> None:
    """Write a tournament to start from, and the schema for editors beside it."""
    from importlib.resources import files

    from arena.files import disk_errors, write_atomic
    from arena.text import printable

    text = files("arena.tournament").joinpath("starter.yaml").read_text(encoding="utf-8")
    if file.is_file() and not force:
        raise ArenaError(f"{file} exists; --force overwrites it")
    with disk_errors(file):
        write_atomic(file, f"{SCHEMA_LINE}\n{text}".encode())
    schema = _write_schema(file.with_name(SCHEMA), force)
    print(printable(f"wrote {file}{schema}"), file=sys.stderr)
    print(printable(f"play it with: arena run {quote(str(file))}"), file=sys.stderr)


def _write_schema(path: Path, force: bool) -> str:
    """Write the schema unless another program's file has its name; say what was done."""
    from arena.engine.registry import names
    from arena.files import write_atomic
    from arena.tournament.schema import TITLE, json_schema

    try:
        if path.exists() and not force and TITLE not in path.read_text(encoding="utf-8"):
            return f"; {path} is another program's file and was not changed"
        text = json.dumps(json_schema(names()), indent=2, ensure_ascii=False)
        write_atomic(path, f"{text}\n".encode())
    except (OSError, UnicodeDecodeError) as error:
        return f"; {path} for editors cannot be written: {getattr(error, 'strerror', error)}"
    return f" and {path} for editors"


# ---- bundled files


def first_comment(text: str) -> str:
    """The comment at the beginning of a file, up to its first empty line."""
    lines = takewhile(lambda line: len(line) > 1 and line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").rstrip() for line in lines)


def first_sentence(text: str) -> str:
    """The first sentence of that comment."""
    return re.split(r"(?<=[.?])\s", first_comment(text), maxsplit=1)[0]


def list_files(as_json: bool) -> None:
    """Print the bundled files and the user's own in tournaments/: what each is for, and its kind.

    A study that was run here comes with its result.
    """
    from rich.padding import Padding

    from arena.show.terminal import console, print_json
    from arena.tournament.yaml import read

    rows = []
    for name, path in _ready_files().items():
        document = read(path)
        row = {"file": name, "kind": _kind(document), "about": first_sentence(document.text)}
        rows.append(row | (_study_data(path) if name.startswith(f"{STUDIES}/") else {}))
    if as_json:
        print_json(rows)
        return
    out = console()
    for row in rows:
        out.print(str(row["file"]), style="bold", soft_wrap=True)
        out.print(Padding(str(row["about"]), (0, 0, 0, 2)))
        if row.get("result"):
            out.print(Padding(f"Here: {row['result']}", (0, 0, 0, 2)), style="green")
    out.print("\nRun one with arena run NAME, a training with arena train NAME. --full plays as "
              "many games as the source of a study did.", style="dim")  # fmt: skip


def _ready_files() -> dict[str, Path]:
    """The files that can be run by name, the top level first."""
    from arena.tournament.bundled import folders

    found: dict[str, Path] = {}
    for pattern in ("*.yaml", "*/*.yaml"):
        for folder in folders():
            for path in sorted(folder.glob(pattern)):
                found.setdefault(path.relative_to(folder).with_suffix("").as_posix(), path)
    return found


def _kind(document: Document) -> str:
    from arena.learning.reading import is_training
    from arena.tournament.load import is_grading

    if is_training(document):
        return "training"
    return "grading" if is_grading(document) else "tournament"


def _study_data(path: Path) -> dict[str, Any]:
    """A study and, if it was run here, its result."""
    from arena.report.programs import verdict_data
    from arena.report.studies import ANSWERS, Study
    from arena.show.numbers import how_many
    from arena.tournament.load import load

    tournament = load(path)
    about = {
        "name": tournament.name,
        "question": tournament.aims.about,
        "games": tournament.schedule().expected(),
        "published": len(tournament.aims.published),
    }
    data = _data_of(tournament)
    if data is None:
        return {**about, "games_here": 0}
    study = Study(data, "")
    counts = {words: study.count(answer) for answer, words in ANSWERS.items()}
    claims = ", ".join(f"{count} x {words}" for words, count in counts.items() if count)
    result = f"{how_many(data.results.games, 'game')}; claims: {claims or 'none'}"
    return {**about, "games_here": data.results.games, "result": result, **verdict_data(data)}


def _data_of(tournament: Tournament) -> ReportData | None:
    """What the games of a tournament say, if it was run here."""
    from arena.journal import GAMES, Journal
    from arena.report.data import read_data

    if not (tournament.output / GAMES).is_file():
        return None
    with Journal.read(tournament.output) as journal:
        return read_data(journal, judging=0.0) if journal.count() else None


def studies_run_here(folder: Path) -> Iterator[Study]:
    """The studies with games, each with the way from a folder to its report."""
    from os.path import relpath

    from arena.report.studies import Study
    from arena.show.progress import Progress
    from arena.tournament.load import load

    paths = {name: path for name, path in _ready_files().items() if name.startswith(f"{STUDIES}/")}
    with Progress("reading studies", len(paths)) as progress:
        for number, (name, path) in enumerate(paths.items(), start=1):
            progress.at(number, name)
            tournament = load(path)
            if (data := _data_of(tournament)) is not None:
                yield Study(data, Path(relpath(tournament.output / "report.md", folder)).as_posix())


def _copy_bundled(name: str, target: Path | None, force: bool) -> None:
    """Copy a bundled file, and the bots and openings it uses."""
    from arena.files import disk_errors
    from arena.tournament.bundled import (
        bundled_folder,
        bundled_names,
        files_named_in,
        nearest_name,
    )
    from arena.tournament.yaml import read

    name = name.removesuffix(".yaml")
    if name not in bundled_names():
        near = nearest_name(Path(name))
        hint = f"did you mean {near!r}?" if near else "arena run --list lists them"
        raise ArenaError(f"no bundled file is called {name!r}; {hint}")
    source = bundled_folder() / f"{name}.yaml"
    target = target or Path(source.name)
    used = files_named_in(source, source.read_text(encoding="utf-8"))
    copies = {source: target, **{path: target.with_name(path.name) for path in used}}
    if not force and (existing := [str(path) for path in copies.values() if path.exists()]):
        verb = "exists" if len(existing) == 1 else "exist"
        raise ArenaError(f"{', '.join(existing)} {verb}; --force overwrites")
    for path, copy in copies.items():
        with disk_errors(copy):
            copy.parent.mkdir(parents=True, exist_ok=True)
            if path.is_dir():
                leave_out = shutil.ignore_patterns("__pycache__")
                shutil.copytree(path, copy, dirs_exist_ok=True, ignore=leave_out)
            else:
                shutil.copyfile(path, copy)
    command = {"training": "train", "grading": "grade FOLDER --with", "tournament": "run"}
    print(f"wrote {', '.join(map(str, copies.values()))}", file=sys.stderr)
    print(f"run it with: arena {command[_kind(read(target))]} {quote(str(target))}",
          file=sys.stderr)  # fmt: skip


# ---- whether files are valid


def check_files(paths: Sequence[Path], skip_missing: bool, as_json: bool) -> bool:
    """Print what each file describes, or its mistakes; return whether all are valid."""
    from arena.show.terminal import print_json
    from arena.text import printable

    reports = [_examine(path, skip_missing) for path in paths]
    if as_json:
        print_json(reports)
    else:
        for report in reports:
            for line in _report_lines(report):
                print(printable(line))
    return all(report["ok"] for report in reports)


def _examine(file: Path, skip_missing: bool) -> dict[str, Any]:
    from arena.tournament.mistakes import BadSpec
    from arena.tournament.yaml import read

    try:
        described = _describe(read(file), skip_missing)
        return {**described, "file": str(file), "ok": True, "mistakes": []}
    except BadSpec as error:
        mistakes = [_mistake_data(mistake) for mistake in error.mistakes]
    except ArenaError as error:
        mistakes = [{"message": f"{file}: {error}"}]
    return {"file": str(file), "ok": False, "mistakes": mistakes}


def _describe(document: Document, skip_missing: bool) -> dict[str, Any]:
    """A tournament or a training in a few figures."""
    from arena.learning.canonical import fingerprint as fingerprint_of_training
    from arena.learning.reading import understand as read_training
    from arena.tournament.games import STAND_IN
    from arena.tournament.identity import fingerprint
    from arena.tournament.load import FULL, STUDENT, in_full_length, understand, with_student

    kind = _kind(document)
    if kind == "training":
        training = read_training(document)
        return {
            "name": training.name,
            "method": training.method,
            "game": training.rules.name,
            "games": training.settings.games,
            "fingerprint": fingerprint_of_training(training),
        }
    if kind == "grading":
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


def _report_lines(report: dict[str, Any]) -> Iterator[str]:
    """A line for a valid file, or one for each mistake."""
    from arena.show.numbers import how_many

    if not report["ok"]:
        yield from (mistake["message"] for mistake in report["mistakes"])
    elif "method" in report:
        games = how_many(report["games"], "game")
        yield f"ok: {report['name']}, {report['method']} on {report['game']}, {games}"
    else:
        more = "" if report["games_known"] else " or more"
        engines = len(report["engines"])
        yield f"ok: {report['name']}, {engines} engines, {report['games']} games{more}"
        yield from (f"  {name} loses its games: {why}" for name, why in report["broken"].items())


def _mistake_data(mistake: Mistake) -> dict[str, Any]:
    line, column = mistake.place or (None, None)
    return {
        "file": str(mistake.path),
        "line": line,
        "column": column,
        "where": mistake.where,
        "sentence": mistake.sentence,
        "message": str(mistake),
    }
