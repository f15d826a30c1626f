"""From a training file to the training it describes; every mistake is found in one go."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from arena.errors import ArenaError
from arena.evaluation import Evaluation
from arena.game.position import Position
from arena.game.rules import Rules
from arena.learning.features import Parameters
from arena.learning.parts import MEASURED, Measure, Tuples
from arena.learning.records import read_records
from arena.learning.spec import FILES, METHOD_WORDS, NTupleFile, Training, TrainingFile
from arena.network.tuples import table_sizes
from arena.solver.book import book_for
from arena.solver.solver import is_solvable, refuse
from arena.tournament.games import Player
from arena.tournament.globs import Listed
from arena.tournament.mistakes import Trail, described, in_order, near, refusal
from arena.tournament.parts import EngineEntry, LimitsEntry
from arena.tournament.players import Common, variants, with_files
from arena.tournament.validation import Faults, check
from arena.tournament.yaml import Document, read, read_text

METHOD = "method"  # the key that makes a file one of training
SMALL = 36  # cells of a board that is solved from its first move without a book
SCHEDULES = ("epsilon", "step")  # keys that may change over the games


def load(path: Path | str) -> Training[Any]:
    """The training of a file; `BadSpec` holds all that is wrong with it."""
    return understand(read(Path(path)))


def load_text(text: str, path: Path | str = "training.yaml") -> Training[Any]:
    """The training of a text, as if it stood in this file."""
    return understand(read_text(text, Path(path)))


def is_training(document: Document) -> bool:
    """Whether a file is meant as a training, not as a tournament."""
    return METHOD in document.data


def understand(document: Document) -> Training[Any]:
    """Check each part for itself, then what the parts mean for each other."""
    model = _model(document)
    foreign = {
        key: f"is a key of the method {name}; the method here is {document.data[METHOD]}"
        for name, other in FILES.items()
        for key in _keys(other) - _keys(model)
    }
    comparison = _Comparison(document)
    file = check(document, model, foreign=foreign, at_end=comparison.run)
    rules = file.game.build()
    name = file.name or document.path.stem
    output = Path(os.path.expanduser(file.output)) if file.output else Path("reports") / name
    settings = _complete(file, rules)
    return Training(
        name, rules, settings, comparison.opponent, comparison.against, comparison.features,
        output, document.path, document.text, comparison.records,
    )  # fmt: skip


def _keys(model: type[TrainingFile]) -> set[str]:
    return {part.alias or name for name, part in model.model_fields.items()}


def _model(document: Document) -> type[TrainingFile]:
    """The class of the method; a file without one cannot be checked any further."""
    path, trail, value = document.path, (METHOD,), document.data.get(METHOD)
    if METHOD not in document.data and "engines" in document.data:
        raise refusal(path, "is a tournament file; arena run plays it")
    if isinstance(value, str) and value in FILES:
        return FILES[value]
    mistakes = list(document.mistakes)
    if METHOD not in document.data:
        sentence = f"is missing; expected {METHOD_WORDS}"
        mistakes.append(document.mistake(trail, sentence, key=True))
    elif trail not in document.unread:
        hint = near(value, FILES) if isinstance(value, str) else ""
        sentence = f"found {described(value)}; expected {METHOD_WORDS}{hint}"
        mistakes.append(document.mistake(trail, sentence))
    raise in_order(mistakes, path)


class _Comparison:
    """Compares the keys of a file with each other, as far as each is correct by itself."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.opponent: Player | None = None  # None in self-play
        self.against: tuple[Player, ...] = ()  # the engines that strength is measured by
        self.features: Evaluation | None = None
        self.records: tuple[Position, ...] = ()

    def run(self, data: Mapping[str, Any], faults: Faults) -> None:
        """Compare the values of the keys that are correct."""
        self.data, self.faults = data, faults
        self.rules = data["game"].build() if "game" in data else None
        if self.rules is not None and self.rules.pie:
            sentence = "found the pie rule; weights are learned on boards without it"
            self.faults.add(("game",), sentence)
        self._read_opponent()
        self._read_against()
        self._check_side()
        self._check_output()
        if "measure" in data:
            self._check_measure(data["measure"])
        if "features" in data:
            self._read_features(data["features"])
        if data.get("records") is not None and self.rules is not None:
            with self._refusing("records"):
                self.records = read_records(self._folder / data["records"], self.rules)
        if self.rules is not None and data["method"] == "ntuple":
            self._check_network(self.rules)

    @property
    def _folder(self) -> Path:
        return self.document.path.parent

    @contextmanager
    def _refusing(self, *trail: str) -> Iterator[None]:
        """Note an error as a mistake of this key."""
        try:
            yield
        except ArenaError as error:
            sentence = str(error).replace(f"{os.path.abspath(self._folder)}{os.sep}", "")
            self.faults.add(trail, sentence)

    def _players(self, trail: Trail, entry: EngineEntry) -> list[Player]:
        common = Common(self.document, self.rules, LimitsEntry())
        return list(variants(Listed(trail, entry), common, self.faults))

    def _read_opponent(self) -> None:
        entry = self.data.get("opponent")
        players = [] if entry is None else self._players(("opponent",), entry)
        self.opponent = players[0] if players else None
        if len(players) > 1:
            sentence = f"makes {len(players)} players; expected a single one"
            self.faults.add(("opponent",), f"{sentence}, without lists of values")

    def _read_against(self) -> None:
        """The engines that strength is measured by, each under a name of its own."""
        players: dict[str, Player] = {}
        for number, entry in enumerate(self._measure_against()):
            is_listed = ("measure", "against", number) in self.document.values
            trail: Trail = ("measure", "against", *([number] if is_listed else []))
            for player in self._players(trail, entry):
                if player.name in players:
                    sentence = f"a second one is called {player.name!r}; give one another name"
                    self.faults.add(trail, sentence)
                players[player.name] = player
        self.against = tuple(players.values())

    def _measure_against(self) -> list[EngineEntry]:
        """The engines to play against, also where another key of measure is wrong."""
        written = self.document.data.get("measure")
        if "measure" in self.data:
            return list(self.data["measure"].against)
        if not isinstance(written, dict) or "against" not in written:
            return []
        try:
            return Measure.model_validate({"against": written["against"]}).against
        except ValidationError:
            return []

    def _read_features(self, features: Any) -> None:
        """The evaluation to start from; its file stands beside the training file."""
        with self._refusing("features"):
            value = with_files(features, lambda file: os.path.abspath(self._folder / file))
            self.features = Evaluation.from_option(value)
            if self.rules is not None:
                Parameters.of(self.features, self.rules)  # refuses what cannot be learned

    def _check_side(self) -> None:
        alone = "opponent" in self.data and self.data["opponent"] is None
        alone = alone and self.data.get("records") is None
        if alone and self.data.get("side", "both") != "both":
            sentence = "in self-play the learner takes both sides; expected an engine as opponent"
            self.faults.add(("side",), sentence)

    def _check_output(self) -> None:
        """A folder is set aside under another name, so it needs one."""
        output = self.data.get("output")
        if output is not None and Path(output).name in ("", ".."):
            sentence = f"found {described(output)}; expected a folder by its own name"
            self.faults.add(("output",), sentence)

    def _check_measure(self, measure: Measure) -> None:
        """Something must tell the best, and exact measures need a board that can be solved."""
        is_nothing = measure.perfect == 0 and measure.exam == 0 and not measure.against
        if self.data.get("keep") == "best" and is_nothing:
            sentence = "nothing is measured that would tell the best"
            self.faults.add(("keep",), f"{sentence}; expected something to measure by")
        for key in ("perfect", "exam"):
            if getattr(measure, key) and self.rules is not None:
                with self._refusing("measure", key):
                    refuse(self.rules)

    def _check_network(self, rules: Rules) -> None:
        """Whether the groups of cells, the teacher and the random plies fit the board."""
        data, written = self.data, self.document.data
        if "tuples" in data and "tuples" in written:
            with self._refusing("tuples"):
                table_sizes(data["tuples"].on(rules))
        if {"teacher", "teacher_from"} <= data.keys():
            if data["teacher"] != "none":
                with self._refusing("teacher"):
                    refuse(rules)
            if data["teacher"] != "end" and data["teacher_from"] is not None:
                self.faults.add(("teacher_from",), "is for teacher: end alone", is_key=True)
        for key in ("teacher_from", "random_plies"):
            if (data.get(key) or 0) >= rules.cells:
                sentence = f"found {data[key]}; {rules} has {rules.cells} cells"
                self.faults.add((key,), sentence)
        if data.get("tcl") is False and "beta" in written:
            self.faults.add(("beta",), "is for tcl: true alone", is_key=True)
        if data.get("opponent") is not None:  # whose games are played one by one
            if data.get("workers", 1) > 1:
                sentence = f"found {data['workers']}; against an engine there is 1"
                self.faults.add(("workers",), f"{sentence}, only self-play has more")
            if data.get("random_plies"):
                self.faults.add(("random_plies",), "is for self-play alone", is_key=True)


def _complete(file: TrainingFile, rules: Rules) -> TrainingFile:
    """The same with all that depends on the board or on the number of games filled in."""
    parts: dict[str, Any] = {key: getattr(file, key).within(file.games) for key in SCHEDULES}
    masters = is_solvable(rules) and (rules.cells <= SMALL or book_for(rules) is not None)
    counts: dict[str, Any] = {"perfect": MEASURED} if masters else {"perfect": 0, "exam": 0}
    given = file.measure.model_dump(include={"perfect", "exam"}, exclude_none=True)
    parts["measure"] = file.measure.model_copy(update=counts | given)
    if isinstance(file, NTupleFile) and "tuples" not in file.model_fields_set:
        parts["tuples"] = Tuples.usual(rules)
    if isinstance(file, NTupleFile) and file.teacher == "end" and file.teacher_from is None:
        parts["teacher_from"] = 2 * rules.cells // 3
    return file.model_copy(update=parts)
