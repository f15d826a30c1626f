"""Every mistake in a tournament file: its line and column, and the sentence about it."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import pytest

from arena.tournament.load import load, load_text
from arena.tournament.mistakes import BadSpec

TWO = "engines: [random, reflex]\n"


def mistakes(text: str, path: Path | str = "t.yaml") -> list[str]:
    with pytest.raises(BadSpec) as caught:
        load_text(text, path)
    return [str(mistake) for mistake in caught.value.mistakes]


WHOLE = "expected a whole number of at least 1"
FORMATS = "expected one of round-robin, gauntlet, swiss, knockout, pyramid, pairs"
PAIRS = "expected a list of pairs, as in [[A, B], [A, C]]"
TIME = 'expected a number of seconds above 0, or a time such as "500ms", "10m" or "1h 30m"'
ENGINES = "expected a list of engines, each on a line of its own that begins with '- '"
NAME = 'expected a name without any of / \\ : * ? " < > |'
OPENINGS = "expected none, {every: PLIES}, {random: PLIES}, {balanced: PLIES} or {file: NAME}"
VALUE = "expected draw, first, second, a score such as 2, or a range of scores such as [-2, 2]"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        # names
        ("name: a/b", f"2:7: name: the character '/' cannot stand in it; {NAME}"),
        ("name: ..", f"2:7: name: begins with a dot; {NAME}"),
        ("name: 2024", f"2:7: name: found 2024; {NAME}; put it in quotes"),
        ("name: ''", f"2:7: name: found an empty text; {NAME}"),
        (f"name: {'x' * 61}", "2:7: name: has 61 characters; expected at most 60"),
        ("gaems: 4", "2:1: gaems: unknown key; did you mean 'games'?"),
        ("zzz: 4", "2:1: zzz: unknown key; expected one of about, adjudication, broken,"),
        ("7: 4", "2:1: 7: unknown key; expected one of"),
        ("playouts: 4", "2:1: playouts: unknown key; did you mean limits: {playouts: ..}?"),
        # the game
        ("game: conect4", "2:7: game: unknown game 'conect4'; did you mean 'connect4'?"),
        ("game: 9x9", "2:7: game: a 9x9 board has 81 cells; boards of up to 64 cells"),
        ("game: 3x3", "2:7: game: connect 4 does not fit on a 3x3 board"),
        ("game: 4", "2:7: game: found 4; expected a game by name or size"),
        ("game: {columns: 7}", "2:7: game: found columns; expected columns and rows, or width"),
        ("game: {columns: 7, height: 2}", "2:7: game: found columns, height; expected columns"),
        ("game: {rows: x, columns: 7}", "2:14: game.rows: found the text 'x'; expected a whole"),
        ("game: {colums: 7, rows: 6}", "2:8: game.colums: unknown key; did you mean 'columns'?"),
        ("game: {columns: 2, rows: 2}", "2:7: game: connect 4 does not fit on a 2x2 board"),
        (
            "game: {size: 9x7, rows: 7}",
            "2:7: game: found rows, size; expected columns and",
        ),
        ("game: {pie: true}", "2:7: game: found no size; expected columns and rows, or width, dep"),
        ("game: {size: 9x}", "2:14: game.size: unknown game '9x'; expected one of COLUMNSxROWS"),
        ("game: {size: 9}", "2:14: game.size: found 9; expected a name or size, such as 9x7"),
        ("game: {size: 9x9}", "2:7: game: a 9x9 board has 81 cells; boards of up to 64 cells"),
        ("game: {size: 3x3}", "2:7: game: connect 4 does not fit on a 3x3 board"),
        ("game: {size: 9x7, pie: 1}", "2:24: game.pie: found 1; expected true or false"),
        ("game: {size: 9x7, pi: true}", "2:19: game.pi: unknown key; did you mean 'pie'?"),
        (
            "game: {size: 9x7+pie, pie: false}",
            "2:7: game: size 9x7+pie and pie: false contradict each other",
        ),
        (
            "game: {size: 9x6c5, connect: 4}",
            "2:7: game: size 9x6c5 and connect: 4 contradict each other",
        ),
        (
            "game: 9x7+pie\nopenings: {random: 2}",
            "3:20: openings.random: an opening of 2 plies leaves no first disc to steal; with the",
        ),
        # the format
        ("format: swis", f"2:9: format: found the text 'swis'; {FORMATS}; did you mean 'swiss'?"),
        ("format: 3", f"2:9: format: found 3; {FORMATS}"),
        ("format: {kind: swis}", f"2:16: format.kind: found the text 'swis'; {FORMATS}; did you"),
        ("format: {rounds: 3}", "2:9: format: kind is missing; expected one of round-robin"),
        ("format: swiss", "2:9: format.rounds: is missing; expected how many rounds to play, as"),
        ("format: {kind: swiss}", "2:9: format.rounds: is missing; expected how many rounds"),
        (
            "format: {kind: swiss, ronds: 3}",
            "2:23: format.ronds: unknown key; did you mean 'rounds'?",
        ),
        (
            "format: {kind: swiss, rounds: 0}",
            "2:31: format.rounds: found 0; expected a whole number from 1 to 1000",
        ),
        (
            "format: {kind: gauntlet, heroes: 2}",
            "2:34: format.heroes: found 2 heroes among 2 players; expected at least one other",
        ),
        (
            "format: {kind: gauntlet, heroes: [reflx]}",
            "2:35: format.heroes[0]: no player is called 'reflx'; did you mean 'reflex'?",
        ),
        (
            "format: {kind: gauntlet, heroes: mcts}",
            "2:34: format.heroes: no player is called 'mcts'; expected one of random, reflex",
        ),
        (
            "format: {kind: gauntlet, heroes: [random, random]}",
            "2:43: format.heroes[1]: 'random' is there twice",
        ),
        (
            "format: {kind: gauntlet, heroes: [random, reflex]}",
            "2:34: format.heroes: found 2 heroes among 2 players; expected at least one other",
        ),
        (
            "format: {kind: gauntlet, heroes: [1]}",
            "2:34: format.heroes: found a list; expected how many heroes there are, or a list of",
        ),
        (
            "format: {kind: gauntlet, heroes: []}",
            "2:34: format.heroes: found an empty list; expected how many heroes there are, or a",
        ),
        ("format: {kind: pyramid, heroes: 1}", "2:25: format.heroes: unknown key; expected one of"),
        ("format: pairs", "2:9: format.pairs: is missing; expected who meets, as in format: {kind"),
        ("format: {kind: pairs, pairs: []}", f"2:30: format.pairs: found an empty list; {PAIRS}"),
        ("format: {kind: pairs, pairs: x}", f"2:30: format.pairs: found the text 'x'; {PAIRS}"),
        (
            "format: {kind: pairs, pairs: [reflex, random]}",
            f"2:30: format.pairs: found a list; {PAIRS}",
        ),
        (
            "format: {kind: pairs, pairs: [[reflex, random], random]}",
            "2:49: format.pairs[1]: found the text 'random'; expected two names, as in [A, B]",
        ),
        (
            "format:\n  kind: pairs\n  pairs:\n    - [random, reflex, random]",
            "5:7: format.pairs[0]: found a list; expected two names, as in [A, B], not 3",
        ),
        (
            "format: {kind: pairs, pairs: [[reflex, 1]]}",
            "2:40: format.pairs[0][1]: found 1; expected the name of a player, as text",
        ),
        (
            "format: {kind: pairs, pairs: [[reflex, randm]]}",
            "2:40: format.pairs[0][1]: no player is called 'randm'; did you mean 'random'?",
        ),
        (
            "format:\n  kind: pairs\n  pairs:\n    - [random, reflex]\n    - [reflex, random]",
            "6:7: format.pairs[1]: 'reflex' and 'random' are a pair already, pairs[0]; expected",
        ),
        # games and rounds
        ("games: 3", "2:8: games: found 3; expected an even number, or swap_seats: false"),
        ("games: 0", "2:8: games: found 0; expected a whole number from 1 to 1000000"),
        ("games: 2.5", "2:8: games: found 2.5; expected a whole number from 1 to 1000000"),
        ("games: true", "2:8: games: found true; expected a whole number from 1 to 1000000"),
        ("games: .inf", "2:8: games: found .inf; expected a whole number"),
        ("games: 1_000", "2:8: games: found the text '1_000'; expected a whole number from 1 to"),
        ("games: '4'", "2:8: games: found the text '4'; expected a whole number from 1 to 1000000"),
        ("games: 4\nrounds: 2", "3:1: rounds: says the same as games; expected one of the two"),
        (
            "format: pyramid\nrounds: 2",
            "3:1: rounds: is for a round-robin; expected games for format",
        ),
        (
            "format: {kind: swiss, rounds: 1}\nrounds: 2",
            "3:1: rounds: stands outside; write format: {kind: swiss, rounds: ..}",
        ),
        (
            "swap_seats: no",
            "2:13: swap_seats: found the text 'no'; expected true or false; did you mean false?",
        ),
        ("swap_seats: 1", "2:13: swap_seats: found 1; expected true or false"),
        ("swap_seats:", "2:12: swap_seats: found nothing; expected true or false"),
        # openings
        ("openings: all", f"2:11: openings: found the text 'all'; {OPENINGS}"),
        ("openings: {}", f"2:11: openings: found an empty mapping; {OPENINGS}"),
        ("openings: {file: }", f"2:11: openings: found nothing; {OPENINGS}"),
        ("openings: {random: 1, every: 1}", f"2:11: openings: found every and random; {OPENINGS}"),
        ("openings: {even: 4}", "2:12: openings.even: unknown key; did you mean 'every'?"),
        ("openings: {solved: 4}", "2:12: openings.solved: unknown key; expected one of balanced,"),
        ("openings: {balanced: 0}", f"2:22: openings.balanced.plies: found 0; {WHOLE}"),
        (
            "openings: {balanced: x}",
            "2:22: openings.balanced: found the text 'x'; expected a number",
        ),
        (
            "openings: {balanced: 42}",
            "2:22: openings.balanced: an opening of 42 plies does not fit",
        ),
        (
            "openings: {balanced: {}}",
            "2:22: openings.balanced.plies: is missing; expected how many",
        ),
        (
            "openings: {balanced: {plies: 8, worth: 3}}",
            "2:33: openings.balanced.worth: unknown key; expected one of plies, value",
        ),
        (
            "openings: {balanced: {plies: 99}}",
            "2:30: openings.balanced.plies: an opening of 99 plies does not fit on a 7x6 board",
        ),
        (
            "openings: {balanced: {plies: 8, value: frist}}",
            f"2:40: openings.balanced.value: found the text 'frist'; {VALUE}; did you mean 'first'",
        ),
        (
            "openings: {balanced: {plies: 8, value: 0.5}}",
            f"2:40: openings.balanced.value: found 0.5; {VALUE}",
        ),
        (
            "openings: {balanced: {plies: 8, value: [1]}}",
            f"2:40: openings.balanced.value: found a list; {VALUE}",
        ),
        (
            "openings: {balanced: {plies: 8, value: [2, -2]}}",
            "2:40: openings.balanced.value: found [2, -2]; expected the lower score first",
        ),
        (
            "openings: {balanced: {plies: 8, value: 18}}",
            "2:40: openings.balanced.value: a score of 18 is not possible after 8 plies on 7x6",
        ),
        (
            "game: score4\nopenings: {balanced: 4}",
            "3:22: openings.balanced: the exact solver plays on flat boards; 4x4x4 connect 4 is",
        ),
        (
            "game: 9x7\nopenings: {balanced: {plies: 4}}",
            "3:22: openings.balanced: 9x7 connect 4 is too large for the exact solver",
        ),
        ("openings: {random: 0}", f"2:20: openings.random: found 0; {WHOLE}"),
        ("openings: {random: 42}", "2:20: openings.random: an opening of 42 plies does not fit on"),
        ("openings: {every: 20}", "2:19: openings.every: every line of 20 plies on a 7x6 board"),
        ("openings: {file: 3}", "2:18: openings.file: found 3; expected the name of a file; put"),
        ("openings: {file: none.txt}", "2:18: openings.file: none.txt: No such file or directory"),
        # limits
        ("limits: 5", "2:9: limits: found 5; expected a mapping such as {depth: 4}"),
        ("limits: {dept: 5}", "2:10: limits.dept: unknown key; did you mean 'depth'?"),
        ("limits: {depth: 0}", f"2:17: limits.depth: found 0; {WHOLE}"),
        ("limits: {nodes: 1.5}", f"2:17: limits.nodes: found 1.5; {WHOLE}"),
        ("limits: {depth: [2, 0]}", f"2:21: limits.depth[1]: found 0; {WHOLE}"),
        ("limits: {depth: []}", f"2:17: limits.depth: found an empty list; {WHOLE}, or several"),
        ("limits: {depth: [[2]]}", f"2:18: limits.depth[0]: found a list; {WHOLE}"),
        (
            "limits: {seconds: [1, soon]}",
            f"2:23: limits.seconds[1]: found the text 'soon'; {TIME}",
        ),
        ("limits: {seconds: 0}", f"2:19: limits.seconds: found 0; {TIME}"),
        ("limits: {cpu: -1}", f"2:15: limits.cpu: found -1; {TIME}"),
        (
            "limits: {seconds: 5 parsecs}",
            f"2:19: limits.seconds: found the text '5 parsecs'; {TIME}",
        ),
        ("limits: {clock: .nan}", f"2:17: limits.clock: found .nan; {TIME}"),
        ("limits: {increment: 1}", "2:9: limits: increment without a clock; expected clock:"),
        # adjudication
        ("adjudication: 40", "2:15: adjudication: found 40; expected a mapping such as {max_plies"),
        ("adjudication: {max_ply: 4}", "2:16: adjudication.max_ply: unknown key; did you mean"),
        (
            "openings: {random: 4}\nadjudication: {max_plies: 4}",
            "3:27: adjudication.max_plies: found 4; an opening has 4 plies: expected more",
        ),
        (
            "adjudication: {solver: yes}",
            "2:24: adjudication.solver: found the text 'yes'; expected",
        ),
        ("adjudication: {solvr: true}", "2:16: adjudication.solvr: unknown key; did you mean"),
        (
            "game: 9x7\nadjudication: {solver: true}",
            "3:24: adjudication.solver: 9x7 connect 4 is too large for the exact solver",
        ),
        (
            "openings: {balanced: 8}\nadjudication: {max_plies: 8}",
            "3:27: adjudication.max_plies: found 8; an opening has 8 plies: expected more",
        ),
        # stop rules
        ("stop: 10m", "2:7: stop: found the text '10m'; expected a mapping such as {seconds: 10m}"),
        ("stop: {second: 10m}", "2:8: stop.second: unknown key; did you mean 'seconds'?"),
        ("stop: {seconds: 10 minutes}", f"2:17: stop.seconds: found the text '10 minutes'; {TIME}"),
        ("stop: {seconds: -1}", f"2:17: stop.seconds: found -1; {TIME}"),
        (
            "stop: {error: 0}",
            "2:15: stop.error: found 0; expected a number above 0 and below 10000",
        ),
        ("stop: {sprt: yes}", "2:14: stop.sprt: found the text 'yes'; expected a mapping such as"),
        ("stop: {sprt: {elo0: 1}}", "2:14: stop.sprt.elo1: is missing; expected the Elo to accept"),
        (
            "stop: {sprt: {elo0: x, elo1: 1}}",
            "2:21: stop.sprt.elo0: found the text 'x'; expected a",
        ),
        (
            "stop: {sprt: {elo0: 0, elo1: 5, alpha: 0.6, beta: 0.4}}",
            "2:14: stop.sprt: alpha + beta is 1; expected less than 1",
        ),
        (
            "stop: {sprt: {elo0: 0, elo1: 5, alpha: 0}}",
            "2:40: stop.sprt.alpha: found 0; expected a number above 1e-12 and below 1",
        ),
        (
            "stop: {sprt: {elo0: 0, elo1: 5, model: logistc}}",
            "2:40: stop.sprt.model: found the text 'logistc'; expected one of logistic, normalized;"
            " did you mean 'logistic'?",
        ),
        (
            "stop: {sprt: {elo0: 0, elo1: 5, engines: random}}",
            "2:42: stop.sprt.engines: found the text 'random'; expected a list of two names",
        ),
        (
            "stop: {sprt: {elo0: 0, elo1: 5, engines: [random, random]}}",
            "2:42: stop.sprt.engines: found random, random; expected two different names",
        ),
        (
            "stop: {sprt: {elo0: 0, elo1: 5, engines: [random, reflx]}}",
            "2:51: stop.sprt.engines[1]: no player is called 'reflx'; did you mean 'reflex'?",
        ),
        # the question
        ("question: why", "2:11: question: found the text 'why'; expected a mapping such as {ask:"),
        ("question: {better: random}", "2:11: question.ask: is missing; expected the question"),
        ("question: {ask: 'A?'}", "2:11: question.better: is missing; expected the name of an"),
        (
            "question: {ask: 'A?', beter: random}",
            "2:23: question.beter: unknown key; did you mean 'better'?",
        ),
        (
            "question: {ask: A, better: random}",
            "2:17: question.ask: found no question mark at the end; expected a question that ends",
        ),
        (
            "question: {ask: 'A?', better: reflx}",
            "2:31: question.better: no player is called 'reflx'; did you mean 'reflex'?",
        ),
        (
            "question: {ask: 'A?', better: reflex, than: [reflex]}",
            "2:46: question.than[0]: 'reflex' is in better too; expected each player on one side",
        ),
        (
            "question: {ask: 'A?', better: [reflex, reflex]}",
            "2:40: question.better[1]: 'reflex' is there twice; expected each player on one side",
        ),
        (
            "question: {ask: 'A?', better: []}",
            "2:31: question.better: found an empty list; expected the name of an engine of this",
        ),
        (
            "question: {ask: 'A?', better: reflex, than: []}",
            "2:45: question.than: found an empty list; expected the name of an engine of this",
        ),
        (
            "question: {ask: 'A?', better: [reflex, random]}",
            "2:31: question.better: found every player; expected at least one other to compare",
        ),
        # the rest
        ("seed: -1", "2:7: seed: found -1; expected a whole number of at least 0"),
        ("seed: abc", "2:7: seed: found the text 'abc'; expected a whole number"),
        ("seed: 1\nseed: 2", "3:1: seed: stands twice; the first is in line 2"),
        ("workers: 0", "2:10: workers: found 0; expected a whole number from 1 to 4096"),
        ("workers: all", "2:10: workers: found the text 'all'; expected a whole number"),
        ("memory: 1", "2:9: memory: found 1; expected a whole number from 64 to 1000000"),
        ("margin: -1", "2:9: margin: found -1; expected a number of seconds not below 0"),
        ("patience: 0", f"2:11: patience: found 0; {TIME}"),
        ("output: [a]", "2:9: output: found a list; expected the name of a directory"),
    ],
)
def test_a_mistake_is_told_with_its_place(line: str, told: str) -> None:
    (mistake,) = mistakes(TWO + line)
    assert mistake.startswith(f"t.yaml:{told}")


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("randm", "2:5: engines[0].engine: unknown engine 'randm'; did you mean 'random'?"),
        (
            "5",
            "2:5: engines[0]: found 5; expected the name of an engine, FILE.py:Class or",
        ),
        ("", "2:4: engines[0]: found nothing; expected the name of an engine"),
        ("[random]", "2:5: engines[0]: found a list; expected the name of an engine"),
        (
            "alphabeta depth=6",
            "2:5: engines[0].engine: unknown engine 'alphabeta depth=6'; options stand apart: "
            "{engine: alphabeta, options: {..}}",
        ),
        ("{engine: [mcts]}", "2:14: engines[0].engine: found a list; expected the name of an"),
        ("{engne: mcts}", "2:6: engines[0].engne: unknown key; did you mean 'engine'?"),
        ("{options: {}}", "2:5: engines[0].engine: is missing; expected the name of an engine"),
        (
            "{engine: alphabeta, depth: 4}",
            "2:25: engines[0].depth: unknown key; did you mean options: {depth: ..}?",
        ),
        (
            "{engine: greedy, seconds: 4}",
            "2:22: engines[0].seconds: unknown key; did you mean limits: {seconds: ..}?",
        ),
        ("{engine: mcts, name: 5}", "2:26: engines[0].name: found 5; expected a name; put it in"),
        (
            "{engine: mcts, options: [c]}",
            "2:29: engines[0].options: found a list; expected a mapping such as {depth: 4}",
        ),
        (
            "{engine: mcts, options: {xx: 1}}",
            "2:34: engines[0].options.xx: unknown option 'xx'; expected one of solver, memory",
        ),
        (
            "{engine: alphabeta, options: {deth: 1}}",
            "2:41: engines[0].options.deth: unknown option 'deth'; did you mean 'depth'?",
        ),
        (
            "{engine: alphabeta, options: {depth: six}}",
            "2:42: engines[0].options.depth: found 'six'; expected a whole number or none",
        ),
        (
            "{engine: alphabeta, options: {depth: [2, six]}}",
            "2:46: engines[0].options.depth[1]: found 'six'; expected a whole number",
        ),
        (
            "{engine: alphabeta, options: {depth: []}}",
            "2:42: engines[0].options.depth: found an empty list; expected a value or several",
        ),
        (
            "{engine: alphabeta, options: {tie_break: frist}}",
            "2:46: engines[0].options.tie_break: found 'frist'; expected one of first, random, "
            "zeros; did you mean 'first'?",
        ),
        (
            "{engine: alphabeta, options: {evaluation: rivets}}",
            "2:47: engines[0].options.evaluation: unknown evaluation 'rivets'; did you mean",
        ),
        (
            "{engine: alphabeta, options: {evaluation: {own: {5: 1}}}}",
            "2:47: engines[0].options.evaluation: evaluation.own counts 5 discs; expected 1 to 4",
        ),
        (
            "{engine: alphabeta, options: {evaluation: no.yaml}}",
            "2:47: engines[0].options.evaluation: no.yaml: No such file or directory",
        ),
        (
            "{engine: mcts, limits: {playouts: 0}}",
            f"2:39: engines[0].limits.playouts: found 0; {WHOLE}",
        ),
        ("nobot.py:Bot", "2:5: engines[0].engine: nobot.py: No such file or directory"),
        (
            "reflex",
            "4:5: engines[2]: a second player is called 'reflex', the first is in line 2; give one",
        ),
        (
            "{engine: mcts, name: reflex}",
            "4:5: engines[2]: a second player is called 'reflex', the first is in line 2",
        ),
        (
            "{engine: alphabeta, options: {depth: [2, 2]}}",
            "2:5: engines[0]: a second player is called 'alphabeta depth=2', the first is in line",
        ),
        (
            "{engine: iterative, options: {beam: &x [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], "
            "table: *x, depth: *x}}",
            "2:5: engines[0]: makes more than 1000 players; expected fewer variants",
        ),
    ],
)
def test_a_mistake_in_an_engine(entry: str, told: str) -> None:
    (mistake,) = mistakes(f"engines:\n  - {entry}\n  - random\n  - reflex\n")
    assert mistake.startswith(f"t.yaml:{told}")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seed: 1", f"1:1: engines: is missing; {ENGINES}"),
        ("engines:", f"1:9: engines: found nothing; {ENGINES}"),
        ("engines: random", f"1:10: engines: found the text 'random'; {ENGINES}"),
        ("engines: {a: random}", f"1:10: engines: found a mapping; {ENGINES}"),
        ("engines: []", "1:10: engines: found none; expected two engines at least"),
        ("engines: [random]", "1:10: engines: found one player; expected two engines at least"),
        (
            "engines: [random, reflex, mcts]\nstop: {sprt: {elo0: 0, elo1: 5}}",
            "2:14: stop.sprt.engines: is missing; with 3 players, expected the names of two",
        ),
        (
            "engines: [random, reflex, mcts]\n"
            "format: {kind: pairs, pairs: [[random, reflex], [mcts, mcts]]}",
            "2:49: format.pairs[1]: 'mcts' is paired with itself; expected two different names",
        ),
        (
            "engines: [random, reflex, mcts]\nformat: {kind: pairs, pairs: [[random, reflex]]}",
            "2:30: format.pairs: mcts is in no pair; expected everybody in one, or not in engines",
        ),
        (
            "engines: [random, reflex, mcts]\n"
            "format: {kind: pairs, pairs: [[random, reflex], [mcts, random]]}\n"
            "stop: {sprt: {elo0: 0, elo1: 5, engines: [mcts, reflex]}}",
            "3:42: stop.sprt.engines: mcts and reflex never meet; mcts meets random",
        ),
        (
            "engines: [random, reflex, mcts]\nformat: gauntlet\n"
            "stop: {sprt: {elo0: 0, elo1: 5, engines: [mcts, reflex]}}",
            "3:42: stop.sprt.engines: mcts and reflex never meet; the heroes are random",
        ),
    ],
)
def test_a_mistake_in_the_line_up(text: str, told: str) -> None:
    (mistake,) = mistakes(text)
    assert mistake.startswith(f"t.yaml:{told}")


def test_all_mistakes_are_told_in_one_go_and_in_order() -> None:
    text = """
