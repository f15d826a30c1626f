"""Engines of a notebook or a script, written to a file so that other processes can load them.

A class or an object is packed by dill into a small file of Python code. From there on it is an
engine in a file like any other: loaded by workers, described, checked, known by its digest. The
same engine leaves the file as it is, so that a later session resumes its games.
"""

from __future__ import annotations

import sys
from abc import ABCMeta, update_abstractmethods
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from textwrap import wrap
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from arena.engine.contract import Engine
from arena.engine.registry import installed_name
from arena.errors import BadOption, EngineFailure
from arena.files import disk_errors, write_atomic
from arena.text import printable

Packable = type[Engine] | Engine
Seen = dict[int, Any]  # values by their ids, which hold as long as the values are kept

LINE = 96  # characters of the packed code
PAGE = '''"""{title}, an engine of a session of Python, packed by Connect Arena for its tables."""

from arena.library.packed import unpack

DIGEST = "{digest}"  # of what it does, whichever session it comes from
PACKED = """
{packed}
"""

{title} = unpack(PACKED, __name__)
'''
OF_A_GAME = ("_board", "rules", "random", "seed_of_game", "_deadline", "_kernel_meter")
MAIN = ("__main__", "__mp_main__")
SKIPPED = {"__dict__", "__weakref__", "__doc__", "__module__", "__firstlineno__", "_abc_impl"}


def title_of(engine: Packable) -> str:
    """The name of the class of an engine."""
    return (engine if isinstance(engine, type) else type(engine)).__name__


def spec_of(engine: Packable) -> tuple[str, dict[str, Any]] | None:
    """The name of an engine that others can load, and its options; None: it must be packed."""
    kind = engine if isinstance(engine, type) else type(engine)
    name = installed_name(kind)
    if name is not None:
        return name, {} if isinstance(engine, type) else _changed_options(engine)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not isinstance(engine, type) or kind.__module__ in MAIN or file is None:
        return None
    is_there = vars(sys.modules[kind.__module__]).get(kind.__qualname__) is kind
    return (f"{Path(file).resolve()}:{kind.__name__}", {}) if is_there else None


def _changed_options(engine: Engine) -> dict[str, Any]:
    """The options of an engine of ours that are not as they are by default."""
    changed: dict[str, Any] = {}
    for name, value in engine.settings().items():
        if value == engine.options[name].default:
            continue
        word = value if isinstance(value, bool | int | float | str | None) else str(value)
        if engine.options[name].check(word) != value:
            raise BadOption(f"option {name!r} of {title_of(engine)} is {word}; give it by name")
        changed[name] = word
    return changed


