"""A YAML file as data, with the line and column of everything in it.

Read as YAML 1.2: `no`, `on` and `1:30` are text, `0o17` is 15, `1e3` is 1000.0, dates are text.
What YAML allows and people do not mean is refused: keys that stand twice, tags, tabs, and files
that unfold to more than anybody would write.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from arena.tournament.bundled import find_file, nearest_name
from arena.tournament.mistakes import (
    MAX_MISTAKES,
    Mark,
    Mistake,
    Trail,
    described,
    excerpt,
    in_order,
    refusal,
)

MAX_BYTES = 256 * 1024
MAX_LEVELS = 40
MAX_VALUES = 50_000

YAML = "tag:yaml.org,2002:"
MERGE = YAML + "merge"
DIGITS = r"[-+]?[0-9]+"
SCALARS = {  # the core schema of YAML 1.2, section 10.3.2
    YAML + "null": re.compile(r"(?:null|Null|NULL|~|)\Z"),
    YAML + "bool": re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"),
    YAML + "int": re.compile(rf"(?:{DIGITS}|0o[0-7]+|0x[0-9a-fA-F]+)\Z"),
    YAML + "float": re.compile(
        r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"
        r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z"
    ),
    MERGE: re.compile(r"<<\Z"),
}

PROBLEMS = {  # what PyYAML says where the problem is, and what to say instead
    r"character '\\t'": "a tab cannot stand here; indent and separate with spaces",
    r"character '[@`]'": "a text that begins with @ or ` needs quotes around it",
    r"character '%'": "a text that begins with % needs quotes around it",
    r"mapping values": "a ':' is not expected here; indent like the line before, or put the text "
    "in quotes",
    r"block end>, but found '<block": "this line is not indented like those it belongs to",
    r"expected <block end>": "the value ends before this; put the whole value in quotes",
    r"expected the node": "expected a value here",
    r"sequence entries": "a '- ' is not expected here; begin a new line with it",
    r"alphabetic or numeric": "a text that begins with * or & needs quotes around it",
    r"another document|<document start>": "a second document begins here; expected one",
}
BEGINNINGS = {  # the same of problems whose beginning is the place
    r"could not find expected ':'": "expected a ':' after this key",
    r"end of stream": "a quote is opened here and never closed",
    r"expected ',' or '\]'": "a '[' is opened here and not closed with ']'",
    r"expected ',' or '\}'": "a '{' is opened here and not closed with '}'",
}


@dataclass
class Document:
    """A file that was read: its text, its data, and where each key and value stands."""

    path: Path
    text: str
    data: dict[str | int, Any] = field(default_factory=dict)
    values: dict[Trail, Mark] = field(default_factory=dict)
    keys: dict[Trail, Mark] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)
    unread: set[Trail] = field(default_factory=set)  # values that could not be read
    students: frozenset[int] = frozenset()  # places under `engines` that hold a student's file

    def place(self, trail: Trail, key: bool = False) -> Mark:
        """Where a value stands, or its key; for what is not written, what is around it."""
        if key and trail in self.keys:
            return self.keys[trail]
        while trail not in self.values:
            trail = trail[:-1]
        return self.values[trail]

    def mistake(self, trail: Trail, sentence: str, key: bool = False) -> Mistake:
        """A mistake at a value, or at its key."""
        return self.mistake_at(self.place(trail, key), trail, sentence)

    def mistake_at(self, place: Mark, trail: Trail, sentence: str) -> Mistake:
        """A mistake in the words of a user: `engines[1].options.depth`; numbers may be keys too."""
        where = ""
        for size, step in enumerate(trail, start=1):
            if isinstance(step, int) and trail[:size] not in self.keys:
                where += f"[{step}]"
            else:
                where += f".{excerpt(step)}" if where else excerpt(step)
        return Mistake(self.path, place, where, sentence)


def read(path: Path) -> Document:
    """Read a file, or the bundled one of this name; `BadSpec` says why it is no YAML mapping."""
    path = find_file(path)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise refusal(path, _unreadable(path, error)) from None
    if len(content) > MAX_BYTES:
        raise refusal(path, f"is larger than {MAX_BYTES // 1024} kB; expected a file in YAML")
    if b"\0" in content:
        raise refusal(path, "is not a text file; expected YAML")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        raise refusal(path, "is not UTF-8 text from here on", Mark(line, column)) from None
    return read_text(text, path)


def read_text(text: str, path: Path) -> Document:
    """Read a text as if it stood in a file."""
    try:
        root = yaml.compose(text, Loader=_CoreLoader)
    except yaml.reader.ReaderError as error:
        before = text[: error.position]
        place = Mark(before.count("\n") + 1, error.position - before.rfind("\n"))
        sentence = f"the character {text[error.position]!r} cannot stand in YAML"
        raise refusal(path, sentence, place) from None
    except yaml.MarkedYAMLError as error:
        mark, sentence = error.problem_mark, str(error.problem)
        if not isinstance(error, _Refused):
            both = PROBLEMS | BEGINNINGS
            pattern = next((each for each in both if re.search(each, sentence)), "")
            sentence = both.get(pattern, f"not YAML: {excerpt(sentence)}")
            mark = error.context_mark or mark if pattern in BEGINNINGS else mark
        raise refusal(path, sentence, _place(mark) if mark else None) from None
    if root is None:
        raise refusal(path, "is empty; `arena init` writes a file to start from")
    if not isinstance(root, yaml.MappingNode):
        what = "a list" if isinstance(root, yaml.SequenceNode) else described(root.value)
        sentence = f"found {what}; expected keys and values, as in `name: my tournament`"
        raise refusal(path, sentence, _place(root.start_mark))
    document = Document(path, text)
    _Unfolding(document).fill(root)
    return document


class _Refused(yaml.MarkedYAMLError):
    """A problem that YAML allows and nobody means, in a sentence of ours."""


class _CoreLoader(yaml.SafeLoader):
    """The parser of PyYAML with the words of YAML 1.2, without tags, for a depth people write."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 (PyYAML's own declaration)
    levels = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        event = self.peek_event()  # type: ignore[no-untyped-call]
        if tag := getattr(event, "tag", None):
            sentence = f"the tag {excerpt(tag.replace(YAML, '!!'))} has no meaning here"
            raise _Refused(problem=sentence, problem_mark=event.start_mark)
        if self.levels == MAX_LEVELS:
            sentence = f"nested deeper than {MAX_LEVELS} levels"
            raise _Refused(problem=sentence, problem_mark=event.start_mark)
        self.levels += 1
        node = super().compose_node(parent, index)
        self.levels -= 1
        return node


