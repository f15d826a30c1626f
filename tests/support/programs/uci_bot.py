"""A program that speaks UCI, well or badly: uci_bot.py MANNER [GREETING [WORDS]].

It drops into the leftmost column of a 7x6 board that is not full, and imports nothing of ours.
"""

from __future__ import annotations

import sys
import time

MANNER = sys.argv[1] if len(sys.argv) > 1 else "good"
GREETING = sys.argv[2] if len(sys.argv) > 2 else "uci"
WORDS = sys.argv[3] if len(sys.argv) > 3 else "drop"
OPTIONS = (
    "Strength type spin default 3 min 1 max 9",
    "Style type combo default calm var calm var wild",
)


def say(*lines: str) -> None:
    print(*lines, sep="\n", flush=True)


def column_of(word: str) -> int:
    if WORDS == "drop":
        return "abcdefg".index(word[2])
    return int(word) - 1


def write(column: int, row: int) -> str:
    return f"P@{'abcdefg'[column]}{row}" if WORDS == "drop" else str(column + 1)


def answer(moves: list[str], words: list[str]) -> None:
    heights = [0] * 7
    for word in moves:
        heights[column_of(word)] += 1
    column = next(each for each in range(7) if heights[each] < 6)
    best = write(column, heights[column] + 1)
    if MANNER == "chatty":
        say(
            "thinking hard",
            "",
            "bestmoves are hard to find",
            "info string bestmove is a nice word",
            "info depth x score cp",
        )
    if MANNER == "dies":
        sys.exit(3)
    if MANNER == "hangs":
        time.sleep(60)
    if MANNER == "eager":
        time.sleep(0.15)
    if MANNER == "stubborn":
        while sys.stdin.readline().strip() != "stop":
            pass
    if MANNER == "floods":
        while True:
            say("info depth 1 score cp 0 nodes 1 pv " + best)
    if MANNER.startswith("says"):
        best = MANNER.partition(":")[2]
    time_line = " ".join(words[1:])
    say(f"info string was asked {time_line}")
    say(f"info depth 4 score mate 2 nodes 99 time 1 pv {best} nonsense", f"bestmove {best}")


def main() -> None:
    moves: list[str] = []
    games = 0
    if MANNER == "slow":
        time.sleep(0.3)
    for line in sys.stdin:
        words = line.split()
        match words[0] if words else "":
            case "uci" if GREETING == "uci":
                if MANNER == "silent":
                    continue
                say("id name bot", *(f"option name {each}" for each in OPTIONS), "uciok")
            case "isready":
                if MANNER == "forgets" and games > 1:
                    continue
                say("readyok")
            case "ucinewgame":
                games += 1
            case "position":
                moves = words[3:]
            case "setoption":
                print(line.strip(), file=sys.stderr, flush=True)
            case "go":
                answer(moves, words)
            case "stop" if MANNER == "eager":
                time.sleep(0.1)
                say("bestmove P@g9")
            case "quit":
                if MANNER != "stays":
                    return


main()
