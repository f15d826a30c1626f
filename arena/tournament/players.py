"""From the engines of a file to its players: variants written out, options checked, names given.

Every option is tried on the engine itself, one by one and then all together, so the engine's own
rules decide and every wrong option is reported.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import islice, product
from pathlib import Path
from typing import Any, get_args

from pydantic import ValidationError

from arena.bots.find import adapter_of, find, find_foreign, is_ours
from arena.bots.hosted import MEMORY, START, Terms
from arena.bots.names import BotName
from arena.engine.contract import Limits
from arena.engine.options import Option
from arena.engine.registry import Entry, check_shared_process
from arena.errors import ArenaError, EngineFailure, NotInstalled, UnknownName, warn_caller
from arena.evaluation import Evaluation
from arena.game.rules import Rules
from arena.network.option import SUFFIX, NetworkOption
from arena.text import printable
from arena.tournament.games import STAND_IN, Player
from arena.tournament.globs import MAX_PLAYERS, Listed, expand_patterns
from arena.tournament.mistakes import Trail, described, excerpt
from arena.tournament.parts import EngineEntry, LimitsEntry
from arena.tournament.validation import Faults
from arena.tournament.values import invalid
from arena.tournament.yaml import Document

WEIGHTS = (".yaml", ".yml", SUFFIX)
ANYTHING = (Exception, SystemExit)  # what the code of an engine may raise

Words = dict[str, list[tuple[Any, str]]]  # of each option the values, and the word for each


@dataclass(frozen=True)
class Common:
    """What the engines of a file have in common."""

    document: Document
    rules: Rules | None  # None: the game of the file is wrong
    limits: LimitsEntry
    isolated: bool = True
    start: float = START
    memory: int | None = None
    forfeit: bool = False  # whether an engine that does not load forfeits its games
    skip_missing: bool = False

    @property
    def folder(self) -> Path:
        """The folder of the file."""
        return self.document.path.parent

    @property
    def terms(self) -> Terms:
        """The bounds while engines load."""
        return Terms(self.start, memory=self.memory or MEMORY)

    def in_full(self, entry: EngineEntry) -> str:
        """An engine with the full names of its files."""
        return str(BotName.parse(entry.engine).in_full(self.folder))

    def find(self, entries: Iterable[EngineEntry]) -> dict[str, Entry | Exception]:
        """The engines that are not bundled, several at a time."""
        return find_foreign(map(self.in_full, entries), self.terms)


def read_players(values: Sequence[Any], common: Common) -> tuple[Player, ...]:
    """The players of a list of engines, in its order."""
    faults = Faults()
    listed = expand_patterns(_read_entries(values, faults), common.folder, faults)
    found = common.find(each.entry for each in listed)
    players: list[Player] = []
    lines: dict[str, int] = {}
    for each in listed:
        for player in variants(each, common, faults, found):
            if player.name not in lines:
                lines[player.name] = common.document.place(each.at).line
                players.append(player)
                continue
            named = (*each.at, "name")
            faults.add(
                named if named in common.document.values else each.at,
                f"a second player is called {player.name!r}, the first is in line "
                f"{lines[player.name]}; give one of them another name",
            )
        if len(players) > MAX_PLAYERS:
            faults.add(each.at, f"makes more than {MAX_PLAYERS} players; expected fewer variants")
            break
    trusted = [BotName.parse(player.engine) for player in players if not player.isolated]
    try:
        check_shared_process(file for bot in trusted for file in bot.files)
    except EngineFailure as error:
        faults.add(("engines",), str(error))
    faults.check()
    if len(players) < 2:
        found_ = "one player" if players else "none"
        raise invalid(f"found {found_}; expected two engines at least")
    return tuple(players)


def _read_entries(values: Sequence[Any], faults: Faults) -> Iterator[Listed]:
    """The entries; of one with mistakes the keys that are correct, if it still names an engine."""
    for number, value in enumerate(values):
        at = ("engines", number)
        try:
            yield Listed(at, EngineEntry.model_validate(value))
        except ValidationError as error:
            faults.include(error, number)
            wrong = {(*each["loc"], "engine")[0] for each in error.errors()}
            if "engine" not in wrong:
                correct = {key: item for key, item in value.items() if key not in wrong}
                yield Listed(at, EngineEntry.model_validate(correct))


def variants(
    listed: Listed,
    common: Common,
    faults: Faults,
    found: Mapping[str, Entry | Exception] | None = None,
) -> Iterator[Player]:
    """The players that an entry of a file stands for."""
    found = common.find([listed.entry]) if found is None else found
    return _Variants(*listed, common, faults, found).players()


@dataclass
class _Variants:
    """One entry of a list of engines, and the players it stands for."""

    at: Trail
    entry: EngineEntry
    title: str
    common: Common
    faults: Faults
    found: Mapping[str, Entry | Exception]
    files: dict[str, str] = field(default_factory=dict)  # in full, and as they are written

    def __post_init__(self) -> None:
        self.written = BotName.parse(self.entry.engine)
        self.spec = self.common.in_full(self.entry)
        self.bot = BotName.parse(self.spec)
        self.limits = self.entry.limits or self.common.limits
        self.is_student = self.at[-1] in self.common.document.students
        isolation = self.entry.isolation
        self.isolated = self.common.isolated if isolation is None else isolation == "seat"

    def players(self) -> Iterator[Player]:
        """The players; none of an engine that is not installed, where that is allowed."""
        sound: set[str] = set()
        try:
            for player in self._players():
                sound.add(player.name)
                yield player
        except NotInstalled as error:
            sentence = self._sentence(error)
            if not self.common.skip_missing:
                self._wrong("engine", sentence)
                return
            warn_caller(f"{self.entry.engine} is left out: {sentence}")
        except EngineFailure as error:
            for name, options, limits in self._ways(self._unchecked()):
                if name not in sound:
                    yield self._player(name, self.spec, options, limits, self._sentence(error))

    def _player(
        self, name: str, engine: str, options: dict[str, Any], limits: Limits, broken: str = ""
    ) -> Player:
        return Player(name, engine, options, limits, self.isolated, broken, self.is_student)

    @property
    def _passed_on(self) -> type[EngineFailure]:
        """The errors that are no mistake of the file: a file that exists may hold a broken bot."""
        exists = all(file.is_file() for file in self.bot.files)
        forfeits = self.common.forfeit and exists and not is_ours(self.spec)
        return EngineFailure if forfeits else NotInstalled

    def _players(self) -> Iterator[Player]:
        """One player for each way to choose from the lists of option values and limits."""
        if self.is_student and self.spec == STAND_IN:  # whose options nobody knows yet
            for name, _, limits in self._ways(self._unchecked()):
                yield self._player(name, STAND_IN, {}, limits)
            return
        entry = self._find()
        options = self._options(entry) if entry else None
        if entry is None or options is None:
            return
        for name, chosen, limits in self._ways(options):
            values = self._build(entry, chosen)
            if values is not None:
                self._check_adapter(entry, values, limits)
                yield self._player(name, entry.name, values, limits)

    def _ways(self, options: Words) -> Iterator[tuple[str, dict[str, Any], Limits]]:
        """Every way to choose from the lists of option values and limits, and its name."""
        limits = islice(self.limits.variants(), MAX_PLAYERS + 1)
        ways = product(product(*options.values()), limits)
        for chosen, (limit, varied) in islice(ways, MAX_PLAYERS + 1):
            given = dict(zip(options, chosen, strict=True))
            name = self._name({name: word for name, (_, word) in given.items()})
            if varied:
                plain = {key: int(x) if x == int(x) else x for key, x in varied.items()}
                name += " at " + " ".join(f"{key}={excerpt(x)}" for key, x in plain.items())
            yield name, {name: value for name, (value, _) in given.items()}, limit

    def _name(self, words: Mapping[str, str]) -> str:
        """The name that was given with the options that vary, or the engine with all of them."""
        start, shown = self.title or self.written.title, list(words)
        if self.entry.name is not None:
            start = self.title or self.entry.name
            shown = [name for name in words if isinstance(self.entry.options.get(name), list)]
        return " ".join([start, *(f"{name}={words[name]}" for name in shown)])

    def _unchecked(self) -> Words:
        """The options as they are written, of an engine that cannot be asked about them."""
        return {
            str(name): [(value, _word_of(value, n)) for n, value in enumerate(_as_list(written))]
            for name, written in self.entry.options.items()
        }

    def _find(self) -> Entry | None:
        engine, folder = self.entry.engine, self.common.folder
        self.files |= {
            str(file): Path(os.path.relpath(file, folder)).as_posix() for file in self.bot.files
        }
        try:
            entry = self.found.get(self.spec) or find(self.spec, self.common.terms)
            if isinstance(entry, Exception):
                raise entry
            return entry
        except UnknownName as error:
            name, _, rest = engine.replace(",", " ").partition(" ")
            apart = f"options stand apart: {{engine: {excerpt(name)}, options: {{..}}}}"
            unknown = f"unknown engine {excerpt(engine)!r}"
            self._wrong("engine", f"{unknown}; {apart}" if "=" in rest else str(error))
        except self._passed_on:
            raise
        except ANYTHING as error:
            self._wrong("engine", self._sentence(error))
        return None

    def _options(self, entry: Entry) -> Words | None:
        """For each option the values to try, each with the word that names it."""
        checked: Words = {}
        is_sound = True
        for name, written in self.entry.options.items():
            values = checked[str(name)] = []
            for place, value in enumerate(_as_list(written)):
                at = (name, place) if isinstance(written, list) else (name,)
                try:
                    usable = self._usable(entry.engine.options.get(str(name)), value)
                    self._check_board(entry.settings({str(name): usable}).get(str(name)))
                    values.append((usable, _word_of(value, place)))
                except self._passed_on:
                    raise
                except ANYTHING as error:
                    is_sound = False
                    self._wrong("options", self._sentence(error, entry, str(name)), *at)
            if written == []:
                is_sound = False
                sentence = f"found {described(written)}; expected a value or several"
                self._wrong("options", sentence, name)
        return checked if is_sound else None

    def _build(self, entry: Entry, options: dict[str, Any]) -> dict[str, Any] | None:
        """The options as the engine understands them, if it can be built with all of them."""
        try:
            settings = entry.settings(options)
        except self._passed_on:
            raise
        except ANYTHING as error:
            self._wrong("options" if options else "engine", self._sentence(error, entry))
            return None
        plain = bool | int | float | str | None
        understood = {name: settings.get(name, value) for name, value in options.items()}
        return options | {k: value for k, value in understood.items() if isinstance(value, plain)}

    def _check_adapter(self, entry: Entry, options: dict[str, Any], limits: Limits) -> None:
        """Refuse limits or a board that an engine from outside cannot be told."""
        try:
            adapter = adapter_of(entry.name, options)
            if adapter is not None and self.common.rules is not None:
                adapter.check_rules(self.common.rules)
        except ArenaError as error:
            self._wrong("engine", self._sentence(error, entry))
            return
        refusal = None if adapter is None else adapter.check_limits(limits)
        if refusal is not None:
            self._wrong("engine", refusal)

    def _check_board(self, weights: Any) -> None:
        """Refuse weights that were made for another board than the file's."""
        if isinstance(weights, Evaluation | NetworkOption) and self.common.rules is not None:
            weights.check_board(self.common.rules)

    def _usable(self, option: Option | None, value: Any) -> Any:
        """Weights from a file or a mapping as a mapping of their own; any other value as it is.

        The weights of a network are too many for that: they stay in their file.
        """
        kinds = () if option is None else (option.kind, *get_args(option.kind))
        if option is not None and option.name in self.bot.path_options:
            full = self.common.folder / str(value)
            return os.path.abspath(full) if value and full.exists() else value
        if NetworkOption in kinds:
            return with_files(value, self._file)
        if Evaluation not in kinds:
            return value
        located = with_files(value, self._file)
        if located is value and not isinstance(value, Mapping):
            return value
        return weights_of(Evaluation.from_option(located))

    def _file(self, written: str) -> str:
        """The full name of a file, which is looked for beside the tournament's."""
        full = os.path.abspath(self.common.folder / written)
        self.files[full] = written
        return full

    def _wrong(self, key: str, sentence: str, *inside: str | int) -> None:
        """Note a mistake; that of one file of a pattern with the file's name."""
        file = self.written.file if self.title else ""
        about = f"{file}: " if file and file not in sentence else ""
        self.faults.add((*self.at, key, *inside), about + sentence)

    def _sentence(self, error: BaseException, entry: Entry | None = None, option: str = "") -> str:
        """An error in one sentence, with files named as the user wrote them."""
        text = " ".join(printable(str(error)).split())
        if not isinstance(error, ArenaError):
            text = f"the engine cannot be built: {type(error).__name__}: {text}"
        text = text.removeprefix(f"engine {self.spec}: ")
        start = f"option {option!r} is "
        text = f"found {text.removeprefix(start)}" if text.startswith(start) else text
        for full, written in self.files.items():
            text = text.replace(full, written)
        return text


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _word_of(value: Any, place: int) -> str:
    """A value as part of a name."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return excerpt(value.get("name", f"#{place + 1}"))
    if isinstance(value, str) and value.endswith(WEIGHTS):
        return Path(value).stem
    return excerpt(value)


def with_files(value: Any, file: Callable[[str], str]) -> Any:
    """An evaluation as it is written, with the full name of its file if it has one."""
    if isinstance(value, str) and value.endswith(WEIGHTS):
        return file(value)
    if isinstance(value, Mapping):
        named = [key for key in ("evaluation", "network") if key in value]
        return {**value, **{key: with_files(value[key], file) for key in named}} if named else value
    return value


def weights_of(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation as a mapping that reads back as the same one."""
    plain = Evaluation()
    weights: dict[str, Any] = {"name": evaluation.name}
    for part in fields(Evaluation):
        value = getattr(evaluation, part.name)
        if part.name in ("own", "other", "runs", "chains"):
            if value or (part.name == "other" and evaluation.own):
                weights[part.name] = dict(value)
        elif part.name == "network" and value is not None:
            weights |= {"network": value.name, "win": evaluation.win}
        elif part.name not in ("name", "source") and value != getattr(plain, part.name):
            weights[part.name] = value
    return weights
