"""Engines in words, as on the command line: a name, a file or KIND:TARGET, and then options.

"mcts c=0.7", "my bots/a.py:Bot depth=6", "kaggle:submission.py callable=agent", "uci:./engine -x".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.bots.kinds import KINDS, split_kind

WORD = re.compile(r"""(?:'[^']*'|"[^"]*"|\S)+""")
FILE = r"""((?:'[^']+\.py(?::\w*)?'|"[^"]+\.py(?::\w*)?"|.+?\.py(?::\w*)?))"""
IN_WORDS = re.compile(rf"""\s*{FILE}((?:\s+[^\s=]+=(?:'[^']*'|"[^"]*"|\S*))*)\s*""")
LOOSE = re.compile(rf"\s*{FILE}(\s.*)?", re.DOTALL)  # a file, and what is no option
OPTION = re.compile(r"[A-Za-z_]\w*=")


def engine_words(text: str) -> list[str]:
    """The words for an engine: its name or file, which may hold spaces, and then its options.

    "my bots/a.py depth=6" is the file "my bots/a.py" with an option; quotes hold a value together.
    A command takes the words up to the first that is an option.
    """
    named = split_kind(_unquoted(text.strip())) or split_kind(text)
    if named is not None and KINDS[named[0]].target == "command":
        return _command_words(*named)
    parts = IN_WORDS.fullmatch(text) or LOOSE.fullmatch(text)
    spec, rest = (parts[1], parts[2]) if parts else (*text.strip().split(None, 1), "", "")[:2]
    return [_unquoted(spec), *_options(WORD.findall(rest or ""))]


def join_words(words: Sequence[str]) -> str:
    """Words that `engine_words` reads back: options with spaces in them are quoted."""
    quoted = [*words[:1]]
    for word in words[1:]:
        name, equals, value = word.partition("=")
        quote = '"' if "'" in value else "'"
        spaced = re.search(r"\s", value)
        quoted.append(f"{name}{equals}{quote}{value}{quote}" if spaced else word)
    return " ".join(quoted)


def _command_words(kind: str, rest: str) -> list[str]:
    """A command, of however many words, in the quotes that it has, and the options after it."""
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
