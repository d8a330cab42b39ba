"""Installs the library that the user named, and describes what it exports as operations."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from wimble.agent.processes.launch import cache_dir
from wimble.agent.processes.own_network import own_network
from wimble.agent.protocol.library_messages import FunctionMessage, LibraryMessage
from wimble.engine.boot.declared_classes import DeclaredClasses
from wimble.engine.boot.library_operations import Results, operations_of
from wimble.engine.boot.library_parameters import Signatures
from wimble.errors import TargetError
from wimble.execute.sut.library_sut import LibrarySut
from wimble.library.argument_shape import Overload, Shape
from wimble.model.operation import Specification
from wimble.runtimes.runtime import HostedLibrary, LibraryRequest, Runtime
from wimble.settings import Settings
from wimble.types import Json

OF_APIS = frozenset(
    (
        "getting-in", "undeclared-inputs", "limits", "injections", "conflicts", "validators", "refusals", "same-names",
        "value-pool", "references", "templates", "violations", "races", "successes", "response-shapes", "schema-parts",
        "host-probes",
    )
)  # fmt: skip
"""Techniques that need answers, users, documents, databases or services of an API."""


def hosted(settings: Settings, output_dir: Path, runtime: Runtime) -> HostedLibrary:
    """Returns the library, installed. Raises: UsageError."""
    assert runtime.host_library is not None
    return runtime.host_library(
        LibraryRequest(
            target=settings.library,
            output_dir=output_dir,
            cache_dir=cache_dir(),
            may_write=settings.may_write,
            prefix=own_network()[0],
        )
    )


def settings_for(settings: Settings, library: HostedLibrary) -> Settings:
    """Returns the settings of a run on the library: its command and its folder, without techniques for APIs."""
    return replace(
        settings,
        command=library.command,
        working_dir=library.source,
        switched_off=settings.switched_off | OF_APIS,
        max_test_calls=1,
    )


def described_library(sut: LibrarySut) -> Specification:
    """Returns the operations of a started library. Raises: TargetError, if it exports no function."""
    library = sut.library
    operations = operations_of(
        sut.exported,
        library.name,
        _signatures(library.declared.shapes),
        _signatures(library.observed),
        library.documentation,
        results=_results(library.results),
        only_methods=library.only_methods,
        changing=library.changing,
        later=library.later,
        classes=DeclaredClasses(
            overloads=_overloads(library.declared.overloads),
            makers=library.declared.makers,
            hidden=frozenset(library.declared.hidden),
            data=frozenset(library.declared.data),
            names=frozenset(library.declared.names),
        ),
    )
    if not operations:
        raise TargetError(
            "library-without-functions",
            f"{library.name} exports no function, class or method",
            hint=f"What it exports: {library.example.replace(' -e ', ' -p ')}",
        )
    return Specification(
        title=library.name,
        operations=operations,
        source=f"{library.name}@{library.version}" if library.version else library.name,
        kind="library",
        warnings=(*library.notes, *_left_out(sut.exported, len(operations))),
    )


def _left_out(exported: LibraryMessage, n_taken: int) -> Iterator[str]:
    if exported.n_left_out:
        yield (
            f"the library exports {n_taken + exported.n_left_out:,} functions and methods, of which {n_taken:,} are "
            "called: load one of its parts (`wimble library PACKAGE/PART`) for the others"
        )


def _results(found: Mapping[str, Json]) -> Results:
    """Returns the methods that are well-formed, as `_signatures`."""
    results = {}
    for name, methods in found.items():
        with contextlib.suppress(msgspec.ValidationError):
            results[name] = msgspec.convert(methods, list[FunctionMessage])
    return results


def _overloads(found: Mapping[str, Json]) -> dict[str, list[Overload]]:
    """Returns the signatures that are well-formed, as `_signatures`."""
    overloads = {}
    for name, signatures in found.items():
        with contextlib.suppress(msgspec.ValidationError):
            overloads[name] = msgspec.convert(signatures, list[Overload])
    return overloads


def _signatures(found: Mapping[str, Json]) -> Signatures:
    """Returns the shapes that are well-formed: a library may have confused the program that found them."""
    signatures = {}
    for name, shapes in found.items():
        with contextlib.suppress(msgspec.ValidationError):
            signatures[name] = msgspec.convert(shapes, list[Shape])
    return signatures