gaems: 4
game: conect4
limits: {depth: 0, secnds: 3}
engines:
  - randm
  - {engine: alphabeta, options: {deth: 4, depth: [2, x], evaluation: rivets}, limits: 3}
  - {engine: mcts, limits: {playouts: 3.5}, options: {c: -1}}
  - reflex
stop: {sprt: {elo0: 5, elo1: 2}, seconds: soon}
seed: 1
games: 3
seed: 2
colour: !!binary eA==
"""
    told = mistakes(text)
    assert [line.split(": ")[1] for line in told] == [
        "gaems",
        "game",
        "limits.depth",
        "limits.secnds",
        "engines[0].engine",
        "engines[1].options.deth",
        "engines[1].options.depth[1]",
        "engines[1].options.evaluation",
        "engines[1].limits",
        "engines[2].limits.playouts",
        "engines[2].options.c",
        "stop.sprt",
        "stop.seconds",
        "games",
        "seed",
        "colour",
        "colour",
    ]
    places = [tuple(map(int, line.split(":")[1:3])) for line in told]
    assert places == sorted(places)


def test_what_could_not_be_read_is_told_once() -> None:
    (mistake,) = mistakes(f"{TWO}games: !!int x")
    assert mistake == "t.yaml:2:8: games: 'x' is not !!int"


def test_a_mistake_brings_no_others() -> None:
    """A wrong engine has no name, so a test that names it is not told to be wrong."""
    assert len(mistakes("engines: [random, reflx]\nstop: {sprt: {elo0: 0, elo1: 5}}")) == 1
    assert len(mistakes("engines: [random, 3]\nformat: {kind: gauntlet, heroes: 1}")) == 1
    assert len(mistakes(f"{TWO}games: x\nswap_seats: true")) == 1
    assert len(mistakes(f"{TWO}game: 2x2\nopenings: {{random: 40}}")) == 1


def test_values_in_sentences_are_cut_and_printable() -> None:
    (mistake,) = mistakes(f'{TWO}game: "{"x" * 500}\\n\\u0007"')
    assert "\n" not in mistake
    (mistake,) = mistakes(f'{TWO}seed: "{"x" * 500}\\u0007"')
    assert len(mistake) < 200


LONG_FILES = {
    "unknown keys": "".join(f"key{n}: 1\n" for n in range(3000)),
    "entries without an engine": "engines:\n" + "- {}\n" * 3000,
    "unknown engines": "engines:\n" + "".join(f"- mcts{n}\n" for n in range(3000)),
    "twins": "engines:\n" + "- random\n" * 3000,
    "keys that stand twice": "a: 1\n" * 3000,
    "unknown limits": f"{TWO}limits: {{{', '.join(f'x{n}: 1' for n in range(3000))}}}",
    "tags": f"{TWO}x: [{', '.join('!!x 1' for _ in range(3000))}]",
}


@pytest.mark.parametrize("text", LONG_FILES.values(), ids=LONG_FILES.keys())
def test_a_file_full_of_mistakes_is_given_up_after_a_hundred(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []  # comparing words is what takes time

    def compare(name: str, known: Iterable[str], **how: Any) -> list[str]:
        asked.append(name)
        return get_close_matches(name, list(known), **how)

    monkeypatch.setattr("arena.errors.get_close_matches", compare)
    told = mistakes(text)
    assert len(told) == 101
    assert told[-1].endswith(": the rest of the file is not looked at")
    assert len(asked) <= 300


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("limits: {depth: 1e290}", "limits.depth: found 1e+290; expected at most 1000000000000000"),
        ("limits: {nodes: 1e290}", "limits.nodes: found 1e+290; expected at most 1000000000000000"),
        ("limits: {playouts: 1e16}", "limits.playouts: found 1e+16; expected at most 10000000"),
        ("limits: {seconds: 1e290}", "limits.seconds: found 1e+290; expected at most 100000000 s"),
        (
            "limits: {seconds: 9999999h}",
            "limits.seconds: found the text '9999999h'; expected at mo",
        ),
        ("limits: {clock: 1e9}", "limits.clock: found 1000000000.0; expected at most 100000000 s"),
        ("limits: {clock: 1, increment: 1e290}", "limits.increment: found 1e+290; expected at m"),
        ("margin: 1e290", "margin: found 1e+290; expected at most 100000000 seconds"),
        ("patience: 1e290", "patience: found 1e+290; expected at most 100000000 seconds"),
        ("seed: 9223372036854775808", "seed: found 9223372036854775808; expected at most 9223"),
        ("stop: {seconds: 1e290}", "stop.seconds: found 1e+290; expected at most 100000000 sec"),
        ("stop: {error: 1e290}", "stop.error: found 1e+290; expected a number above 0 and below"),
        (
            "stop: {sprt: {elo0: 0, elo1: 1, beta: 1e-300}}",
            "stop.sprt.beta: found 1e-300; expected a number above 1e-12 and below 1",
        ),
        (
            "format: {kind: gauntlet, heroes: 1e290}",
            "format.heroes: found 1e+290; expected a whole number from 1 to 1000",
        ),
        (
            "openings: {every: 1e15}",
            "openings.every: an opening of 1000000000000000 plies does not fit on a 7x6 board",
        ),
        (
            "openings: {balanced: {plies: 8, value: [-99999999999999999999, 0]}}",
            "openings.balanced.value: found a list; expected draw, first, second, a score",
        ),
        (f"game: 7x{'9' * 5000}", "game: unknown game '7x999"),
    ],
)
def test_every_number_has_bounds(line: str, told: str) -> None:
    (mistake,) = mistakes(TWO + line)
    assert mistake.split(": ", 1)[1].startswith(told)


def test_one_mistake_is_one_line_and_more_have_a_heading() -> None:
    with pytest.raises(BadSpec) as one:
        load_text("engines: [random, reflx]", "t.yaml")
    assert str(one.value).count("\n") == 0
    with pytest.raises(BadSpec) as two:
        load_text("engines: [randm, reflx]", "t.yaml")
    assert str(two.value).splitlines()[0] == "t.yaml has 2 mistakes"
    assert str(pickle.loads(pickle.dumps(two.value))) == str(two.value)


BAD_BOTS = """
from arena import Engine, option

