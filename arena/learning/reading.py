"""From a training file to the training it describes; every mistake is found in one go."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arena.errors import ArenaError
from arena.evaluation import Evaluation
from arena.game.position import Position
from arena.game.rules import Rules
from arena.learning.features import Parameters
from arena.learning.parts import MEASURED, Tuples
from arena.learning.records import read_records
from arena.learning.spec import FILES, METHOD_WORDS, NTupleFile, TdFile, Training, TrainingFile
from arena.network.tuples import table_sizes
from arena.solver.book import book_for
from arena.solver.solver import is_solvable, refuse
from arena.tournament.games import Player
from arena.tournament.load import in_order
from arena.tournament.mistakes import Trail, described, near, refusal
from arena.tournament.parts import LimitsEntry
from arena.tournament.players import variants, with_files
from arena.tournament.validation import Draft, validate
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
    draft = validate(document, model, {}, foreign)
    file, rules = draft.file, draft.file.game.build()
    opponent, against = _opponent(draft), tuple(_against(draft))
    features = _features(draft, rules) if isinstance(file, TdFile) else None
    records = _records(draft, rules) if isinstance(file, TdFile) else ()
    if draft.sound("game") and rules.pie:
        draft.wrong(("game",), "found the pie rule; weights are learned on boards without it")
    _check_side(draft)
    _check_output(draft)
    _check_keep(draft)
    if draft.sound("game"):
        _check_measure(draft, rules)
        if isinstance(file, NTupleFile):
            _check_network(draft, file, rules)
    if draft.mistakes:
        raise in_order(draft.mistakes, document)
    name = file.name or document.path.stem
    output = Path(os.path.expanduser(file.output)) if file.output else Path("reports") / name
    settings = _complete(file, rules)
    return Training(
        name, rules, settings, opponent, against, features, output, document.path, document.text,
        records,
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
    raise in_order(mistakes, document)


def _opponent(draft: Draft[TrainingFile]) -> Player | None:
    """The engine to learn from; None in self-play."""
    entry = draft.file.opponent
    if entry is None or not draft.sound("opponent"):
        return None
    players = list(variants(draft, ("opponent",), entry, LimitsEntry()))
    if len(players) > 1:
        sentence = f"makes {len(players)} players; expected a single one, without lists of values"
        draft.wrong(("opponent",), sentence)
    return players[0] if players else None


def _against(draft: Draft[TrainingFile]) -> Iterator[Player]:
    """The engines that strength is measured by, each under a name of its own."""
    names: set[str] = set()
    is_list = isinstance(_written(draft, "measure", "against"), list)
    for number, entry in enumerate(draft.file.measure.against):
        trail: Trail = ("measure", "against", *([number] if is_list else []))
        for player in variants(draft, trail, entry, LimitsEntry()):
            if player.name in names:
                sentence = f"a second one is called {player.name!r}; give one another name"
                draft.wrong(trail, sentence)
            names.add(player.name)
            yield player


def _written(draft: Draft[TrainingFile], *keys: str) -> Any:
    data: Any = draft.document.data
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _features(draft: Draft[Any], rules: Rules) -> Evaluation | None:
    """The evaluation to start from; its file stands beside the training file."""
    if not draft.sound("features"):
        return None
    folder = draft.document.path.parent
    try:
        value = with_files(draft.file.features, lambda file: os.path.abspath(folder / file))
        features = Evaluation.from_option(value)
        if draft.sound("game"):
            Parameters.of(features, rules)  # which has a sentence for what cannot be learned
        return features
    except ArenaError as error:
        sentence = str(error).replace(f"{os.path.abspath(folder)}{os.sep}", "")
        draft.wrong(("features",), sentence)
        return None


def _records(draft: Draft[Any], rules: Rules) -> tuple[Position, ...]:
    """The games to learn from; their file stands beside the training file."""
    if draft.file.records is None or not draft.sound("records", "game"):
        return ()
    try:
        return read_records(draft.document.path.parent / draft.file.records, rules)
    except ArenaError as error:
        draft.wrong(("records",), str(error))
        return ()


def _check_side(draft: Draft[TrainingFile]) -> None:
    is_set = "side" in draft.document.data and draft.sound("side", "opponent")
    alone = draft.file.opponent is None and getattr(draft.file, "records", None) is None
    if is_set and alone and draft.file.side != "both":
        sentence = "in self-play the learner takes both sides; expected an engine as opponent"
        draft.wrong(("side",), sentence)


def _check_output(draft: Draft[TrainingFile]) -> None:
    """A folder is set aside under another name, so it needs one."""
    if draft.sound("output") and Path(draft.file.output or "reports").name in ("", ".."):
        sentence = f"found {described(draft.file.output)}; expected a folder by its own name"
        draft.wrong(("output",), sentence)


def _check_keep(draft: Draft[TrainingFile]) -> None:
    measure = draft.file.measure
    nothing = measure.perfect == 0 and measure.exam == 0 and not measure.against
    if draft.sound("keep", "measure") and draft.file.keep == "best" and nothing:
        sentence = "nothing is measured that would tell the best; expected something to measure by"
        draft.wrong(("keep",), sentence)


def _check_measure(draft: Draft[TrainingFile], rules: Rules) -> None:
    """Exact measures need a board that can be solved."""
    for key in ("perfect", "exam"):
        if getattr(draft.file.measure, key):
            _refuse(draft, ("measure", key), rules)


def _refuse(draft: Draft[Any], trail: Trail, rules: Rules) -> None:
    try:
        refuse(rules)
    except ArenaError as error:
        draft.wrong(trail, str(error))


def _check_network(draft: Draft[Any], file: NTupleFile, rules: Rules) -> None:
    """Whether the groups of cells, the teacher and the random plies fit the board."""
    if draft.sound("tuples") and "tuples" in draft.document.data:
        try:
            table_sizes(file.tuples.on(rules))
        except ArenaError as error:
            draft.wrong(("tuples",), str(error))
    if draft.sound("teacher", "teacher_from"):
        if file.teacher != "none":
            _refuse(draft, ("teacher",), rules)
        if file.teacher != "end" and file.teacher_from is not None:
            draft.wrong(("teacher_from",), "is for teacher: end alone", key=True)
        elif (file.teacher_from or 0) >= rules.cells:
            sentence = f"found {file.teacher_from}; {rules} has {rules.cells} cells"
            draft.wrong(("teacher_from",), sentence)
    if draft.sound("random_plies") and file.random_plies >= rules.cells:
        sentence = f"found {file.random_plies}; {rules} has {rules.cells} cells"
        draft.wrong(("random_plies",), sentence)
    if not file.tcl and "beta" in draft.document.data and draft.sound("tcl", "beta"):
        draft.wrong(("beta",), "is for tcl: true alone", key=True)
    if file.opponent is not None and draft.sound("opponent"):
        _check_one_by_one(draft, file)


def _check_one_by_one(draft: Draft[Any], file: NTupleFile) -> None:
    """Games against an engine begin from the empty board, one after the other."""
    if file.workers > 1 and draft.sound("workers"):
        sentence = f"found {file.workers}; against an engine there is 1, only self-play has more"
        draft.wrong(("workers",), sentence)
    if file.random_plies and draft.sound("random_plies"):
        draft.wrong(("random_plies",), "is for self-play alone", key=True)


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
