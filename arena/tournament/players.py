"""From the engines of a file to its players: variants written out, options checked, names given.

Every option is tried on the engine itself, one by one and then all together, so the engine's own
rules decide and every wrong option is told.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import islice, product
from pathlib import Path
from typing import Any, get_args
from warnings import warn

from arena.bots.find import adapter_of, find, find_foreign, is_ours
from arena.bots.hosted import MEMORY, START, Terms
from arena.bots.names import BotName
from arena.engine.contract import Limits
from arena.engine.options import Option
from arena.engine.registry import Entry, check_shared_process
from arena.errors import ArenaError, ArenaWarning, EngineFailure, NotInstalled, UnknownName
from arena.evaluation import Evaluation
from arena.network.option import SUFFIX, NetworkOption
from arena.text import printable
from arena.tournament.documents import STAND_IN
from arena.tournament.engine_entry import EngineEntry
from arena.tournament.games import Player
from arena.tournament.globs import write_out
from arena.tournament.mistakes import Trail, described, excerpt
from arena.tournament.parts import LimitsEntry
from arena.tournament.spec import TournamentFile
from arena.tournament.validation import Draft

MOST_PLAYERS = 1000

Entries = Mapping[str, Entry | Exception]  # by the engine with its files in full
Words = dict[str, list[tuple[Any, str]]]  # of each option the values, and the word for each
ANYTHING = (Exception, SystemExit)  # what the code of an engine may raise


def make_players(draft: Draft[TournamentFile]) -> tuple[Player, ...]:
    """All players of a file, in its order; what is wrong goes to the draft's mistakes."""
    players: list[Player] = []
    lines: dict[str, int] = {}
    listed = write_out(draft, draft.numbered("engines", draft.file.engines))
    entries = find_engines(draft, [each.entry for each in listed])
    for trail, entry, title in listed:
        isolation = entry.isolation or draft.file.isolation
        for player in variants(draft, trail, entry, draft.file.limits, entries, title):
            is_student = trail[1] in draft.document.students
            player = replace(player, isolated=isolation == "seat", is_student=is_student)
            if player.name not in lines:
                lines[player.name] = draft.document.place(trail).line
                players.append(player)
                continue
            named = (*trail, "name")
            draft.wrong(
                named if named in draft.document.values else trail,
                f"a second player is called {player.name!r}, the first is in line "
                f"{lines[player.name]}; give one of them another name",
            )
        if len(players) > MOST_PLAYERS:
            draft.wrong(trail, f"makes more than {MOST_PLAYERS} players; expected fewer variants")
            break
    trusted = [player for player in players if not player.isolated]
    try:
        check_shared_process(
            file for player in trusted for file in BotName.parse(player.engine).files
        )
    except EngineFailure as error:
        draft.wrong(("engines",), str(error))
    return tuple(players)


def find_engines(draft: Draft[Any], entries: Iterable[EngineEntry]) -> Entries:
    """The engines of a file that are not bundled."""
    folder = draft.document.path.parent
    specs = (str(BotName.parse(entry.engine).in_full(folder)) for entry in entries)
    return find_foreign(specs, _terms(draft))


def _terms(draft: Draft[Any]) -> Terms:
    """The bounds while engines load; a training file cannot change them."""
    memory = getattr(draft.file, "memory", None) or MEMORY
    return Terms(getattr(draft.file, "start", START), memory=memory)


def variants(
    draft: Draft[Any],
    trail: Trail,
    entry: EngineEntry,
    limits: LimitsEntry,
    entries: Entries | None = None,
    title: str = "",
) -> Iterator[Player]:
    """The players that an entry of a file stands for; these limits are for one that has none.

    One of several files that a pattern stands for is called by its title.
    """
    entries = find_engines(draft, [entry]) if entries is None else entries
    return _Variants(draft, trail, entry, entry.limits or limits, entries, title).players()


