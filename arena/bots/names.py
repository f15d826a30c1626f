"""Names of engines: which kind, which file or program, which class; and how users write them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from arena.bots.adapter import Adapter
from arena.engine.registry import split_file
from arena.errors import BadOption


class Kind(NamedTuple):
    """A kind of external bot: its adapter, its target, and an example."""

    module: str
    adapter: str
    target: str  # "file", "name or file", "command" or "address"
    example: str
    about: str

    def load(self) -> type[Adapter]:
        """Import the adapter, but no foreign code."""
        adapter: type[Adapter] = getattr(import_module(f"arena.bots.{self.module}"), self.adapter)
        return adapter


KINDS: Mapping[str, Kind] = {
    "kaggle": Kind("kaggle", "Kaggle", "file", "submission.py", "a Kaggle ConnectX submission"),
    "gym": Kind("gym", "Gym", "file", "player.py:Player", "a player of gym_connect_four"),
    "openspiel": Kind("openspiel", "OpenSpiel", "name or file", "mcts", "a bot of OpenSpiel"),
    "pettingzoo": Kind("pettingzoo", "PettingZoo", "file", "bot.py:policy", "a PettingZoo policy"),
    "uci": Kind("uci", "UCI", "command", "fairy-stockfish", "a UCI program with drop moves"),
    "aigames": Kind("lines", "AiGames", "command", "./bot", "a bot of theaigames"),
    "riddles": Kind("lines", "Riddles", "command", "java Bot", "a bot of riddles.io"),
    "codingame": Kind("lines", "CodinGame", "command", "./bot", "a bot of CodinGame"),
    "lines": Kind("lines", "Lines", "command", "./bot", "a program that writes columns"),
    "positions": Kind(
        "positions", "Positions", "command", "./c4solver", "a solver that reads positions"
    ),
    "url": Kind("url", "Url", "address", "http://localhost:8000/move", "a web service"),
}

NAMED = re.compile(rf"({'|'.join(KINDS)}):(.*)", re.DOTALL)
ARCHIVE = re.compile(r"(.+\.(?:ipynb|tar\.gz|tgz))(?::(\w*))?")  # other submissions to Kaggle
MAIN = "main.py"  # the agent of a submission of several files


@dataclass(frozen=True)
class BotName:
    """The name of an engine, split into its parts.

    mcts                  a registered name: no kind, no file
    my_bot.py:MyBot       a file and a class in it
    kaggle:agent.py       a kind and its target: a file, a command or an address
    """

    text: str
    kind: str = ""  # of KINDS; empty for our engines and for files with engines
    target: str = ""  # what follows the kind
    file: str = ""  # of Python code, perhaps packed or a folder
    class_name: str = ""  # or the name of a function; may be empty
    command: tuple[str, ...] = ()

    @classmethod
    def parse(cls, spec: str) -> BotName:
        """Split a name; any text is one."""
        return _parse(spec)

    def __str__(self) -> str:
        return self.text

    @property
    def adapter(self) -> type[Adapter] | None:
        """The adapter of its kind; None for an engine without a kind."""
        return KINDS[self.kind].load() if self.kind else None

    @property
    def path_options(self) -> frozenset[str]:
        """Its options that name a file or a folder."""
        return self.adapter.path_options if self.adapter else frozenset()

    @property
    def accepts_any_position(self) -> bool:
        """Check whether it can start in the middle of a game."""
        return self.adapter is None or self.adapter.accepts_any_position

    @property
    def title(self) -> str:
        """A short name: the class, the file or the program."""
        if self.command:
            scripts = [word for word in self.command[1:] if "." in word and word[0] != "-"]
            return _stem((scripts or self.command)[0])
        if self.kind and KINDS[self.kind].target == "address":
            return urlsplit(self.target).hostname or self.text
        if self.file:
            return self.class_name or _stem(self.file)
        return f"{self.kind} {self.target}" if self.kind else self.text

    @property
    def files(self) -> list[Path]:
        """Its own file, or the files of its command; not what they import."""
        if not self.command:
            return [Path(self.file)] if self.file else []
        return [Path(word) for word in self.command if os.path.isabs(word) and os.path.isfile(word)]

    def rename(self, new_name: Callable[[str], str]) -> BotName:
        """Give its file, or each word of its command, a new name."""
        kind = f"{self.kind}:" if self.kind else ""
        if self.command:
            words = [*map(new_name, self.command)]
            return self if words == [*self.command] else _parse(kind + shlex.join(words))
        if not self.file:
            return self
        return _parse(kind + ":".join(filter(None, (new_name(self.file), self.class_name))))

    def in_full(self, folder: Path) -> BotName:
        """With full paths; relative files are looked for in this folder."""
        return self.rename(lambda word: self._full_path(word, folder))

    def in_short(self, folder: Path) -> BotName:
        """With paths as they are seen from a folder."""

        def short(word: str) -> str:
            is_path = os.path.isabs(word)
            return Path(os.path.relpath(word, folder)).as_posix() if is_path else word

        return self.rename(short)

    def without_folders(self) -> BotName:
        """With the names of files only."""

        def name(word: str) -> str:
            has_folder = os.sep in word and word[0] != "-" and "://" not in word
            return Path(word).name if has_folder else word

        return self.rename(name)

    def _full_path(self, word: str, folder: Path) -> str:
        path = os.path.abspath(folder / word)
        if not self.command:
            is_folder = self.kind == "kaggle" and os.path.isdir(path)
            return os.path.join(path, MAIN) if is_folder else path
        is_installed = word == self.command[0] and os.sep not in word and shutil.which(word)
        return word if is_installed or os.path.isabs(word) or not os.path.isfile(path) else path


@lru_cache(maxsize=4096)
def _parse(spec: str) -> BotName:
    named = NAMED.fullmatch(spec.strip())
    kind, target = (named[1], named[2].strip()) if named else ("", spec)
    place = KINDS[kind].target if kind else "file"
    if place == "command":
        return BotName(spec, kind, target, command=tuple(_split(target)))
    if place == "address":
        return BotName(spec, kind, target)
    file = split_file(target)
    if file is None and kind == "kaggle":
        archive = ARCHIVE.fullmatch(target)
        file = (archive[1], archive[2] or "") if archive else (target, "")
    return BotName(spec, kind, target, *(file or ("", "")))


def _split(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quote, which the adapter reports
        return command.split()


def _stem(path: str) -> str:
    name = Path(path).name
    return name.removesuffix(".gz").rpartition(".")[0] or name


def distinct_titles(names: Sequence[BotName]) -> list[str]:
    """The titles of several engines; equal ones of different files are preceded by folders."""
    titles = [name.title for name in names]
    for place, name in enumerate(names):
        files = {each.file for each in names if each.title == name.title}
        if not name.file or len(files) == 1:
            continue
        folders = [Path(file).parent.parts for file in files]
        for depth in range(1, max(map(len, folders)) + 1):
            if len({parts[-depth:] for parts in folders}) == len(files):
                own = Path(name.file).parent.parts[-depth:]
                titles[place] = "/".join((*own, name.title))
                break
    return titles


def side_names(first: str, second: str) -> tuple[str, str]:
    """Name the two engines of a match by their words, without folders unless only these differ."""
    words = [engine_words(text) for text in (first, second)]
    bots = [BotName.parse(each[0]) for each in words]
    short = [" ".join([str(bot.without_folders()), *each[1:]])
             for bot, each in zip(bots, words, strict=True)]  # fmt: skip
    titles = distinct_titles(bots)
    if short[0] == short[1] and titles[0] != titles[1]:
        short = [" ".join([title, *each[1:]]) for title, each in zip(titles, words, strict=True)]
    if short[0] == short[1]:
        short = [f"{name} #{number}" for number, name in enumerate(short, start=1)]
    return short[0], short[1]


# ---- words of a command line

WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|\S)+""")
SPEC_FILE = r"""((?:'[^']+\.py(?::\w*)?'|"[^"]+\.py(?::\w*)?"|.+?\.py(?::\w*)?))"""
IN_WORDS = re.compile(rf"""\s*{SPEC_FILE}((?:\s+[^\s=]+=(?:'[^']*'|"[^"]*"|\S*))*)\s*""")
LOOSE = re.compile(rf"\s*{SPEC_FILE}(\s.*)?", re.DOTALL)  # a file and words that are no options
OPTION = re.compile(r"[A-Za-z_]\w*=")


