"""The inputs of a call that may become syntax of a command: texts, and objects and arrays in place of scalars."""

from __future__ import annotations

from collections.abc import Iterator

from wimble.databases.injections.probes import has_mark, is_mark
from wimble.genes import AnyGene, Gene, ObjectGene, is_scalar, iter_genes, wrapped
from wimble.model.scalar_fields import scalars_in
from wimble.model.testcase import Call
from wimble.oracles.oracle import CallView
from wimble.types import ABSENT, Json


def unscalar_inputs(view: CallView) -> Iterator[tuple[str, Json]]:
    """Yields (name, value) of the inputs that are objects or arrays although the API declares a scalar.

    Inputs that no document declares have no type. Of these it yields the probes that are objects: they were put where a
    scalar had become a value of a command.
    """
    call = view.evaluation.test_case.calls[view.observation.call_index]
    replaced = [(name, value) for name, value in replaced_scalars(call) if isinstance(value, (dict, list))]
    yield from replaced
    known = {id(value) for _, value in replaced}
    for name, value in _objects_of_probes(call):
        if id(value) not in known:
            yield name, value


def _objects_of_probes(call: Call) -> Iterator[tuple[str, Json]]:
    for declared, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if isinstance(value, (dict, list)):
            yield from ((name, item) for name, item in _objects(value, declared.name) if _is_probe(item))


def _objects(value: Json, name: str) -> Iterator[tuple[str, dict[str, Json]]]:
    """Yields (name, object) of the objects within a value, named as `_texts` names texts."""
    if isinstance(value, dict):
        for key, item in value.items():
            if isinstance(item, dict):
                yield f"{name}.{key}" if name else key, item
            yield from _objects(item, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item, name)


def _is_probe(value: dict[str, Json]) -> bool:
    return bool(value) and all(is_mark(key) and isinstance(item, str) and has_mark(item) for key, item in value.items())


def replaced_scalars(call: Call) -> Iterator[tuple[str, Json]]:
    """Yields (name, value) of the inputs for which the API declares a scalar, and the call has a value of any type."""
    for declared, root in zip(call.operation.inputs, call.genes, strict=True):
        for path, gene in iter_genes(root):
            template = _at(declared.template, path) if isinstance(gene, AnyGene) else None
            if template is not None and is_scalar(template):
                yield ".".join([declared.name, *_member_names(root, path)]), gene.phenotype()


def _member_names(gene: Gene, path: tuple[int, ...]) -> Iterator[str]:
    """Yields the names of the members on the way to a gene."""
    for index in path:
        if isinstance(gene, ObjectGene):
            yield gene.fields[index][0]
        gene = gene.children()[index]


def _at(gene: Gene, path: tuple[int, ...]) -> Gene | None:
    """Returns the gene at a path, which may lead through optional genes; None if there is none."""
    for index in path:
        inner = wrapped(gene)
        children = gene.children() or (() if inner is None else (inner,))
        if index >= len(children):
            return None
        gene = children[index]
    return gene


def texts_of_inputs(view: CallView) -> Iterator[tuple[str, str]]:
    """Yields (name of the input, text) for each text of the call, at any depth."""
    yield from texts_of_call(view.evaluation.test_case.calls[view.observation.call_index])


def texts_of_call(call: Call) -> Iterator[tuple[str, str]]:
    """As `texts_of_inputs`, for a call of any place in the test case."""
    for declared, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if value is not ABSENT:
            yield from _texts(value, declared.name)


def scalars_of_call(call: Call) -> Iterator[Json]:
    """Yields the texts, numbers and booleans of a call's inputs."""
    for gene in call.genes:
        value = gene.phenotype()
        if value is not ABSENT:
            yield from scalars_in(value)


def _texts(value: Json, name: str) -> Iterator[tuple[str, str]]:
    """Yields (name, text) of the texts in a value. The name of a member follows that of its object: `body.name`.

    Query parameters that no document names are members of an object without a name.
    """
    if isinstance(value, str):
        yield name, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(item, f"{name}.{key}" if name else key)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, name)