@dataclass
class _Variants:
    """One entry of the list of engines, and the players it stands for."""

    draft: Draft[Any]
    trail: Trail
    written: EngineEntry
    limits: LimitsEntry
    entries: Entries
    title: str = ""  # of a file that a pattern stands for
    files: dict[str, str] = field(default_factory=dict)  # in full, and as they are written

    @property
    def bot(self) -> BotName:
        """The engine with the full names of its files."""
        return BotName.parse(self.written.engine).in_full(self.draft.document.path.parent)

    @property
    def spec(self) -> str:
        """The same as text."""
        return str(self.bot)

    def players(self) -> Iterator[Player]:
        """The players; none of an engine that is not installed, where that is allowed."""
        sound: set[str] = set()
        try:
            for player in self._players():
                sound.add(player.name)
                yield player
        except NotInstalled as error:
            sentence = self._sentence(error)
            if not self.draft.skip_missing:
                self._wrong("engine", sentence)
                return
            warn(f"{self.written.engine} is left out: {sentence}", ArenaWarning, stacklevel=2)
        except EngineFailure as error:
            for name, options, limits in self._ways(self._unchecked()):
                if name not in sound:
                    yield Player(name, self.spec, options, limits, broken=self._sentence(error))

    @property
    def _passed_on(self) -> type[EngineFailure]:
        """What is no mistake of the file: a file that is there may hold a broken bot."""
        forfeits = getattr(self.draft.file, "broken", "refuse") == "forfeit"
        there = all(file.is_file() for file in self.bot.files)
        return EngineFailure if forfeits and there and not is_ours(self.spec) else NotInstalled

    def _players(self) -> Iterator[Player]:
        """One player for each way to choose from the lists of option values and limits."""
        if self._is_stand_in:
            for name, _, limits in self._ways(self._unchecked()):
                yield Player(name, STAND_IN, {}, limits)
            return
        entry = self._find()
        options = self._options(entry) if entry else None
        if entry is None or options is None:
            return
        for name, chosen, limits in self._ways(options):
            values = self._build(entry, chosen)
            if values is not None:
                self._check_adapter(entry, values, limits)
                yield Player(name=name, engine=entry.name, options=values, limits=limits)

    @property
    def _is_stand_in(self) -> bool:
        """Whether it stands for students, whose options nobody knows yet."""
        return self.trail[-1] in self.draft.document.students and self.spec == STAND_IN

    def _ways(self, options: Words) -> Iterator[tuple[str, dict[str, Any], Limits]]:
        """Every way to choose from the lists of option values and limits, and its name."""
        limits = islice(self.limits.variants(), MOST_PLAYERS + 1)
        ways = product(product(*options.values()), limits)
        for chosen, (limit, varied) in islice(ways, MOST_PLAYERS + 1):
            given = dict(zip(options, chosen, strict=True))
            name = self._name({name: word for name, (_, word) in given.items()})
            if varied:
                plain = {key: int(x) if x == int(x) else x for key, x in varied.items()}
                name += " at " + " ".join(f"{key}={excerpt(x)}" for key, x in plain.items())
            yield name, {name: value for name, (value, _) in given.items()}, limit

    def _unchecked(self) -> Words:
        """The options as they are written, of an engine that cannot be asked about them."""
        lists = {
            str(name): written if isinstance(written, list) else [written]
            for name, written in self.written.options.items()
        }
        return {
            name: [(value, word_of(value, place)) for place, value in enumerate(values)]
            for name, values in lists.items()
        }

    def _file(self, written: str) -> str:
        """The full name of a file, which is looked for beside the tournament's."""
        full = os.path.abspath(self.draft.document.path.parent / written)
        self.files[full] = written
        return full

    def _find(self) -> Entry | None:
        written = self.written.engine
        folder = self.draft.document.path.parent
        self.files |= {
            str(file): Path(os.path.relpath(file, folder)).as_posix() for file in self.bot.files
        }
        try:
            entry = self.entries.get(self.spec) or find(self.spec, _terms(self.draft))
            if isinstance(entry, Exception):
                raise entry
            return entry
        except UnknownName as error:
            name, _, rest = written.replace(",", " ").partition(" ")
            apart = f"options stand apart: {{engine: {excerpt(name)}, options: {{..}}}}"
            unknown = f"unknown engine {excerpt(written)!r}"
            self._wrong("engine", f"{unknown}; {apart}" if "=" in rest else str(error))
        except self._passed_on:
            raise
        except ANYTHING as error:
            self._wrong("engine", self._sentence(error))
        return None

    def _options(self, entry: Entry) -> Words | None:
        """For each option the values to try, each with the word that names it."""
        checked: Words = {}
        sound = True
        for name, written in self.written.options.items():
            several = isinstance(written, list)
            values = written if several else [written]
            if not values:
                sentence = f"found {described(written)}; expected a value or several"
                self._wrong("options", sentence, name)
            checked[str(name)] = []
            for place, value in enumerate(values):
                at = (name, place) if several else (name,)
                try:
                    usable = self._usable(entry.engine.options.get(str(name)), value)
                    self._check_board(entry.settings({str(name): usable}).get(str(name)))
                except self._passed_on:
                    raise
                except ANYTHING as error:
                    self._wrong("options", self._sentence(error, entry, str(name)), *at)
                    continue
                checked[str(name)].append((usable, word_of(value, place)))
            sound = sound and len(checked[str(name)]) == len(values) > 0
        return checked if sound else None

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
        """What an engine from outside cannot be told, of its limits or of the board."""
        try:
            adapter = adapter_of(entry.name, options)
            if adapter is not None and self.draft.sound("game"):
                adapter.check_rules(self.draft.file.game.build())
        except ArenaError as error:
            self._wrong("engine", self._sentence(error, entry))
            return
        objection = None if adapter is None else adapter.check_limits(limits)
        if objection is not None:
            self._wrong("engine", objection)

    def _check_board(self, weights: Any) -> None:
        """Refuse weights that were made for another board than the file's."""
        if isinstance(weights, Evaluation | NetworkOption) and self.draft.sound("game"):
            weights.check_board(self.draft.file.game.build())

    def _usable(self, option: Option | None, value: Any) -> Any:
        """Weights from a file or a mapping as a mapping of their own; any other value as it is.

        The weights of a network are too many for that: they stay in their file.
        """
        kinds = () if option is None else (option.kind, *get_args(option.kind))
        if option is not None and option.name in self.bot.path_options:
            full = self.draft.document.path.parent / str(value)
            return os.path.abspath(full) if value and full.exists() else value
        if NetworkOption in kinds:
            return with_files(value, self._file)
        if Evaluation not in kinds:
            return value
        located = with_files(value, self._file)
        if located is value and not isinstance(value, Mapping):
            return value
        return weights_of(Evaluation.from_option(located))

    def _name(self, words: Mapping[str, str]) -> str:
        """The name that was given with the options that vary, or the engine with all of them."""
        start, told = self.title or BotName.parse(self.written.engine).title, list(words)
        if self.written.name is not None:
            start = self.title or self.written.name
            told = [name for name in words if isinstance(self.written.options.get(name), list)]
        return " ".join([start, *(f"{name}={words[name]}" for name in told)])

    def _wrong(self, key: str, sentence: str, *inside: str | int) -> None:
        """Note a mistake; that of one file of a pattern is told with the file's name."""
        file = BotName.parse(self.written.engine).file if self.title else ""
        about = f"{file}: " if file and file not in sentence else ""
        self.draft.wrong((*self.trail, key, *inside), about + sentence)

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


WEIGHTS = (".yaml", ".yml", SUFFIX)


def word_of(value: Any, place: int) -> str:
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