for _tag, _form in SCALARS.items():
    _CoreLoader.add_implicit_resolver(_tag, _form, None)


class _Unfolding:
    """Turns the nodes of a file into the data of a document and notes the place of each."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.count = 0

    def fill(self, root: yaml.MappingNode) -> None:
        """Read the whole document."""
        self._weigh(root, 0)
        self.document.values[()] = _place(root.start_mark)
        self.document.data = self._mapping(root, ())

    def _value(self, node: yaml.Node, trail: Trail) -> Any:
        self._weigh(node, len(trail))
        self.document.values[trail] = _place(node.start_mark)
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, trail)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(child, (*trail, n)) for n, child in enumerate(node.value)]
        before = len(self.document.mistakes)
        value = self._scalar(node, trail)
        if len(self.document.mistakes) > before:
            self.document.unread.add(trail)
        return value

    def _mapping(self, node: yaml.MappingNode, trail: Trail) -> dict[str | int, Any]:
        data: dict[str | int, Any] = {}
        for key_node, value_node, own in self._pairs(node, len(trail)):
            key = self._key(key_node, trail)
            if key is None or (key in data and not own):  # what is merged gives way
                continue
            under = (*trail, key)
            if key in data:
                first = self.document.keys[under].line
                self._complain(key_node, under, f"stands twice; the first is in line {first}")
                continue
            self.document.keys[under] = _place(key_node.start_mark)
            data[key] = self._value(value_node, under)
        return data

    def _pairs(
        self, node: yaml.MappingNode, levels: int
    ) -> Iterator[tuple[yaml.Node, yaml.Node, bool]]:
        """The keys and values of a mapping, its own first, then those that `<<` merges."""
        merged: list[yaml.Node] = []
        for key, value in node.value:
            if key.tag == MERGE:
                many = isinstance(value, yaml.SequenceNode)
                merged.extend(value.value if many else [value])
            else:
                yield key, value, True
        for other in merged:
            self._weigh(other, levels + 1)
            if not isinstance(other, yaml.MappingNode):
                self._complain(other, (), "<< merges mappings; found something else")
                continue
            for key, value, _ in self._pairs(other, levels + 1):
                self._weigh(key, levels)
                yield key, value, False

    def _key(self, node: yaml.Node, trail: Trail) -> str | int | None:
        key = self._scalar(node, trail) if isinstance(node, yaml.ScalarNode) else None
        if isinstance(key, str | int) and not isinstance(key, bool):
            return key
        what = described(key) if isinstance(node, yaml.ScalarNode) else "a list or mapping"
        self._complain(node, trail, f"found {what} as a key; expected a word")
        return None

    def _scalar(self, node: yaml.Node, trail: Trail) -> Any:
        """A word or number."""
        text = str(node.value)
        match node.tag.removeprefix(YAML):
            case "null":
                return None
            case "bool":
                return text.lower() == "true"
            case "float":
                return float(re.sub(r"\.(inf|nan)\Z", r"\1", text.lower()))
            case "int" if len(text) > 100:
                return self._complain(node, trail, f"a number of {len(text)} digits is too long")
            case "int":
                return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        return text

    def _weigh(self, node: yaml.Node, levels: int) -> None:
        """Refuse a file whose aliases unfold without end or nearly so."""
        self.count += 1
        if levels > MAX_LEVELS:
            sentence = f"nested deeper than {MAX_LEVELS} levels, or an alias inside itself"
        elif self.count > MAX_VALUES:
            sentence = f"unfolds to more than {MAX_VALUES} values; use fewer aliases"
        else:
            return
        raise refusal(self.document.path, sentence, _place(node.start_mark))

    def _complain(self, node: yaml.Node, trail: Trail, sentence: str) -> None:
        mistake = self.document.mistake_at(_place(node.start_mark), trail, sentence)
        self.document.mistakes.append(mistake)
        if len(self.document.mistakes) >= MAX_MISTAKES:
            raise in_order(self.document.mistakes, self.document.path)


class _CoreDumper(yaml.SafeDumper):
    """The writer of PyYAML with the words of YAML 1.2: what it writes is read as it was."""

    yaml_implicit_resolvers = _CoreLoader.yaml_implicit_resolvers

    def ignore_aliases(self, data: Any) -> bool:
        """What stands twice is written twice."""
        return True


def write(data: Mapping[str, Any]) -> str:
    """Data as the text of a file, in its order."""
    text: str = yaml.dump(dict(data), Dumper=_CoreDumper, sort_keys=False, allow_unicode=True)
    return text


def _place(mark: yaml.Mark) -> Mark:
    return Mark(mark.line + 1, mark.column + 1)


def _unreadable(path: Path, error: OSError) -> str:
    if path.is_dir():
        return "is a directory; expected a file in YAML"
    if isinstance(error, FileNotFoundError):
        beside = {other.stem: other.name for other in path.parent.glob("*.y*ml")}
        close = get_close_matches(path.stem, beside, n=1)
        meant = beside[close[0]] if close else nearest_name(path)
        missing = "no such file" if path.suffix else "no such file or bundled tournament"
        return f"{missing}; did you mean {meant!r}?" if meant else missing
    return f"cannot be read: {error.strerror or error}"
