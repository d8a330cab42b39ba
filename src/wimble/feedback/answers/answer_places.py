"""Finds where in the answers of services a member belongs that the program reads and no answer has yet.

The agent names the place if it has seen the answer's text being parsed (`place_at`). Otherwise the name in the program
tells it: `charge.outcome.type` is looked for in each object of each answer, as `type`, `outcome.type` and so on.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from wimble.feedback.answers.form_paths import path_in_body, with_root
from wimble.feedback.input_to_state.json_paths import value_at, with_value_at
from wimble.feedback.input_to_state.origin import Place
from wimble.feedback.input_to_state.transforms.codings import iter_documents, parsed_json
from wimble.genes import ArrayGene, Gene, ObjectGene, OptionalGene, TupleGene
from wimble.model.setup import value_of
from wimble.model.setup_kinds.answer import BODY, Answer, gene_of, opened
from wimble.model.setup_kinds.body_forms import XML_TEXT
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.types import ABSENT, Absent, Json

CALLED_COST: Final = 2
"""Cost for an object whose own name is that of what the member is read from."""
ELSEWHERE_COST: Final = 4
MAX_DEPTH: Final = 3
"""Maximum number of last parts of a name that are nested."""
MAX_OBJECTS: Final = 6
"""Objects of one answer in which a member is tried."""
MAX_PLACES: Final = 10
MAX_TEXT: Final = 2_000
"""Characters of a text in which a document is looked for."""
_CAPITAL: Final = re.compile(r"(?<=[a-z0-9])[A-Z]")
_OBJECT_IN_TEXT: Final = re.compile(r"\{\s*[\"}]|eyJ|eyA|e30")
"""How objects begin, also in base64."""


def object_paths(body: Json | Absent) -> Iterator[tuple[str, ...]]:
    """Yields the paths of the objects in a document, outer ones first; of a list, its first element.

    A path leads on into a text that holds a document itself, such as a token.
    """
    return (path for path, _ in _objects(body))


def with_underscores(name: str) -> str:
    """Returns `error_code` for `errorCode`, and `IsOpen` for itself: many client libraries give members of an answer
    names with capitals in the place of underscores.
    """
    return name if name[:1].isupper() else _CAPITAL.sub(lambda found: "_" + found[0].lower(), name)


def text_paths(body: Json | Absent, text: str) -> Iterator[tuple[str, ...]]:
    """Yields the paths at which a document has that text, at most MAX_PLACES of them."""
    waiting: deque[tuple[tuple[str, ...], Json | Absent]] = deque([((), body)])
    n_found = 0
    while waiting and n_found < MAX_PLACES:
        path, value = waiting.popleft()
        if value == text:
            n_found += 1
            yield path
        elif isinstance(value, dict):
            waiting.extend(((*path, key), member) for key, member in value.items())
        elif isinstance(value, list):
            waiting.extend(((*path, str(index)), member) for index, member in enumerate(value))


def places_in_answers(name: str, value: Json, test_case: TestCase) -> list[tuple[int, Place]]:
    """Returns where a member of that name can be added to the answers of a test case, with costs."""
    found: list[tuple[int, Place]] = []
    parts = name.split(".")
    for number, action in test_case.setup_of(Answer):
        if action.outcome != "answer" or not action.is_json_input(BODY):
            continue
        for cost, path in _paths(parts, value_of(test_case, action.genes[BODY])):
            if action.form == "xml" and len(path) == 1:
                continue  # another root
            place = place_at(test_case, number, path, value)
            if place is not None:
                found.append((cost, place))
    return sorted(found, key=lambda one: one[0])[:MAX_PLACES]


def place_at(test_case: TestCase, number: int, path: tuple[str, ...], value: Json | Absent) -> Place | None:
    """Returns the edit that gives an answer's body the value at a path; None if the body cannot have it.

    number: index of the answer among the setup actions. Missing members on the path are added. Elements of a list
    before the one that is asked for are made like it.
    """
    answer = test_case.setup[number]
    body = answer.genes[BODY]
    if isinstance(answer, Answer) and answer.form != "json":
        translated = path_in_body(answer.form, path, body.phenotype())
        if translated is None:
            return None
        path = translated
        if answer.form == "xml":
            body = _with_root(body, path)
    encoded = _encoded(body.phenotype(), path, value)
    if encoded is not None:
        path, value = encoded
    else:
        body = _with_objects(body, path, is_xml=isinstance(answer, Answer) and answer.form == "xml")
    new = with_value_at(_without_gaps(body, path), path, value)
    return None if new is None else (GeneAddress(setup_index(number), BODY), opened(new))


def _with_objects(body: Gene, path: tuple[str, ...], *, is_xml: bool) -> Gene:
    """Returns the body with objects in the place of texts and lists of which a member is to be added.

    What is called like several things may be a list, or a table with a name for each of them: `rates[currency]`.
    """
    for at in range(1, len(path)):
        held = value_at(body.phenotype(), path[:at])
        if (isinstance(held, str) or (isinstance(held, list) and not is_xml)) and not path[at].isdigit():
            body = opened(with_value_at(body, path[:at], {XML_TEXT: held} if is_xml else {}) or body)
    return body


def _with_root(body: Gene, path: tuple[str, ...]) -> Gene:
    held = body.phenotype()
    rooted = with_root(path, held)
    return body if rooted is held or rooted is ABSENT else OptionalGene(gene_of(rooted), True)


def with_part(test_case: TestCase, number: int, path: tuple[str, ...], gene: Gene) -> TestCase | None:
    """Returns the test case with a gene as the part at a path of an answer's body; None if there is no such part.

    A text on the path that holds a document itself gets the gene's value.
    """
    address = GeneAddress(setup_index(number), BODY)
    body = test_case.setup[number].genes[BODY]
    if not path:
        return test_case.with_gene(address, OptionalGene(gene, True))
    encoded = _encoded(body.phenotype(), path, gene.phenotype(), is_whole=True)
    if encoded is not None:
        place = place_at(test_case, number, *encoded)
        return None if place is None else test_case.with_gene(*place)
    place = place_at(test_case, number, path, gene.phenotype())
    return None if place is None else test_case.with_gene(address, _with_gene_at(place[1], path, gene) or place[1])


def _with_gene_at(held: Gene, path: tuple[str, ...], gene: Gene) -> Gene | None:
    """Returns `held` with another gene at the end of a path that exists; None if a gene on the path has no members."""
    if not path:
        return gene
    children = held.children()
    if isinstance(held, ObjectGene):
        names = [name for name, _ in held.fields]
        index = names.index(path[0]) if path[0] in names else None
    elif isinstance(held, (ArrayGene, TupleGene)):
        index = int(path[0]) if path[0].isdigit() and int(path[0]) < len(children) else None
    else:
        below = _with_gene_at(children[0], path, gene) if len(children) == 1 else None
        return None if below is None else held.with_child(0, below)
    below = None if index is None else _with_gene_at(children[index], path[1:], gene)
    return None if below is None or index is None else held.with_child(index, below)


def _encoded(
    body: Json | Absent, path: tuple[str, ...], value: Json | Absent, *, is_whole: bool = False
) -> tuple[tuple[str, ...], Json] | None:
    """Returns path and new value of a text on the path that holds a document itself; None if there is none.

    Such a text is JSON, or JSON in base64. is_whole: whether the value may be the document of the text at the path's
    end.
    """
    for at in range(1, len(path) + is_whole):
        text = value_at(body, path[:at])
        if not isinstance(text, str):
            continue
        held = _document_in(text)
        return None if held is None else (path[:at], held[1](_written(held[0], path[at:], value)))
    return None


def _document_in(text: str) -> tuple[Json, Callable[[Json], str]] | None:
    """Returns the document that a text holds, and how the text is written with another one; None if it holds none."""
    plain = parsed_json(text)
    if isinstance(plain, (dict, list)):
        return plain, json.dumps
    documents = list(islice(iter_documents(text), 2))
    if not documents:
        return None
    # Of a JSON Web Token, the claims: the second of its three parts.
    return documents[-1 if text.count(".") == 2 else 0]


def _written(document: Json, path: tuple[str, ...], value: Json | Absent) -> Json:
    if not path:
        return document if value is ABSENT else value
    path, value = _encoded(document, path, value) or (path, value)
    new = with_value_at(gene_of(document), path, value)
    return document if new is None else new.phenotype()


def _without_gaps(body: Gene, path: tuple[str, ...]) -> Gene:
    """Returns the body with each list on the path made long enough: `with_value_at` extends a list by one element."""
    for at, name in enumerate(path):
        held = value_at(body.phenotype(), path[:at])
        if name.isdigit() and isinstance(held, list) and held:
            for index in range(len(held), int(name)):
                body = with_value_at(body, (*path[:at], str(index)), held[-1]) or body
        elif name.isdigit() and held is ABSENT and int(name) > 0:
            body = with_value_at(body, path[:at], [{} for _ in range(int(name))]) or body
    return body


def _paths(parts: list[str], body: Json | Absent) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Yields the paths at which a member of that name can stand, with costs."""
    for held_at, held in _objects(body):
        own = held_at[-1] if held_at and not held_at[-1].isdigit() else held_at[-2] if len(held_at) > 1 else ""
        for depth in range(1, min(len(parts), MAX_DEPTH) + 1):
            if value_at(held, tuple(parts[-depth:])) is not ABSENT:
                continue
            parent = parts[-depth - 1] if len(parts) > depth else ""
            is_called = bool(own) and _singular(parent) == _singular(own)
            cost = CALLED_COST if is_called else ELSEWHERE_COST + depth - 1
            yield cost, (*held_at, *parts[-depth:])
            if (lowered := with_underscores(parts[-1])) != parts[-1] and depth == 1:
                yield cost + 1, (*held_at, lowered)


def _objects(body: Json | Absent) -> Iterator[tuple[tuple[str, ...], dict[str, Json]]]:
    """Yields the objects in a document with their paths, outer ones first; of a list, its first element."""
    waiting: deque[tuple[tuple[str, ...], Json]] = deque([((), {} if body is ABSENT or body is None else body)])
    n_objects = 0
    while waiting and n_objects < MAX_OBJECTS:
        path, value = waiting.popleft()
        if isinstance(value, dict):
            n_objects += 1
            yield path, value
            waiting.extend(((*path, key), member) for key, member in value.items())
        elif isinstance(value, list) and value:
            waiting.append(((*path, "0"), value[0]))
        elif isinstance(value, str) and path and _OBJECT_IN_TEXT.search(value, 0, MAX_TEXT):
            held = _document_in(value)
            waiting.extend([(path, held[0])] if held is not None and isinstance(held[0], (dict, list)) else ())


def _singular(name: str) -> str:
    """Returns a normalised name: the same for `orderItems` and `order_item`."""
    return name.lower().replace("_", "").replace("-", "").removesuffix("s")
