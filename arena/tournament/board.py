"""The game of a tournament file: a board by its name, its size or its sides, and the pie rule."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from arena.errors import ArenaError, BadRules
from arena.game.rules import MAX_CELLS, NAMED_GAMES, BoardWords, Rules, read_board
from arena.tournament.values import (
    Flag,
    Part,
    Text,
    Whole,
    in_words,
    objection,
    optional,
)

GAME = (
    "a game by name or size (connect4, score4, 8x7, 9x6c5, 9x7+pie), {size: 9x7, pie: true}, "
    "{columns: .., rows: ..} or {width: .., depth: .., height: ..}"
)

Side = Annotated[int, Whole(1, MAX_CELLS)]


def _is_board_name(text: str) -> str:
    """A name or size that can be read, whether or not there can be such a board."""
    try:
        read_board(text)
    except ArenaError as error:
        raise objection(str(error)) from None
    return text


class GameEntry(Part):
    """The size of the board, flat or in space, how many discs in line win, and the pie rule."""

    model_config = in_words(GAME, {"type": "string", "examples": [*NAMED_GAMES, "8x7", "9x7+pie"]})

    size: (
        Annotated[str, Text("a name or size, such as 9x7 or 4x4x4"), AfterValidator(_is_board_name)]
        | None
    ) = optional("The board by name or size.", "9x7", "4x4x4")
    columns: Side | None = optional("Columns of a flat board.", 7)
    rows: Side | None = optional("Rows of a flat board.", 6)
    width: Side | None = optional("Width of a 3-D board, in columns.")
    depth: Side | None = optional("Depth of a 3-D board, in columns.")
    height: Side | None = optional("Height of a 3-D board, in discs.")
    connect: Annotated[int, Whole(2, MAX_CELLS)] = Field(
        default=4, description="Discs in a line that win."
    )
    pie: Flag = Field(
        default=False, description="Whether the second player may steal the first disc."
    )

    @model_validator(mode="before")
    @classmethod
    def _read(cls, value: Any) -> Any:
        """A name or size becomes the sides of the board."""
        if not isinstance(value, str):
            return value
        try:
            rules = Rules.named(value.strip())
        except ArenaError as error:
            raise objection(str(error)) from None
        return {key: getattr(rules, key) for key in ("width", "depth", "height", "connect", "pie")}

    @model_validator(mode="after")
    def _is_a_board(self) -> GameEntry:
        given = self.model_fields_set - {"connect", "pie"}
        if given not in ({"size"}, {"columns", "rows"}, {"width", "depth", "height"}):
            words = ", ".join(sorted(given)) or "no size"
            kinds = "columns and rows, or width, depth and height, or size"
            raise objection(f"found {words}; expected {kinds}")
        try:
            self.build()
        except ArenaError as error:
            raise objection(str(error)) from None
        return self

    def build(self) -> Rules:
        """The rules of this game."""
        if self.size is not None:
            return self._of_size(read_board(self.size))
        if self.columns is not None and self.rows is not None:
            return Rules.flat(self.columns, self.rows, self.connect, self.pie)
        assert self.width is not None
        assert self.depth is not None
        assert self.height is not None
        return Rules.space(self.width, self.depth, self.height, self.connect, self.pie)

    def _of_size(self, board: BoardWords) -> Rules:
        """The rules by a size, and what stands beside it."""
        connect = self.connect if board.connect is None else board.connect
        for key, word in (("connect", connect), ("pie", board.pie or self.pie)):
            if key in self.model_fields_set and getattr(self, key) != word:
                own = str(getattr(self, key)).lower()
                raise BadRules(f"size {self.size} and {key}: {own} contradict each other")
        pie = board.pie or self.pie
        return Rules.space(board.width, board.depth, board.height, connect, pie)
