"""The body of `arena export`: an engine is packed, tried and written, and what it costs is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.bots.find import build_engine
from arena.bots.names import BotName, engine_words, join_words
from arena.errors import BadOption, EngineFailure
from arena.export.kaggle import Package, Trial, check_target, pack, submission, try_out
from arena.files import disk_errors, write_atomic
from arena.show.numbers import in_bytes
from arena.show.progress import saying
from arena.show.terminal import print_json

ACT_TIMEOUT, BANK = 2.0, 60.0  # seconds at Kaggle: of a move, and of a game beyond that


def export_to_kaggle(
    engine: Sequence[str],
    output: Path,
    seconds: float | None,
    force: bool,
    untried: bool,
    as_json: bool,
) -> None:
    """Write an engine as a submission, after a first move with it unless it is left untried."""
    whole = join_words(engine)
    words = _checked(engine_words(whole))
    check_target(output, force)
    trial: Trial | None = None
    with saying(as_json) as say:
        say(f"loading {words[0]}")
        build_engine(whole)
        package = pack(words)
        text = submission(package, whole, seconds)
        if not untried:
            say("playing a first move, with everything to compile")
            trial = try_out(text)
    with disk_errors(output):
        write_atomic(output, text.encode())
    if as_json:
        _print_data(output, text, package, trial)
    else:
        _print(output, text, package, trial)


def _checked(words: Sequence[str]) -> Sequence[str]:
    """The words, if they can be those of an engine in Python."""
    if not words[0]:
        raise BadOption("the engine has an empty name; expected a name or FILE.py:Class")
    if BotName.parse(words[0]).kind:
        raise EngineFailure(
            f"engine {words[0]} comes from outside; expected a name or FILE.py:Class, "
            "for only engines made from Engine can be exported"
        )
    for word in words[1:]:
        if "=" not in word:
            raise BadOption(f"engine {words[0]}: {word!r} is not an option; expected NAME=VALUE")
    return words


def _print_data(output: Path, text: str, package: Package, trial: Trial | None) -> None:
    print_json(
        {
            "file": str(output),
            "bytes": len(text.encode()),
            "contents": sorted(package.contents),
            "packages": package.others,
            "loading": trial and trial.loading,
            "first_move": trial and trial.first_move,
            "processor": trial and trial.processor,
        }
    )


def _print(output: Path, text: str, package: Package, trial: Trial | None) -> None:
    count = len(package.contents)
    print(f"{output}: {in_bytes(len(text.encode()))}, {count} files packed into one")
    if package.others:
        print(f"It needs {', '.join(package.others)}, which must be installed where it runs.")
    if trial is None:
        print("It was not tried; its first move waits for the compiler.")
        return
    print(
        f"Its first move takes {trial.processor:.1f} s of this processor, with everything to "
        f"compile; Kaggle allows {ACT_TIMEOUT:g} s and a bank of {BANK:g} s."
    )
    if trial.processor > BANK:
        print("That is too long for Kaggle, unless its processors are faster.")