def engine_words(text: str) -> list[str]:
    """Split text into the name of an engine and its options.

    "my bots/a.py depth=6" is the file "my bots/a.py" with an option; quotes keep a value together.
    A command takes the words up to its first option.
    """
    named = NAMED.fullmatch(_unquoted(text.strip())) or NAMED.fullmatch(text.strip())
    if named is not None and KINDS[named[1]].target == "command":
        return _command_words(named[1], named[2].strip())
    parts = IN_WORDS.fullmatch(text) or LOOSE.fullmatch(text)
    if parts is None:
        spec, *words = WORD.findall(text) or [""]
    else:
        spec, words = parts[1], WORD.findall(parts[2] or "")
    return [_unquoted(spec), *_options(words)]


def read_engine(text: str) -> tuple[str, dict[str, str]]:
    """The name and the options of an engine, as in "mcts c=0.7"; BadOption for another word."""
    spec, *words = engine_words(text)
    for word in words:
        if "=" not in word:
            raise BadOption(f"engine {spec}: {word!r} is not an option; expected NAME=VALUE")
    return spec, dict(word.split("=", 1) for word in words)


def join_words(words: Sequence[str]) -> str:
    """Join words so that `engine_words` splits them again: options with spaces are quoted."""
    quoted = [*words[:1]]
    for word in words[1:]:
        name, equals, value = word.partition("=")
        quote = '"' if "'" in value else "'"
        spaced = re.search(r"\s", value)
        quoted.append(f"{name}{equals}{quote}{value}{quote}" if spaced else word)
    return " ".join(quoted)


def _command_words(kind: str, rest: str) -> list[str]:
    """A command with its quotes, and the options after it."""
    words = WORD.findall(rest)
    is_option = [bool(OPTION.match(word)) for word in words]
    end = is_option.index(True, 1) if True in is_option[1:] else len(words)
    return [f"{kind}:{' '.join(words[:end])}", *_options(words[end:])]


def _options(words: Sequence[str]) -> list[str]:
    options = []
    for word in words:
        name, equals, value = _unquoted(word).partition("=")
        options.append(name + equals + _unquoted(value))
    return options


def _unquoted(text: str) -> str:
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text
