"""A tournament: what its file says, part after part, and what the parts mean for each other.

The fields stand in the order in which they depend on each other: a validator that compares a field
with earlier ones finds those that are correct in `info.data`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    ValidationError,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
    field_validator,
)

from arena.bots.find import adapter_of
from arena.bots.hosted import START
from arena.errors import ArenaError
from arena.game.rules import NAMED_GAMES, Rules
from arena.solver.solver import refuse
from arena.timing import MARGIN
from arena.tournament.claims import Aims, Expectation, Published, Question
from arena.tournament.figures import Context, Figure, Misfit
from arena.tournament.formats import AnyFormat, Gauntlet, RoundRobin
from arena.tournament.games import Player
from arena.tournament.mistakes import Trail
from arena.tournament.opening_parts import OpeningsEntry
from arena.tournament.parts import (
    Adjudication,
    EngineEntry,
    GameEntry,
    Isolation,
    LimitsEntry,
    RunnerEntry,
    Stop,
)
from arena.tournament.players import Common, read_players
from arena.tournament.schedule import Schedule
from arena.tournament.validation import Faults, Reading, refuse_at
from arena.tournament.values import (
    MANY,
    TITLE,
    Flag,
    Part,
    Text,
    Time,
    TimeOrNone,
    Whole,
    Written,
    invalid,
    optional,
)

CONNECT4: Any = "connect4"  # read as the file has it
WORDS: list[Any] = ["round-robin", "gauntlet", "knockout", "pyramid"]  # need no settings


def _read_format(value: Any) -> Any:
    """A word alone stands for the format of that kind."""
    return {"kind": value} if isinstance(value, str) else value


class Tournament(Part):
    """A tournament between Connect Four engines."""

    model_config = ConfigDict(arbitrary_types_allowed=True, validate_default=True)

    name: Annotated[str, Written(Annotated[str, TITLE] | None)] = optional(
        "Name of the tournament; by default the name of the file.", "quickstart"
    )
    about: Annotated[str, Text(1000)] | None = optional(
        "A short description for the top of the report."
    )
    rules: Annotated[Rules, Written(GameEntry)] = Field(
        alias="game",
        default=CONNECT4,
        description="The board, by name or size.",
        examples=[*NAMED_GAMES, "8x7", "9x6c5", "9x7+pie"],
    )
    swap_seats: Flag = Field(
        default=True, description="Play each opening twice, once from each side."
    )
    limits: LimitsEntry = Field(
        default=LimitsEntry(), description="Limits of every engine without limits of its own."
    )
    isolation: Isolation = Field(
        default="seat",
        description="How engines that are not bundled run: seat, each in a process of its own; or "
        "none, inside the referee's process, which is faster but needs trust.",
    )
    memory: Annotated[int, Whole(64, MANY)] | None = optional(
        "Memory limit in megabytes, for the engines of a game and for each bot in its own process.",
        2048,
    )
    start: Time = Field(
        default=START,
        description="Time limit for such an engine to start; compiling does not count.",
    )
    broken: Literal["refuse", "forfeit"] = Field(
        default="refuse",
        description="If an engine fails to start before the first game: refuse to play the "
        "tournament, or let the engine forfeit its games.",
    )
    listed: Annotated[tuple[Player, ...], Written(list[EngineEntry])] = Field(
        alias="engines",
        description="The players, at least two.",
        examples=[["random", "mcts"]],
    )
    format: Annotated[AnyFormat, Field(discriminator="kind"), BeforeValidator(_read_format)] = (
        Field(
            default=RoundRobin(),
            description="Which engines meet.",
            json_schema_extra={"short": {"type": "string", "enum": WORDS}},
        )
    )
    rounds: Annotated[int, Whole(1, MANY)] | None = optional(
        "Only for a round-robin, instead of games: 2 games per round.", 5
    )
    games: Annotated[int, Whole(1, MANY)] = Field(
        default=2,
        description="Games per pair of engines (in swiss and knockout, per meeting); must be even "
        "unless swap_seats is false.",
        examples=[10],
    )
    openings: OpeningsEntry = Field(
        default=OpeningsEntry.model_construct(), description="How games begin."
    )
    adjudication: Adjudication = Field(
        default=Adjudication(), description="When the referee ends a game early."
    )
    seed: Annotated[int, Whole(0, 2**63 - 1)] = Field(
        default=1,
        description="Seed of all random choices: the same seed gives the same games.",
        examples=[1],
    )
    question: Question | None = optional(
        "The question that the report answers first. It may be changed after the games."
    )
    figures: tuple[Figure, ...] = Field(
        default=(),
        description="Figures to show in the report, with intervals.",
        examples=[[{"elo": "my_bot against mcts"}]],
    )
    expect: tuple[Expectation, ...] = Field(
        default=(),
        description="Checks that the tournament must pass.",
        examples=[[{"score": "my_bot against random", "at_least": "90%"}]],
    )
    published: tuple[Published, ...] = Field(
        default=(),
        description="Published figures, to compare with those of these games.",
        examples=[[{"score": "A against B", "value": "75%", "source": "table 1"}]],
    )
    stop: Stop = Field(default=Stop(), description="When to end the tournament early.")
    workers: Annotated[int, Whole(1, 4096)] | None = optional(
        "Games played in parallel; by default one per core.", 4
    )
    runner: RunnerEntry = Field(
        default=RunnerEntry(), description="Where to play the games; by default on this machine."
    )
    margin: TimeOrNone = Field(
        default=MARGIN, description="How late an answer may be before the engine loses on time."
    )
    patience: Time = Field(
        default=60.0, description="How long to wait for a move that has no time limit."
    )
    full: dict[Any, Any] | None = Field(
        default=None,
        description="Keys to replace when the file is run with --full.",
        examples=[{"games": 100}],
    )
    output: Annotated[Path, Written(Annotated[str, Text()] | None)] = optional(
        "Output folder, relative to the current one; by default reports/NAME.", "reports/quickstart"
    )
    _path: Path = PrivateAttr(default=Path())
    _text: str = PrivateAttr(default="")

    def model_post_init(self, context: Reading | None) -> None:
        """Keep the file itself."""
        if context is not None:
            self._path, self._text = context.document.path, context.document.text

    @property
    def path(self) -> Path:
        """The file it was read from."""
        return self._path

    @property
    def text(self) -> str:
        """The text of the file."""
        return self._text

    @property
    def players(self) -> tuple[Player, ...]:
        """The players in the order that the format wants."""
        return self.format.line_up(self.listed)

    @property
    def aims(self) -> Aims:
        """All that is said about figures."""
        return Aims.model_construct(
            about=self.about or "",
            shown=self.figures,
            expect=self.expect,
            published=self.published,
            early=self.stop.expectations,
        )

    def schedule(self) -> Schedule:
        """All its games."""
        return Schedule(
            self.format,
            len(self.listed),
            self.games,
            self.swap_seats,
            self.openings.build(self.rules, self.seed),
            self.seed,
        )

    # ---- what the parts mean for each other

    @field_validator("rules")
    @classmethod
    def _build_rules(cls, game: GameEntry) -> Rules:
        return game.build()

    @field_validator("listed", mode="wrap")
    @classmethod
    def _read_players(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> tuple[Player, ...]:
        if not isinstance(value, list):
            handler(value)
        data, reading = info.data, _reading(info)
        common = Common(
            reading.document,
            data.get("rules"),
            data.get("limits") or LimitsEntry(),
            data.get("isolation") == "seat",
            data.get("start", START),
            data.get("memory"),
            data.get("broken") == "forfeit",
            reading.skip_missing,
        )
        return read_players(value, common)

    @field_validator("format")
    @classmethod
    def _seat(cls, format_: AnyFormat, info: ValidationInfo) -> AnyFormat:
        """The format for these players."""
        if "listed" not in info.data:
            return format_
        names = _names(info)
        students = tuple(player.name for player in info.data["listed"] if player.is_student)
        if students and "format" not in _reading(info).document.data:
            format_ = Gauntlet(heroes=students)
        _check((("format", *at), sentence) for at, sentence in format_.check_names(names))
        return format_.for_players(names)

    @field_validator("rounds")
    @classmethod
    def _check_rounds(cls, rounds: int | None, info: ValidationInfo) -> int | None:
        format_ = info.data.get("format")
        if rounds is None or format_ is None:
            return rounds
        at, kind = ("rounds",), format_.kind
        if "rounds" in type(format_).model_fields:
            refuse_at(at, f"belongs inside format: {{kind: {kind}, rounds: ..}}", is_key=True)
        if not isinstance(format_, RoundRobin):
            refuse_at(at, f"is for a round-robin; expected games for format {kind}", is_key=True)
        if "games" in _reading(info).document.data:
            refuse_at(at, "stands beside games; use one of the two", is_key=True)
        return rounds

    @field_validator("games")
    @classmethod
    def _count_games(cls, games: int, info: ValidationInfo) -> int:
        if info.data.get("rounds") is not None:
            return 2 * int(info.data["rounds"])
        if info.data.get("swap_seats") and games % 2:
            raise invalid(f"found {games}; expected an even number, or swap_seats: false")
        return games

    @field_validator("openings")
    @classmethod
    def _read_openings(cls, openings: OpeningsEntry, info: ValidationInfo) -> OpeningsEntry:
        """The openings for a board, with the lines of their file."""
        if "rules" in info.data:
            openings = openings.for_board(info.data["rules"], _reading(info))
        for player in info.data.get("listed", ()):
            adapter = adapter_of(player.engine, player.options)
            refusal = None if adapter is None else adapter.check_opening(openings.plies)
            if refusal is not None:
                refuse_at(("openings", openings.kind), refusal)
        return openings

    @field_validator("adjudication")
    @classmethod
    def _check_adjudication(cls, end: Adjudication, info: ValidationInfo) -> Adjudication:
        """A game goes on after its opening, and the solver can judge it; in space as it can."""
        rules, openings = info.data.get("rules"), info.data.get("openings")
        if openings is not None and end.max_plies is not None and end.max_plies <= openings.plies:
            sentence = (
                f"found {end.max_plies}; an opening has {openings.plies} plies: expected more"
            )
            refuse_at(("adjudication", "max_plies"), sentence)
        if end.solver and rules is not None and rules.is_flat:
            try:
                refuse(rules)
            except ArenaError as error:
                refuse_at(("adjudication", "solver"), str(error))
        return end

    @field_validator("question")
    @classmethod
    def _name_sides(cls, question: Question | None, info: ValidationInfo) -> Question | None:
        """The question with everybody on a side by name."""
        if question is None or "listed" not in info.data:
            return question
        names = _names(info)
        _check((("question", *at), sentence) for at, sentence in question.check_names(names))
        return question.resolve_names(names)

    @field_validator("figures", "expect", "published", mode="wrap")
    @classmethod
    def _resolve_figures(
        cls, value: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo
    ) -> tuple[Figure, ...]:
        """The figures, one for each player that they name."""
        data, key, faults = info.data, str(info.field_name), Faults()
        if not isinstance(value, list) or not {"listed", "rules", "format"} <= data.keys():
            handler(value)
            return ()
        names = _names(info)
        context = Context(names, data["rules"], partial(data["format"].never_meet, names))
        resolved: list[Figure] = []
        for number, written in enumerate(value):
            try:
                (figure,) = handler([written])
                resolved += figure.resolve(context)
            except ValidationError as error:
                faults.include(error, number, skip=1)
            except Misfit as error:
                faults.add((key, number, *error.at), error.sentence)
        faults.check()
        return tuple(resolved)

    @field_validator("stop")
    @classmethod
    def _check_stop(cls, stop: Stop, info: ValidationInfo) -> Stop:
        """A run can end by expectations that are known while it goes on, and by a test of two."""
        if stop.expectations and "expect" in info.data:
            expected = [figure for each in info.data["expect"] for figure in each.figures]
            judged = [figure for figure in expected if figure.is_judged]
            at = ("stop", "expectations")
            if not expected:
                refuse_at(at, "found nothing under expect; expected figures to decide by")
            if judged:
                refuse_at(at, f"{judged[0]} is judged when all games are over; expected none such")
        if stop.sprt is None or not {"listed", "format"} <= info.data.keys():
            return stop
        names = _names(info)
        never_meet = partial(info.data["format"].never_meet, names)
        return stop.model_copy(update={"sprt": stop.sprt.for_players(names, never_meet)})

    @field_validator("name")
    @classmethod
    def _take_name(cls, name: str | None, info: ValidationInfo) -> str:
        return str(_reading(info).document.path.stem) if name is None else name

    @field_validator("output")
    @classmethod
    def _place(cls, output: str | None, info: ValidationInfo) -> Path:
        return Path(os.path.expanduser(output or f"reports/{info.data.get('name')}"))


def _reading(info: ValidationInfo) -> Reading:
    assert isinstance(info.context, Reading)
    return info.context


def _names(info: ValidationInfo) -> list[str]:
    return [player.name for player in info.data["listed"]]


def _check(mistakes: Iterable[tuple[Trail, str]]) -> None:
    faults = Faults()
    for at, sentence in mistakes:
        faults.add(at, sentence)
    faults.check()