def pack(engine: Packable, file: Path) -> None:
    """Write an engine of this session into a file; one that holds the same engine stays."""
    digest, title = digest_of(engine), title_of(engine)
    if file.exists() and f'DIGEST = "{digest}"' in file.read_text(encoding="utf-8"):
        return
    packed = "\n".join(wrap(b64encode(_dump(engine)).decode(), LINE))
    page = PAGE.format(title=title, digest=digest, packed=packed)
    with disk_errors(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(file, page.encode())


def _dump(engine: Packable) -> bytes:
    import dill  # not where nothing is packed

    kind = engine if isinstance(engine, type) else type(engine)
    state = None if isinstance(engine, type) else _state_of(engine)
    try:
        packed: bytes = dill.dumps((kind, dict(kind.options), state), recurse=True)
        return packed
    except Exception as error:  # pickling runs code of the engine
        words = printable(f"{type(error).__name__}: {error}")
        raise EngineFailure(
            f"engine {kind.__name__} cannot be sent to a table: {words}; "
            f"leave out of it what belongs to this process, or give it as FILE.py:{kind.__name__}"
        ) from error


def _state_of(engine: Engine) -> dict[str, Any]:
    """The attributes of an object, without those of its current game."""
    return {name: value for name, value in vars(engine).items() if name not in OF_A_GAME}


def unpack(packed: str, module: str) -> type[Engine]:
    """The engine that a file holds, as a class of that file."""
    import dill

    kind, options, state = dill.loads(b64decode(packed))
    update_abstractmethods(kind)  # methods may have come after the class
    kind.options = options
    if state is not None:
        kind = _class_of_object(kind, state)
    kind.__module__ = module
    engine: type[Engine] = kind
    return engine


def _class_of_object(kind: type[Engine], state: Mapping[str, Any]) -> type[Engine]:
    """A class whose engines begin with the attributes of one object; it has no options."""
    from copy import deepcopy

    def begin(self: Engine) -> None:
        vars(self).update(deepcopy(dict(state)))

    names = {"__doc__": kind.__doc__, "__init__": begin}
    engine: Any = ABCMeta(kind.__name__, (kind,), names)
    engine.options = {}
    packed: type[Engine] = engine
    return packed


def digest_of(engine: Packable) -> str:
    """The same for the same code and state, in any session: line numbers and files do not count."""
    digest = sha256()
    for part in _parts(engine, {}):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()


def _parts(value: Any, seen: Seen) -> Iterator[str]:
    """Everything that decides the behaviour of a value, in a fixed order."""
    yield type(value).__name__
    if isinstance(value, bool | int | float | complex | str | bytes | None):
        yield repr(value)
        return
    if id(value) in seen:
        return
    seen[id(value)] = value
    if isinstance(value, ModuleType):
        yield value.__name__
    elif isinstance(value, CodeType):
        yield repr((value.co_code, value.co_names, value.co_varnames, value.co_freevars))
        yield from _parts(value.co_consts, seen)
    elif isinstance(value, FunctionType):
        yield from _function_parts(value, seen)
    elif isinstance(value, MethodType):
        yield from _parts((value.__func__, value.__self__), seen)
    elif isinstance(value, type):
        yield from _class_parts(value, seen)
    elif isinstance(value, set | frozenset):
        yield from sorted("\0".join(_parts(item, {})) for item in value)
    elif isinstance(value, Mapping):
        yield from _parts(sorted(value.items(), key=lambda item: repr(item[0])), seen)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _parts(item, seen)
    elif hasattr(value, "tobytes"):
        yield f"{getattr(value, 'dtype', '')} {getattr(value, 'shape', '')}"
        yield sha256(value.tobytes()).hexdigest()
    elif isinstance(value, staticmethod | classmethod):
        yield from _parts(value.__func__, seen)
    elif isinstance(value, property):
        yield from _parts((value.fget, value.fset), seen)
    elif hasattr(value, "py_func"):  # a function that numba compiles
        yield from _parts(value.py_func, seen)
    else:
        yield type(value).__module__
        with suppress(Exception):  # without a readable state, its type counts
            yield from _parts(value.__getstate__(), seen)


def _function_parts(function: FunctionType, seen: Seen) -> Iterator[str]:
    yield function.__qualname__
    if _is_importable(function):
        yield function.__module__
        return
    yield from _parts(function.__code__, seen)
    yield from _parts((function.__defaults__, function.__kwdefaults__), seen)
    for cell in function.__closure__ or ():
        try:
            inside = cell.cell_contents
        except ValueError:  # nothing was put into it yet
            continue
        yield from _parts(inside, seen)
    for name in sorted(_names(function.__code__) & function.__globals__.keys()):
        yield name
        yield from _parts(function.__globals__[name], seen)


def _class_parts(kind: type, seen: Seen) -> Iterator[str]:
    yield kind.__qualname__
    if _is_importable(kind):
        yield kind.__module__
        return
    yield from _parts(kind.__bases__, seen)
    own = {name: value for name, value in vars(kind).items() if name not in SKIPPED}
    yield from _parts(own, seen)


def _names(code: CodeType) -> set[str]:
    """Every global that a function may use, also in functions inside it."""
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return set(code.co_names).union(*map(_names, inner))


def _is_importable(value: FunctionType | type) -> bool:
    """Whether another process can import it by its name."""
    module = sys.modules.get(value.__module__)
    if module is None or value.__module__ in MAIN:
        return False
    return getattr(module, value.__qualname__, None) is value


def not_an_engine(engine: object) -> BadOption:
    """The error about an object that is not an engine."""
    what = engine.__name__ if isinstance(engine, type) else repr(engine)
    return BadOption(
        f"{printable(what)} is no engine; expected a name such as 'mcts playouts=1000', "
        "a class made from arena.Engine, or an object of one"
    )
