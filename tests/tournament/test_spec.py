"""What a tournament file means: players, defaults, and what decides the games."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from arena.engine.contract import Limits
from arena.engine.registry import find
from arena.errors import BadOption
from arena.evaluation import EVALUATIONS, Evaluation
from arena.game.rules import Rules
from arena.session import header_of
from arena.tournament.claims import Question
from arena.tournament.formats import Gauntlet
from arena.tournament.games import Player
from arena.tournament.identity import canonical, changes, fingerprint
from arena.tournament.load import load, load_text
from arena.tournament.mistakes import BadSpec
from arena.tournament.players import weights_of

TWO = "engines: [random, reflex]\n"
BOT = "from arena import Choice, Engine\n\n\nclass Bot(Engine):\n    '''Plays.'''\n"
BOT += "    def choose(self, position, limits):\n        return Choice(position.legal[0])\n"


def names(text: str) -> list[str]:
    return [player.name for player in load_text(text).players]


def test_what_is_not_written_has_a_default() -> None:
    made = load_text(TWO, "dir/evening.yaml")
    assert made.name == "evening"
    assert made.rules == Rules.flat(7, 6)
    assert made.format.kind == "round-robin"
    assert (made.games, made.swap_seats, made.openings.kind) == (2, True, "none")
    assert (made.seed, made.workers, made.memory) == (1, None, None)
    assert (made.margin, made.patience) == (0.02, 60.0)
    assert made.adjudication.max_plies is None
    assert (made.stop.sprt, made.stop.seconds, made.stop.error) == (None, None, None)
    assert made.output == Path("reports/evening")
    assert (made.path, made.text) == (Path("dir/evening.yaml"), TWO)
    assert made.players == (
        Player("random", "random", {}, Limits()),
        Player("reflex", "reflex", {}, Limits()),
    )


def test_everything_can_be_written() -> None:
    made = load_text(
        """
        name: full
        game: {size: 8x7, connect: 5}
        format: {kind: gauntlet, heroes: 2}
        games: 1e2
        swap_seats: false
        openings: {every: 2}
        limits: {depth: 6, nodes: 1000, playouts: 50, seconds: 0.5, clock: 1m, increment: 500ms}
        adjudication: {max_plies: 40}
        stop: {seconds: 1h 30m, error: 12.5, sprt: {engines: [A, mcts], elo0: -5, elo1: 5,
               alpha: 0.1, beta: 0.2, model: normalized}}
        engines: [{engine: random, name: A}, reflex, mcts]
        seed: 0x10
        workers: 3
        memory: 512
        margin: 50ms
        patience: 5
        output: elsewhere/here
        """.replace("\n        ", "\n")
    )
    assert made.rules == Rules.flat(8, 7, 5)
    assert made.format == Gauntlet(heroes=2)
    assert (made.games, made.swap_seats) == (100, False)
    assert canonical(made)["openings"] == {"kind": "every", "plies": 2}
    assert {player.limits for player in made.players} == {Limits(6, 1000, 50, 0.5, 60.0, 0.5)}
    assert made.adjudication.max_plies == 40
    assert (made.stop.seconds, made.stop.error) == (5400.0, 12.5)
    assert made.stop.sprt is not None
    assert made.stop.sprt.engines == ("A", "mcts")
    assert made.stop.sprt.model == "normalized"
    assert (made.seed, made.workers, made.memory) == (16, 3, 512)
    assert (made.margin, made.patience, made.output) == (0.05, 5.0, Path("elsewhere/here"))


@pytest.mark.parametrize(
    ("written", "rules"),
    [
        ("connect4", Rules.flat(7, 6)),
        ("SCORE4", Rules.space(4, 4, 4)),
        ("9x6c5", Rules.flat(9, 6, 5)),
        ("9x7+pie", Rules.flat(9, 7, pie=True)),
        ("{size: 9x7, pie: true}", Rules.flat(9, 7, pie=True)),
        ("{size: 9x7+pie, pie: true}", Rules.flat(9, 7, pie=True)),
        ("{size: 9x7, pie: false}", Rules.flat(9, 7)),
        ("{size: connect4+pie}", Rules.flat(7, 6, pie=True)),
        ("{size: 3x3, connect: 3, pie: true}", Rules.flat(3, 3, 3, pie=True)),
        ("{size: 4x4x4}", Rules.space(4, 4, 4)),
    ],
)
def test_games_by_name_and_size(written: str, rules: Rules) -> None:
    assert load_text(f"{TWO}game: {written}").rules == rules


def test_a_list_of_values_makes_a_player_of_each() -> None:
    assert names("engines: [{engine: alphabeta, options: {depth: [2, 4, 6]}}]") == [
        "alphabeta depth=2",
        "alphabeta depth=4",
        "alphabeta depth=6",
    ]
    product = "{engine: iterative, options: {depth: [2, 4], killers: [false, true], beam: 3}}"
    assert names(f"engines: [{product}]") == [
        "iterative depth=2 killers=no beam=3",
        "iterative depth=2 killers=yes beam=3",
        "iterative depth=4 killers=no beam=3",
        "iterative depth=4 killers=yes beam=3",
    ]
    named = "{engine: iterative, name: mine, options: {depth: [2, null], beam: 3}}"
    assert names(f"engines: [{named}]") == ["mine depth=2", "mine depth=none"]


def test_a_list_of_limits_makes_a_player_of_each() -> None:
    made = load_text(
        """
        limits: {nodes: [500, 1e3]}
        engines:
          - {engine: mcts, limits: {playouts: [100, 1000], seconds: [100ms, 1]}}
          - {engine: alphabeta, name: mine, options: {depth: [2, 3]}, limits: {depth: [4, 6]}}
          - {engine: mcts, limits: {playouts: 50}}
          - random
        """
    )
    assert {player.name: player.limits for player in made.players} == {
        "mcts at playouts=100 seconds=0.1": Limits(playouts=100, seconds=0.1),
        "mcts at playouts=100 seconds=1": Limits(playouts=100, seconds=1),
        "mcts at playouts=1000 seconds=0.1": Limits(playouts=1000, seconds=0.1),
        "mcts at playouts=1000 seconds=1": Limits(playouts=1000, seconds=1),
        "mine depth=2 at depth=4": Limits(depth=4),
        "mine depth=2 at depth=6": Limits(depth=6),
        "mine depth=3 at depth=4": Limits(depth=4),
        "mine depth=3 at depth=6": Limits(depth=6),
        "mcts": Limits(playouts=50),
        "random at nodes=500": Limits(nodes=500),
        "random at nodes=1000": Limits(nodes=1000),
    }


def test_heroes_by_name_are_those_at_the_top_of_the_list() -> None:
    engines = ["random", "reflex", "greedy", "minimax"]
    for written, heroes in (("[greedy, random]", ["greedy", "random"]), ("reflex", ["reflex"])):
        others = [name for name in engines if name not in heroes]
        kind = "format: {kind: gauntlet, heroes: "
        named = load_text(f"engines: [{', '.join(engines)}]\n{kind}{written}}}\n")
        counted = load_text(f"engines: [{', '.join(heroes + others)}]\n{kind}{len(heroes)}}}\n")
        assert named.format.model_dump() == Gauntlet(heroes=len(heroes)).model_dump()
        assert named.players == counted.players
        assert fingerprint(named) == fingerprint(counted)


def test_weights_can_be_written_in_the_file_or_beside_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("own: {1: 1, 2: 5, 3: 20}", encoding="utf-8")
    path = tmp_path / "t.yaml"
    path.write_text(
        "engines:\n"
        "  - {engine: alphabeta, options: {evaluation: [mine.yaml, {evaluation: mine.yaml}]}}\n"
        "  - {engine: alphabeta, options: {evaluation: {name: a, own: {3: 1}, centre: 2}}}\n",
        encoding="utf-8",
    )
    first, second, third = load(path).players
    assert first.name == "alphabeta evaluation=mine"
    assert second.name == "alphabeta evaluation=#2"
    assert third.name == "alphabeta evaluation=a"
    (tmp_path / "mine.yaml").unlink()  # a player stands on its own
    built = find(first.engine).build(first.options).settings()["evaluation"]
    assert built.own == ((1, 1.0), (2, 5.0), (3, 20.0))
    assert third.options["evaluation"]["centre"] == 2.0


@pytest.mark.parametrize("name", EVALUATIONS)
def test_weights_read_back_as_they_were(name: str) -> None:
    evaluation = EVALUATIONS[name]
    assert Evaluation.from_option(weights_of(evaluation)) == evaluation


def test_engines_in_files_lie_beside_the_tournament(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bots = tmp_path / "bots"
    bots.mkdir()
    (bots / "bot.py").write_text(BOT, encoding="utf-8")
    text = "engines: [bots/bot.py, {engine: 'bots/bot.py:Bot', name: B}, bots/bot.py:Bot]"
    (tmp_path / "t.yaml").write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    made = load("t.yaml")
    assert [player.name for player in made.players] == ["bot", "B", "Bot"]
    monkeypatch.chdir("/")
    assert find(made.players[1].engine).build().summary() == "Plays."
    monkeypatch.chdir(bots)
    assert fingerprint(load("../t.yaml")) == fingerprint(load(tmp_path / "t.yaml"))


def test_openings_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("# lines\n44\n\n 4 5 3 # three\n", encoding="utf-8")
    path = tmp_path / "t.yaml"
    path.write_text(f"{TWO}openings: {{file: o.txt}}", encoding="utf-8")
    openings = load(path).openings
    assert openings.kind == "file"
    assert openings.lines == ((3, 3), (3, 4, 2))


def test_a_test_of_two_players_needs_no_names() -> None:
    sprt = load_text(f"{TWO}stop: {{sprt: {{elo0: 0, elo1: 5}}}}").stop.sprt
    assert sprt is not None
    assert sprt.engines == ("random", "reflex")
    assert (sprt.alpha, sprt.beta, sprt.model) == (0.05, 0.05, "logistic")


def test_a_tournament_never_changes_and_can_be_copied_and_sent() -> None:
    made = load_text(TWO)
    with pytest.raises(ValidationError):
        made.seed = 2
    assert made.model_copy(update={"workers": 1}).workers == 1
    assert pickle.loads(pickle.dumps(made)) == made


def test_what_does_not_decide_the_games_does_not_count() -> None:
    one = fingerprint(load_text("seed: 7\ngames: 4\nengines: [random, {engine: mcts}]"))
    same = """
    # a comment
    name: another
    workers: 3
    output: elsewhere
    stop: {seconds: 5, error: 20}
    rounds: 2
    engines:
      - engine: random
      - {name: mcts, engine: mcts, options: {}}
    seed: 7.0
    """.replace("\n    ", "\n")
    assert fingerprint(load_text(same)) == one


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("seed: 8", "seed: 7 -> 8"),
        ("games: 6", "games: 4 -> 6"),
        ("game: score4", "game: connect4 -> score4"),
        ("format: pyramid", "format.kind: round-robin -> pyramid"),
        ("swap_seats: false", "swap_seats: true -> false"),
        ("openings: {random: 2}", "openings.kind: none -> random"),
        ("limits: {depth: 2}", "engines[0].limits.depth: not set -> 2"),
        ("adjudication: {max_plies: 9}", "adjudication.max_plies: null -> 9"),
        ("margin: 1", "margin: 0.02 -> 1.0"),
        ("patience: 1", "patience: 60.0 -> 1.0"),
        ("memory: 100", "memory: null -> 100"),
        ("stop: {sprt: {elo0: 0, elo1: 5}}", "stop.sprt: null -> "),
        (
            "engines: [random, {engine: mcts, name: mcts, options: {c: 1}}]",
            "engines[1].options.c: not set -> 1.0",
        ),
        ("engines: [random, greedy]", "engines[1].name: mcts -> greedy"),
        ("engines: [mcts, random]", "engines: their order was random, mcts; now it is mcts"),
        ("engines: [random, reflex, mcts]", "engines[1]: 'reflex' is new"),
        ("engines: [random, reflex, greedy]", "engines: 'mcts' was there and is gone"),
    ],
)
def test_what_decides_the_games_counts_and_is_told(line: str, sentence: str) -> None:
    text = {"seed": "seed: 7", "games": "games: 4", "engines": "engines: [random, mcts]"}
    old = load_text("\n".join(text.values()))
    new = load_text("\n".join({**text, line.partition(":")[0]: line}.values()))
    assert fingerprint(old) != fingerprint(new)
    before = json.loads(json.dumps(canonical(old)))
    assert any(told.startswith(sentence) for told in changes(before, canonical(new)))
    assert changes(before, canonical(old)) == []


def test_pairs_that_come_and_go_are_told_by_name() -> None:
    head = "engines: [random, reflex, greedy]\nformat: {kind: pairs, pairs: [[%s], [%s]]}"
    old, turned, other = (
        canonical(load_text(head % pairs))
        for pairs in (
            ("random, reflex", "reflex, greedy"),
            ("reflex, greedy", "random, reflex"),
            ("random, reflex", "greedy, reflex"),
        )
    )
    assert changes(old, turned) == ["format.pairs: their order has changed"]
    assert changes(old, other) == [
        'format.pairs: ["reflex", "greedy"] was there and is gone',
        'format.pairs[1]: ["greedy", "reflex"] is new',
    ]


def test_a_question_names_players_and_decides_no_game() -> None:
    text = "engines: [random, {engine: mcts, options: {c: [1, 2]}}]\n"
    asked = load_text(text + "question: {ask: 'Is it better?', better: mcts c=2}")
    assert asked.question == Question(
        ask="Is it better?", better=("mcts c=2",), than=("random", "mcts c=1")
    )
    assert load_text(text).question is None
    assert canonical(load_text(text)) == canonical(asked)
    header = header_of(asked)
    assert Question.read(header.question, header.names) == asked.question


@pytest.mark.parametrize(
    "data",
    [None, {}, {"ask": 3, "better": ["a"], "than": ["b"]}, {"ask": "A?", "better": [], "than": []},
     {"ask": "A?", "better": ["a"], "than": ["z"]}, {"ask": "A?", "better": ["a"], "than": []},
     {"ask": "A?", "better": [["a"]], "than": ["b"]}],
)  # fmt: skip
def test_what_is_no_question_in_a_journal_from_elsewhere_is_none(data: Any) -> None:
    assert Question.read(data, ["a", "b"]) is None


def test_a_changed_bot_or_list_of_openings_is_a_changed_tournament(tmp_path: Path) -> None:
    bot, openings, path = tmp_path / "bot.py", tmp_path / "o.txt", tmp_path / "t.yaml"
    bot.write_text(BOT, encoding="utf-8")
    openings.write_text("44\n45\n", encoding="utf-8")
    path.write_text("engines: [bot.py, random]\nopenings: {file: o.txt}", encoding="utf-8")
    old = canonical(load(path))
    assert old["engines"][0]["engine"] == "bot.py"
    bot.write_text(BOT.replace("legal[0]", "legal[-1]"), encoding="utf-8")
    (told,) = changes(old, canonical(load(path)))
    assert told == "bot.py has changed since game 1"
    bot.write_text(BOT, encoding="utf-8")
    openings.write_text("44\n45\n46\n", encoding="utf-8")
    count, digest = changes(old, canonical(load(path)))
    assert count == "openings.positions: 2 -> 3"
    assert digest == "the list of openings has changed since game 1"


@pytest.mark.parametrize("words", ["depth=4 seconds=100ms", "clock=1m+1s", "cpu=.5 on=reference"])
def test_limits_are_written_alike_in_files_and_on_the_command_line(words: str) -> None:
    players = load_text(f"{TWO}limits: {words}").players
    assert {player.limits for player in players} == {Limits.parse(words)}


@pytest.mark.parametrize("limits", ["increment=1", "{increment: 1}", "increment=1s depth=2"])
def test_an_increment_needs_a_clock_wherever_it_is_written(limits: str) -> None:
    with pytest.raises(BadSpec, match=r"2:9: limits: .*increment .* without a clock|increment w"):
        load_text(f"{TWO}limits: {limits}")
    with pytest.raises(BadOption, match="increment"):
        Limits(increment=1.0)
    with pytest.raises(BadOption, match="increment"):
        Limits.parse(limits.strip("{}").replace(": ", "="))


@pytest.mark.parametrize("limits", ["increment=0", "{increment: 0}"])
def test_an_increment_of_nothing_needs_no_clock(limits: str) -> None:
    made = load_text(f"{TWO}limits: {limits}")
    assert {player.limits for player in made.players} == {Limits()}
    assert Limits.parse("increment=0") == Limits(increment=0) == Limits()
