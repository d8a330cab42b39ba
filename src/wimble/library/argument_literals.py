"""Values and calls of libraries as JavaScript."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec

from wimble.library.function_binding import FunctionBinding, is_setter
from wimble.library.invocation import Invocation
from wimble.library.made_objects import MADE, METHOD, NEW, VALUE, is_made, is_used, iter_calls, path_of
from wimble.types import Json

_NAME: Final = re.compile(r"^[A-Za-z_$][\w$]*$")
LONG: Final = 120
_REPEATED: Final = re.compile(r"(.{1,4}?)\1{29,}", re.DOTALL)
DEFAULT: Final = "default"
"""The name under which an ES module exports what programs import without braces."""
FUNCTION_TEXTS: Final = {
    "identity": "(value) => value",
    "nothing": "() => {}",
    "yes": "() => true",
    "no": "() => false",
    "text": "(value) => String(value)",
    "zero": "() => 0",
    "object": "() => ({})",
    "pair": "(first, second) => [first, second]",
    "compare": "(first, second) => (first < second ? -1 : Number(first > second))",
    "callback": "(...values) => values.pop()(null, values[0])",
    "failure": "(...values) => values.pop()(new Error('failed'))",
    "promise": "async (value) => value",
    "throws": "() => { throw new Error('failed'); }",
    "class": "class {}",
}
"""The functions that calls pass, as the host makes them (agents/node/src/library/call-values.cjs)."""


def literal(value: Json, made: MadeTexts | None = None) -> str:
    """Returns an expression for a value of a call. made: writes the objects that the library makes."""
    made = made or MadeTexts(str)
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, list):
        return "[" + ", ".join(literal(item, made) for item in value) + "]"
    if not isinstance(value, dict):
        return json.dumps(value)
    if len(value) == 1:
        key, held = next(iter(value.items()))
        special = _special(key, held)
        if special is not None:
            return special
        if is_made(value):
            return made.new(held)
        if is_used(value):
            return made.used(*held)
    return _object(value, made)


class MadeTexts:
    """Writes the objects that the library makes for one call, and the statements with the calls on them."""

    def __init__(
        self, name_of: Callable[[str], str], taken: Iterable[str] = (), *, are_in_statements: bool = False
    ) -> None:
        """name_of: writes the name of what makes an object. taken: names that no variable of a statement may have.
        are_in_statements: whether each object has one, so that they are made in the order in which they stand."""
        self._name_of = name_of
        self._taken = {*_NAMES_IN_TESTS, *taken}
        self._are_in_statements = are_in_statements
        self.statements: list[str] = []

    def new(self, held: list[Json]) -> str:
        """Returns the expression that makes an object, or the name of an exported one, or of the variable that holds
        it."""
        if held[0].startswith(VALUE):
            return self._name_of(held[0])
        if held[0].startswith(METHOD) and len(held) > 1:
            owner = literal(held[1], self)
            text = owner + _link(held[0].removeprefix(METHOD), _arguments(held[2:], self))
        else:
            text = f"{self._name_of(held[0])}({_arguments(held[1:], self)})"
        if not self._are_in_statements:
            return text
        name = self._variable(held[0])
        self.statements.append(f"const {name} = {text}")
        return name

    def used(self, made: Json, calls: list[list[Json]]) -> str:
        """Returns the name of an object, which statements make and use."""
        name = literal(made, self)
        if not _NAME.match(name):
            text, name = name, self._variable(made[MADE][0] if isinstance(made, dict) else "")
            self.statements.append(f"const {name} = {text}")
        for method, *values in calls:
            self.statements.append(name + _link(method, _arguments(values, self)))
        return name

    def _variable(self, maker: str) -> str:
        last = maker.rpartition(".")[2].removeprefix(NEW)
        stem = last[:1].lower() + last[1:] if maker.startswith(NEW) and _NAME.match(last) else "argument"
        stem = stem if stem not in _RESERVED else "argument"
        names = (f"{stem}{number or ''}" for number in (0, *range(2, 999)))
        name = next(one for one in names if one not in self._taken)
        self._taken.add(name)
        return name


_NAMES_IN_TESTS: Final = frozenset(
    ("assert", "error", "expect", "isPolluted", "listed", "object", "plain", "result", "test", "thrown", "background")
)


def _object(members: dict[str, Json], made: MadeTexts) -> str:
    if not members:
        return "{}"
    return "{ " + ", ".join(f"{key_literal(key)}: {literal(member, made)}" for key, member in members.items()) + " }"


def _special(key: str, held: Json) -> str | None:
    write = _SPECIAL.get(key)
    return None if write is None else write(held)


def key_literal(key: str) -> str:
    """Returns a key as in an object literal. `__proto__` has to be computed to become a member."""
    if key == "__proto__":
        return "['__proto__']"
    return key if _NAME.match(key) else _quoted(key)


def text_literal(text: str) -> str:
    """Returns a text between quotes, in ASCII; a long repetition in it as what is repeated."""
    repeated = _REPEATED.search(text) if len(text) > LONG else None
    if repeated is not None:
        piece = repeated[1]
        parts = [f"{_quoted(piece)}.repeat({len(repeated[0]) // len(piece)})"]
        if repeated.start():
            parts.insert(0, _quoted(text[: repeated.start()]))
        if repeated.end() < len(text):
            parts.append(_quoted(text[repeated.end() :]))
        return " + ".join(parts)
    return _quoted(text)


def _quoted(text: str) -> str:
    """Returns a text between single quotes, or between double quotes if it has single ones only."""
    quoted = json.dumps(text)
    if "'" in text and '"' not in text:
        return quoted
    return "'" + quoted[1:-1].replace('\\"', '"').replace("'", "\\'") + "'"


def _date(held: Json) -> str:
    return "new Date(NaN)" if held is None else f"new Date({json.dumps(held)})"


_SPECIAL: Final[dict[str, Callable[[Json], str]]] = {
    "$undefined": lambda _: "undefined",
    "$number": str,
    "$bigint": lambda held: f"{held}n",
    "$date": _date,
    "$regexp": lambda held: f"new RegExp({text_literal(held[0])}, {text_literal(held[1])})",
    "$bytes": lambda held: f"Buffer.from({text_literal(held)}, 'base64')",
    "$set": lambda held: f"new Set({literal(held)})",
    "$map": lambda held: f"new Map({literal(held)})",
    "$function": lambda held: FUNCTION_TEXTS.get(held, FUNCTION_TEXTS["nothing"]),
    "$bare": lambda held: f"Object.assign(Object.create(null), {literal(held)})",
}


def call_text(binding: FunctionBinding, invocation: Invocation, root: str | None = None) -> str:
    """Returns the call in a line. root: the name of what the package exports; None for the package's name."""
    setup, call = call_parts(binding, invocation, root)
    return "; ".join([*setup, call])


