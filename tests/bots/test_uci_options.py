"""Options of UCI programs, announced and set."""

from __future__ import annotations

import pytest

from arena.bots.uci_options import ProgramOption, Settings, settings_lines
from arena.errors import BadOption

SKILL = "option name Skill Level type spin default 20 min -20 max 20"
STYLE = "option name Analysis Contempt type combo default Both var Both var Off var Not At All"
LINES = [
    SKILL,
    STYLE,
    "option name Ponder type check default false",
    "option name Clear Hash type button",
    "option name Debug Log File type string default <empty>",
]
ANNOUNCED = [ProgramOption.read(line) for line in LINES]
OPTIONS = [option for option in ANNOUNCED if option is not None]


def test_options_are_read_as_they_are_announced() -> None:
    assert OPTIONS[0] == ProgramOption("Skill Level", "spin", "20", -20, 20)
    assert OPTIONS[1].choices == ("Both", "Off", "Not At All")
    assert [option.kind for option in OPTIONS[2:]] == ["check", "button", "string"]
    assert [option.write() for option in OPTIONS] == LINES
    for line in ("uciok", "", "option", "option type spin name X", "id name option name"):
        assert ProgramOption.read(line) is None
    assert ProgramOption.read("option name Log type string default") == ProgramOption(
        "Log", "string"
    )


def test_settings_are_text_or_a_mapping() -> None:
    text = Settings.from_option("Skill Level=3, Hash = 16,Path=a, b, Clear Hash=")
    assert [*text.pairs()] == [
        ("Skill Level", "3"), ("Hash", "16"), ("Path", "a, b"), ("Clear Hash", "")
    ]  # fmt: skip
    mapping = Settings.from_option({"Skill Level": 3, "Ponder": True})
    assert mapping == "Skill Level=3, Ponder=true"
    assert Settings.from_option(mapping) == mapping
    assert [*Settings.from_option("").pairs()] == []


@pytest.mark.parametrize("value", [3, None, "Skill Level", ["a=b"], "a, b=3", "a=3\nquit"])
def test_what_sets_nothing_is_told(value: object) -> None:
    with pytest.raises(BadOption, match=r"expected options of the program, as in \"Skill Level=3"):
        Settings.from_option(value)


def test_settings_become_lines_in_the_names_of_the_program() -> None:
    settings = Settings("skill level=-3, Clear Hash=, Debug Log File=my log.txt, Ponder=true")
    assert settings_lines(settings, OPTIONS) == [
        "setoption name Skill Level value -3",
        "setoption name Clear Hash",
        "setoption name Debug Log File value my log.txt",
        "setoption name Ponder value true",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Skil Level=3", "has no option 'Skil Level'; did you mean 'Skill Level'"),
        ("Skill Level=21", "'Skill Level' is '21'; expected a whole number from -20 to 20"),
        ("Skill Level=high", "expected a whole number from -20 to 20"),
        ("Ponder=1", "'Ponder' is '1'; expected true or false"),
        ("Analysis Contempt=On", "expected one of Both, Off, Not At All"),
        ("Clear Hash=now", "expected no value, as it is a button"),
    ],
)
def test_what_the_program_would_not_take_is_told(text: str, sentence: str) -> None:
    with pytest.raises(BadOption, match=sentence):
        settings_lines(Settings(text), OPTIONS)
