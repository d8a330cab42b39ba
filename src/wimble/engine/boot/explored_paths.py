"""Finds the paths of a SUT that has no router, by requests and by what the agent observes of them.

It sends requests for unknown paths, reads from the hints which paths, methods and prefixes the program compares, and
tries those, until nothing new is found. If no comparison was seen, texts in the program that look like paths are tried.
"""

from __future__ import annotations

import re
import time
from collections import deque
from collections.abc import Iterable, Iterator
from random import Random
from typing import Final, Protocol

from wimble.execute.sut.served_api import ServedApi
from wimble.http.exchange import request_of, response_of
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.routes import PathPart, Route
from wimble.model.targets import CODE_KINDS, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.spec.openapi.openapi_operations import load_openapi
from wimble.spec.routes.path_hints import MARKER, Probe, deeper, probes_from, start_probe
from wimble.spec.routes.path_templates import templates_of
from wimble.spec.routes.route_operations import route_document, routed_operations
from wimble.types import TargetId

MAX_PROBES: Final = 1500
"""Maximum number of requests: a program of a hundred paths needs several hundred."""
LONGEST_SEARCH_S: Final = 60.0
"""Bound for programs that answer slowly; others have sent all requests long before."""
MAX_CONSTANTS: Final = 200
MAX_WITH_ALL_METHODS: Final = 100
"""Number of paths up to which each is tried with all methods; of more, with two."""
FRAMEWORK: Final = "http"
OTHER_METHODS: Final = ("POST", "PUT", "PATCH", "DELETE")
WITH_BODY: Final = frozenset(["POST", "PUT", "PATCH"])
EMPTY_OBJECT: Final = {
    "required": True,
    "content": {"application/json": {"schema": {"type": "object", "maxProperties": 0, "additionalProperties": False}}},
}
"""The body of probes: programs that read it before they look at the rest of the path refuse what is no JSON."""
LEAST_DEPTH: Final = 2
"""Least place of a segment for which any other one is tried: those of the first place are compared with no path."""
FIRST_ERROR: Final = 400
REFUSED: Final = frozenset([401, 403, 407])
NO_SUCH_ROUTE: Final = frozenset([404, 405, 501])
WRONG_METHOD: Final = frozenset([405, 501])
MARKER_AT_END: Final = re.compile(rf"/{MARKER}\d+$")
_PATH_CONSTANT: Final = re.compile(r"/[\w\-./:{}*]*")

_Answer = tuple[int, str]


class Explored(Protocol):
    """The part of a SUT that is explored."""

    def evaluate(self, test_case: TestCase) -> Evaluation: ...
    def restart(self) -> None: ...
    @property
    def api(self) -> ServedApi: ...


class _Tried:
    """The result of a probe."""

    __slots__ = ("answer", "covered", "path", "probe", "target")

    def __init__(
        self, probe: Probe, target: TargetId | None, path: str, answer: _Answer, covered: frozenset[TargetId]
    ) -> None:
        self.probe = probe
        self.target = target
        self.path = path
        self.answer = answer
        self.covered = covered