def call_parts(
    binding: FunctionBinding, invocation: Invocation, root: str | None = None
) -> tuple[tuple[str, ...], str]:
    """Returns the call as an expression, after the statements that it needs before it, which have no semicolons."""
    target = _target(binding, root)
    made = MadeTexts(
        lambda maker: _maker_text(maker, binding, root),
        [_path_text((), binding, root)],
        are_in_statements=any(True for _ in iter_calls(invocation.values())),
    )
    if binding.kind != "method":
        call = f"{'new ' if binding.kind == 'constructor' else ''}{target}({_arguments(invocation.arguments, made)})"
        return tuple(made.statements), call
    receiver = _arguments(invocation.receiver or (), made)
    maker = receiver if binding.is_made else f"{'' if binding.is_of_result else 'new '}{target}({receiver})"
    links = [_link(one.method, _arguments(one.arguments, made)) for one in invocation.made(binding.method)]
    if binding.access != "call" and links and not invocation.has_ended_in_step():
        links[-1] = _member(binding.method) if binding.access == "read" else ""
    setup, call = _chain(maker, links, invocation)
    return (*made.statements, *setup), call


def _chain(maker: str, links: Sequence[str], invocation: Invocation) -> tuple[tuple[str, ...], str]:
    """Returns calls on an object, each on what the one before has returned, or else on the same object."""
    setup: list[str] = []
    owner, last = maker, ""
    chained = invocation.chained or ()
    for index, link in enumerate(links):
        waited = "await " if invocation.has_awaited(index) else ""
        if index > 0 and (index >= len(chained) or not chained[index]):
            owner = _named(owner, setup)
            call = owner + last
            setup.append(waited + (_STARTED.format(call) if invocation.has_left(index) else call))
        elif waited and index == 0:
            owner = _named(waited + owner, setup)
        else:
            is_one = not (waited or _ASSIGNMENT.match(last))
            owner = owner + last if is_one else f"({waited}{owner}{last})"
        last = link
    return tuple(setup), owner + last