class Abstract(Engine):
    pass

class Unbuildable(Engine):
    depth: int = option(1)
    def __init__(self, **options):
        raise ValueError("no   network")
    choose = None

class Quits(Unbuildable):
    def __init__(self, **options):
        raise SystemExit(3)

class Pair(Engine):
    low: int = option(1)
    high: int = option(5)
    def __init__(self, **options):
        super().__init__(**options)
        if self.low > self.high:
            raise ValueError("low is above high")
    def choose(self, position, limits):
        pass
"""


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ("bots.py:Bot", "engines[0].engine: bots.py has no engine 'Bot'; expected one of"),
        ("bots.py:Pear", "engines[0].engine: bots.py has no engine 'Pear'"),
        (
            "bots.py",
            "engines[0].engine: bots.py: expected one class made from Engine, or FILE:CLASS",
        ),
        ("broken.py", "engines[0].engine: broken.py:2: SyntaxError: "),
        (
            "bots.py:Unbuildable",
            "engines[0].engine: cannot be built: ValueError: no network",
        ),
        ("bots.py:Quits", "engines[0].engine: cannot be built: SystemExit: 3"),
        (
            "{engine: 'bots.py:Pair', options: {low: 4, high: 3}}",
            "engines[0].options: cannot be built: ValueError: low is above high",
        ),
    ],
)
def test_a_bot_that_does_not_work(tmp_path: Path, entry: str, told: str) -> None:
    (tmp_path / "bots.py").write_text(BAD_BOTS, encoding="utf-8")
    (tmp_path / "broken.py").write_text("x = 1\nclass Bot(\n", encoding="utf-8")
    path = tmp_path / "t.yaml"
    (mistake,) = mistakes(f"engines:\n  - {entry}\n  - random\n  - reflex", path)
    place, _, sentence = mistake.partition(": ")
    assert place.startswith(f"{path}:2:")
    assert sentence.startswith(told)
    assert str(tmp_path) not in sentence


def test_mistakes_in_a_list_of_openings_carry_its_lines(tmp_path: Path) -> None:
    lines = "# good and bad\n44\n48\n  4444444\n1212121\n44 # again\nhello\n"
    (tmp_path / "o.txt").write_text(lines, encoding="utf-8")
    path = tmp_path / "t.yaml"
    path.write_text(f"{TWO}openings: {{file: o.txt}}\nseed: x", encoding="utf-8")
    with pytest.raises(BadSpec) as caught:
        load(path)
    told = [str(mistake).removeprefix(f"{tmp_path}/") for mistake in caught.value.mistakes]
    assert told == [
        "t.yaml:3:7: seed: found the text 'x'; expected a whole number of at least 0",
        "o.txt:3:1: column 8 in '48' is not on the board (1 to 7)",
        "o.txt:4:3: move 7: column 4 (3 counted from 0) is full",
        "o.txt:5:1: the game is over after 1212121; expected an unfinished one",
        "o.txt:6:1: 44 stands in line 2 already",
        "o.txt:7:1: 'h' in 'hello' is not a column number",
    ]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"# nothing\n", "o.txt holds no positions; expected one a line, such as 4453"),
        (b"\xff\xfe\x00", "o.txt is not a text file; expected a list of positions"),
        (b"4\n" * 3_000_000, "o.txt is larger than 4 MB"),
    ],
)
def test_a_list_of_openings_that_is_none(tmp_path: Path, content: bytes, told: str) -> None:
    (tmp_path / "o.txt").write_bytes(content)
    (mistake,) = mistakes(f"{TWO}openings: {{file: o.txt}}", tmp_path / "t.yaml")
    assert mistake == f"{tmp_path}/t.yaml:2:18: openings.file: {told}"


def test_a_long_list_of_wrong_openings_is_cut_short(tmp_path: Path) -> None:
    (tmp_path / "o.txt").write_text("8\n" * 100, encoding="utf-8")
    told = mistakes(f"{TWO}openings: {{file: o.txt}}", tmp_path / "t.yaml")
    assert len(told) == 21
    assert told[-1].endswith("o.txt:21:1: 80 more lines are wrong")