class PathExplorer:
    """The exploration of one SUT."""

    def __init__(self, sut: Explored, table: TargetTable, rng: Random) -> None:
        self._sut = sut
        self._table = table
        self._rng = rng
        self._tried: dict[tuple[str, str, str], _Tried] = {}
        self._absent: dict[str, _Answer] = {}
        """By method: the answer to a path that does not exist."""
        self._known: set[TargetId] = set()
        """Targets that some probe has covered."""
        self.followed: set[tuple[str, int]] = set()
        """Lines of the outcomes that hints have named (file, line): what leads to them was tried."""
        self._wide: list[Probe] = []
        """Probes whose last segment stands for several."""
        self._has_changed = False
        self._ends_s = time.monotonic() + LONGEST_SEARCH_S

    def routes(self) -> list[Route]:
        """Returns the routes that were found. The SUT is started afresh if a request may have changed its state.

        Procedures of tRPC may be known only from the first request that reaches their adapter: they replace what was
        found below its path.
        """
        found = self._followed(deque((start_probe(n_segments=n), None) for n in (1, 2, 3)))
        if not found:
            found = self._followed(deque((probe, None) for probe in self._from_constants()), is_guess=True)
        if not found and 0 < self._absent["GET"][0] < FIRST_ERROR:
            found = self._any_path()
        found += self._other_methods(found)
        found = self._without_refuted(found)
        self._sut.api.update_routes()
        procedures = [route for route in self._sut.api.routes if route.procedure is not None]
        if self._has_changed:
            self._sut.restart()
        adapters = dict.fromkeys("".join(part.text for part in route.path[:-1]) for route in procedures)
        return [*procedures, *(self._route(tried) for tried in found if not _is_below(tried.probe, adapters))]

    @property
    def _is_over(self) -> bool:
        return len(self._tried) >= MAX_PROBES or time.monotonic() >= self._ends_s

    def _any_path(self) -> list[_Tried]:
        """Returns the root of a program that answers any path alike."""
        root = Probe("GET", "/")
        self._try(root, None)
        return [self._tried[_key(root)]]

    def _followed(self, queue: deque[tuple[Probe, TargetId | None]], *, is_guess: bool = False) -> list[_Tried]:
        """Tries the probes and all that follow from them, and returns those that are served."""
        found: list[_Tried] = []
        while queue and not self._is_over:
            probe, target = queue.popleft()
            evaluation = None if self._is_below_wide(probe) else self._try(probe, target)
            if evaluation is None:
                continue
            tried = self._tried[_key(probe)]
            new = tried.covered - self._known
            is_new = bool(new)
            has_new_code = self._is_code(new)
            self._known |= tried.covered
            is_absent = tried.answer == self._absent[probe.method]
            is_followed = is_new or is_absent or bool(probe.regex)
            next_probes = self._next_probes(evaluation, tried) if is_followed else []
            queue.extend(next_probes)
            if is_new and _may_go_on(probe):
                queue.append((deeper(probe), target))
            is_leaf = has_new_code and all(one.method != probe.method for one, _ in next_probes)
            is_leaf = is_leaf or self._has_look_up(new)
            is_served = self._is_served(tried, is_leaf=is_leaf, is_guess=is_guess) and not self._is_tail(tried)
            if is_served and not (is_guess and self._is_like_any(tried)):
                self._accept(tried, found, is_new=is_new)
        return found

    def _is_like_any(self, tried: _Tried) -> bool:
        """Whether the program treats the path as it does any other one in its place: what is above serves them all."""
        parts = tried.probe.path.split("/")
        last = max((at for at, part in enumerate(parts) if part and MARKER not in part), default=0)
        if last < LEAST_DEPTH:
            return False
        parts[last] = f"{MARKER}{len(parts)}"
        sibling = Probe(tried.probe.method, "/".join(parts))
        self._try(sibling, None)
        other = self._tried.get(_key(sibling))
        if other is None or other.answer[0] != tried.answer[0] or other.covered != tried.covered:
            return False
        return self._is_code(tried.covered) or other.answer == tried.answer

    def _is_tail(self, tried: _Tried) -> bool:
        """Whether the path is another one with an unknown segment at its end in which the program takes no interest.

        It may do so behind a guard, which has to let the request in first.
        """
        shorter = MARKER_AT_END.sub("", tried.probe.path)
        if tried.probe.regex or shorter in ("", tried.probe.path) or tried.answer[0] in REFUSED:
            return False
        other = self._tried.get(_key(Probe(tried.probe.method, shorter)))
        return other is not None and other.answer == tried.answer and other.covered == tried.covered

    def _is_below_wide(self, probe: Probe) -> bool:
        return any(wide.method == probe.method and _is_example(probe.path, wide, is_wide=True) for wide in self._wide)

    def _next_probes(self, evaluation: Evaluation, tried: _Tried) -> list[tuple[Probe, TargetId | None]]:
        return [
            (one, wanted)
            for one, wanted in probes_from(evaluation.hints, tried.probe, tried.path, self._is_look_up)
            if _key(one) not in self._tried
        ]

    def _is_look_up(self, target: TargetId) -> bool:
        """Whether an outcome is that of a method, such as `map.get(key)`."""
        return self._table[target].kind == "method"

    def _has_look_up(self, targets: frozenset[TargetId]) -> bool:
        """Whether something was looked up, as the thing that a path names is; what follows may depend on it."""
        return any(self._is_look_up(target) for target in targets)

    def _accept(self, tried: _Tried, found: list[_Tried], *, is_new: bool) -> None:
        """Adds a probe that is served, unless it only is an example of one that was found.

        Values that the program knows (`/books/1` beside `/books/{part}`) are no paths of their own.
        """
        probe = tried.probe
        for other in found:
            if _is_example(probe.path, other.probe, is_wide=not is_new):
                if probe.n_segments > other.probe.n_segments and probe.method == other.probe.method:
                    self._wide.append(other.probe)
                probe = Probe(probe.method, other.probe.path, other.probe.regex)
                break
        has_path = any((other.probe.path, other.probe.regex) == (probe.path, probe.regex) for other in found)
        is_told_apart = is_new or (probe.method == "POST" and not self._is_like_get(tried))
        if has_path and not is_told_apart and not self._asks_for_method(tried.probe):
            return
        if all(_route_key(other.probe) != _route_key(probe) for other in found):
            found.append(_Tried(probe, tried.target, tried.path, tried.answer, tried.covered))

    def _try(self, probe: Probe, target: TargetId | None) -> Evaluation | None:
        """Sends the request of a probe; None if it was sent before, or its path cannot be made."""
        if _key(probe) in self._tried:
            return None
        if probe.method not in self._absent:
            self._absent[probe.method] = (0, "")
            absent = self._sent(start_probe(probe.method), None)
            if absent is not None:
                self._absent[probe.method] = self._tried[_key(start_probe(probe.method))].answer
            if probe == start_probe(probe.method):
                return absent
        return self._sent(probe, target)

    def _sent(self, probe: Probe, target: TargetId | None) -> Evaluation | None:
        operation = _operation(probe)
        self._tried[_key(probe)] = _Tried(probe, target, probe.path, (0, ""), frozenset())
        if operation is None:
            return None
        self._has_changed = self._has_changed or not operation.is_safe
        genes = tuple(one.template.sampled(self._rng) for one in operation.inputs)
        evaluation = self._sut.evaluate(TestCase((Call(operation, genes),)))
        self.followed.update(
            (self._table[hint.target].file, self._table[hint.target].line) for hint in evaluation.hints
        )
        if evaluation.is_sut_lost:
            self._sut.restart()
        observation = evaluation.observations[0] if evaluation.observations else None
        response = response_of(observation) if observation is not None else None
        if observation is None or response is None:
            return evaluation
        path = request_of(observation).target.partition("?")[0]
        answer = (response.status, _without_path(response.body.decode("utf-8", "replace"), path))
        self._tried[_key(probe)] = _Tried(probe, target, path, answer, evaluation.covered())
        return evaluation

    def _is_served(self, tried: _Tried, *, is_leaf: bool, is_guess: bool) -> bool:
        """Whether the program serves a path: it answers differently, or its code for the path alone has run."""
        status = tried.answer[0]
        absent = self._absent[tried.probe.method]
        if status == 0 or tried.probe == start_probe(tried.probe.method) or tried.probe.is_unknown:
            return False
        if tried.answer != absent:
            return status not in WRONG_METHOD and (status != 404 or is_leaf or tried.answer[1] != absent[1])
        if is_guess:
            return False
        return is_leaf and (absent[0] in REFUSED or absent[0] in NO_SUCH_ROUTE or absent[0] < 300)

    def _other_methods(self, found: list[_Tried]) -> list[_Tried]:
        """Returns further methods of the paths that were found: those that run other code than `GET`.

        Paths that refuse `GET` by its method have others.
        """
        more: list[_Tried] = []
        served = {_route_key(tried.probe) for tried in found}
        refusing = [one for one in self._tried.values() if one.probe.method == "GET" and self._is_wrong_method(one)]
        for tried in [*(one for one in found if one.probe.method == "GET"), *refusing]:
            methods = [one for one in OTHER_METHODS if (one, _route_key(tried.probe)[1]) not in served]
            example = self._example_of(tried.probe)
            probes = [Probe(method, tried.probe.path, tried.probe.regex, example) for method in methods]
            for probe in probes:
                if not self._is_over:
                    self._try(probe, tried.target)
            is_by_method = self._compares_methods(tried.probe)
            for probe in probes:
                other = self._tried.get(_key(probe))
                if other is None or not self._is_served(other, is_leaf=False, is_guess=True):
                    continue
                is_told_apart = is_by_method or (probe.method == "POST" and not self._is_like_get(other))
                if other.covered - self._known or is_told_apart or tried in refusing:
                    self._known |= other.covered
                    more.append(_Tried(probe, tried.target, other.path, other.answer, other.covered))
        return more

    def _example_of(self, probe: Probe) -> str:
        """Returns a path of the route whose keys the program knows; empty if none was seen.

        It leads past the checks of keys, which refuse any other path alike whatever its method is.
        """
        known = [one for one in self._tried.values() if one.probe.example and one.probe.regex == probe.regex]
        known.sort(key=lambda one: one.answer[0] in NO_SUCH_ROUTE)
        return known[0].probe.example if known else ""

    def _is_like_get(self, tried: _Tried) -> bool:
        """Whether the program does what `GET` asks for, whatever the method is."""
        probe = tried.probe
        got = self._tried.get(_key(Probe("GET", probe.path, probe.regex, probe.example)))
        if got is None or not 0 < got.answer[0] < FIRST_ERROR or got.answer != tried.answer:
            return False
        return not self._is_code(got.covered ^ tried.covered)

    def _asks_for_method(self, probe: Probe) -> bool:
        """Whether the program does not serve the path with `GET`."""
        got = self._tried.get(_key(Probe("GET", probe.path, probe.regex, probe.example)))
        return got is not None and (got.answer[0] in WRONG_METHOD or got.answer == self._absent["GET"])

    def _compares_methods(self, probe: Probe) -> bool:
        """Whether the program serves the path of a probe, but not with each method.

        What it does for the path may begin alike with all that it serves: with a guard.
        """
        for method in OTHER_METHODS:
            other = self._tried.get(_key(Probe(method, probe.path, probe.regex, self._example_of(probe))))
            if other is not None and other.answer[0] in NO_SUCH_ROUTE and other.answer == self._absent[method]:
                return True
        return False

    def _is_wrong_method(self, tried: _Tried) -> bool:
        """Whether the program serves the path, but not with this method."""
        return tried.answer[0] in WRONG_METHOD and self._absent[tried.probe.method][0] not in WRONG_METHOD

    def _without_refuted(self, found: list[_Tried]) -> list[_Tried]:
        """Returns the routes without those that refuse their method for a path that leads past the other checks.

        An expression was matched, so the answer to any text differs from that to an unknown path; the answer to a key
        that the program knows shows whether it serves the path.
        """
        known = [tried for tried in self._tried.values() if tried.probe.example]
        refused = {_route_key(tried.probe) for tried in known if tried.answer[0] in WRONG_METHOD}
        served = {_route_key(tried.probe) for tried in known if tried.answer[0] not in WRONG_METHOD}
        return [tried for tried in found if _route_key(tried.probe) not in refused - served]

    def _from_constants(self) -> Iterator[Probe]:
        """Yields probes for texts of the program that look like paths, alone and below another one."""
        texts = [
            text
            for text in self._table.constants.all_texts
            if isinstance(text, str) and _PATH_CONSTANT.fullmatch(text) and len(text) > 1
        ][:MAX_CONSTANTS]
        plain = [text for text in texts if ":" not in text and "*" not in text and "{" not in text]
        joined = [prefix + text for prefix in plain[:12] for text in texts[:40] if text != prefix]
        for paths in (texts, joined):
            methods = ("GET", *OTHER_METHODS) if len(paths) <= MAX_WITH_ALL_METHODS else ("GET", "POST")
            for path in paths:
                yield from _probes_of_text(path, methods)

    def _is_code(self, targets: frozenset[TargetId]) -> bool:
        return any(self._table[target].kind in CODE_KINDS for target in targets)

    def _route(self, tried: _Tried) -> Route:
        target = self._table[tried.target] if tried.target is not None else None
        place = (target.file, target.line) if target is not None else ("", 0)
        return Route(FRAMEWORK, (tried.probe.method,), tried.probe.parts, *place)