_ASSIGNMENT: Final = re.compile(r"(?:\.[\w$]+|\[(?:'[^']*'|\"[^\"]*\")\]) = ")
_STARTED: Final = "Promise.race([{}, new Promise((resolve) => setTimeout(resolve, 20))])"
"""Waits for a promise that may need the next call to be settled, as long as the host does (call-chain.cjs)."""


def _named(owner: str, setup: list[str]) -> str:
    """Returns the name of a value, to which a new statement of `setup` gives it if it has none."""
    if _NAME.match(owner):
        return owner
    name = f"object{len(setup) + 1}" if setup else "object"
    setup.append(f"const {name} = {owner}")
    return name


def _member(name: str) -> str:
    """Returns the access to a member; nothing for the object itself, which is called."""
    return "" if not name else f".{name}" if _NAME.match(name) else f"[{text_literal(name)}]"


def _link(method: str, arguments: str) -> str:
    """Returns the call of a method on what stands before it, or the assignment that calls a setter."""
    if is_setter(method):
        return f"{_member(method[:-1])} = {arguments or 'undefined'}"
    return f"{_member(method)}({arguments})"


def _arguments(values: Sequence[Json], made: MadeTexts) -> str:
    return ", ".join(literal(value, made) for value in values)


def _target(binding: FunctionBinding, root: str | None) -> str:
    return _path_text(binding.path, binding, root)


def _maker_text(name: str, binding: FunctionBinding, root: str | None) -> str:
    """Returns the name of what makes an argument as the call of `binding` writes it."""
    path = path_of(name, binding.package) or ()
    path = path[binding.is_default_import and path[:1] == (DEFAULT,) :]
    return (NEW if name.startswith(NEW) else "") + _path_text(path, binding, root)


def _path_text(names: Sequence[str], binding: FunctionBinding, root: str | None) -> str:
    path = list(names)
    if root is None and (not path or path[0] == DEFAULT):
        root = (binding.default_name if path else binding.whole_name) or variable_name(binding.package)
        path = path[1:]
    elif root is None:
        root = binding.whole_name or path.pop(0)
    return root + "".join(_member(part) for part in path)


def written_name(name: str, binding: FunctionBinding) -> str:
    """Returns the name of an operation as users write it.

    They call a class by its own name, whatever the package is called, and they give what an ES module exports as its
    default a name of their own. name: as the host says.
    """
    new = NEW if name.startswith(NEW) else ""
    plain = name.removeprefix(new)
    if binding.path[:1] == (DEFAULT,):
        root = binding.default_name or (variable_name(binding.package) if binding.is_module else DEFAULT)
        return new + root + plain.removeprefix(DEFAULT)
    if not binding.whole_name:
        return name
    return new + binding.whole_name + (f".{plain}" if binding.path else plain.removeprefix(binding.package))


def variable_name(package: str) -> str:
    """Returns a name for what a package exports: `isGlob` for is-glob."""
    words = [word for word in re.split(r"[^A-Za-z0-9]+", package.rpartition("/")[2]) if word]
    name = words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:]) if words else "library"
    return name if _NAME.match(name) and name not in _RESERVED else f"{name}Library" if _NAME.match(name) else "library"


_RESERVED: Final = frozenset(
    ("default", "new", "class", "function", "delete", "void", "in", "package", "test", "expect", "assert", "it")
)


def required_as(binding: FunctionBinding) -> str:
    """Returns a name for what `require` gets of the package: `Decimal`, if that is a class, or `isGlob` for is-glob."""
    return binding.whole_name or variable_name(binding.package)


def import_of(
    bindings: Sequence[FunctionBinding], specifier: str, makers: Iterable[str] = ()
) -> tuple[str, str, tuple[FunctionBinding, ...]]:
    """Returns the statement by which a program imports a library to call these functions, which may be ES modules, the
    name that it has then (the root of calls), and the functions as they are called then.

    makers: names of what makes their arguments.
    """
    first, name = bindings[0], text_literal(specifier)
    if not first.is_module:
        return f"import {required_as(first)} from {name};", required_as(first), tuple(bindings)
    paths = [*(one.path for one in bindings), *(path_of(one, bindings[0].package) or () for one in makers)]
    if all(path[:1] == (DEFAULT,) for path in paths):
        imported = (msgspec.structs.replace(one, path=one.path[1:], is_default_import=True) for one in bindings)
        root = first.default_name or variable_name(first.package)
        return f"import {root} from {name};", root, tuple(imported)
    root = variable_name(first.package)
    return f"import * as {root} from {name};", root, tuple(bindings)