def _without_path(text: str, path: str) -> str:
    """Returns an answer's text without the path that it repeats, by which answers to unknown paths differ.

    A program that is mounted below `/admin` repeats the rest of the path only, `/` for `/admin` itself.
    """
    segments = path.split("/")
    tails = ("/" + "/".join(segments[first:]) for first in range(1, len(segments)))
    repeated = next((tail for tail in tails if tail in text), "")
    return (text.replace(repeated, "") if repeated else text).replace("/", "")


def _key(probe: Probe) -> tuple[str, str, str]:
    return probe.method, probe.regex or probe.path, probe.example or ("regex" if probe.regex else "")


def _route_key(probe: Probe) -> tuple[str, str]:
    """Returns what probes of one route have in common."""
    return probe.method, probe.regex or probe.path


def _is_below(probe: Probe, paths: Iterable[str]) -> bool:
    return any(probe.path == path or probe.path.startswith(f"{path}/") for path in paths)


def _may_go_on(probe: Probe) -> bool:
    """Whether the path may be the start of a longer one."""
    return not probe.regex and not probe.is_unknown and MARKER_AT_END.search(probe.path) is None


def _probes_of_text(text: str, methods: Iterable[str]) -> Iterator[Probe]:
    for template in templates_of((PathPart(text),), "express")[:1]:
        pieces = re.split(r"\{[^{}]*\}", template.path)
        path = pieces[0] + "".join(f"{MARKER}{number}{piece}" for number, piece in enumerate(pieces[1:], 1))
        for method in methods:
            yield Probe(method, path)


def _operation(probe: Probe) -> Operation | None:
    """Returns the operation of a probe: markers stay as they are, a regular expression gets values that match."""
    is_pattern = probe.regex and not probe.example
    path = re.sub(r"([:*?(){}\\])", r"\\\1", probe.example or probe.path)
    parts = probe.parts if is_pattern else (PathPart(path),)
    routed = routed_operations([Route(FRAMEWORK, (probe.method,), parts)])
    if not routed.operations:
        return None
    document = route_document(routed.operations)
    if probe.method in WITH_BODY:
        for item in document["paths"].values():
            for described in item.values():
                described["requestBody"] = EMPTY_OBJECT
    return load_openapi(document, FRAMEWORK).operations[0]


def _is_example(path: str, probe: Probe, *, is_wide: bool) -> bool:
    """Whether a path has texts in places where the probe has markers.

    is_wide: whether a marker at its end may stand for several segments.
    """
    if probe.regex or MARKER not in probe.path or path == probe.path:
        return False
    pieces = re.split(rf"{MARKER}\d+", probe.path)
    last = ".+" if is_wide and pieces[-1] == "" else "[^/]+"
    pattern = "[^/]+".join(re.escape(piece) for piece in pieces[:-1]) + last + re.escape(pieces[-1])
    return re.fullmatch(pattern, path) is not None
