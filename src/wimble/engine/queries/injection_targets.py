"""Injection targets: inputs that stand in a command, each with the probes for its position.

A target is an operation, the place of the program that sent the command, the input, and its position in the command. It
is proposed for the first evaluations that show it, and costs nothing where no input stands in a command: a text that
was seen several times is not searched again, and parameters leave the text as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from wimble.databases.injections.probes import PARAMETER
from wimble.databases.languages import language_of
from wimble.databases.mongo.filter_conditions import keys_of
from wimble.feedback.input_to_state.input_sites import Site, iter_sites
from wimble.genes import AnyGene, EnumGene
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.hints import InjectionHint
from wimble.model.observation import call_resolver
from wimble.model.operands import is_number, to_text
from wimble.types import OperationId

MAX_TRIES: Final = 2
"""Evaluations for which one target is proposed: the command may not be sent again with the inputs of the first. Inputs
among the parameters are proposed once, since few of them are injections.
"""
MAX_TARGETS: Final = 40
"""Number of targets of one operation."""
MAX_SEEN: Final = 5
"""Number of calls of an operation in which one text is searched for inputs."""
MAX_TEXTS: Final = 2000
"""Number of different texts of one operation that are searched for inputs. Then all its targets are known."""


class InjectionTargets:
    """Proposes injection targets, a few times each."""

    def __init__(self) -> None:
        self._seen: dict[OperationId, Counter[int]] = {}
        """Hashes of the texts of each operation, with the number of calls that sent them."""
        self._tries: Counter[tuple[str, ...]] = Counter()
        self._n_targets: Counter[OperationId] = Counter()

    def hints(self, evaluation: Evaluation) -> Iterator[InjectionHint]:
        """Yields a hint for each target that is to be tried with the inputs of the evaluation."""
        sites: dict[int, list[Site]] = {}
        for command in evaluation.interactions_of(DatabaseCommand):
            if command.dialect is None or command.call >= len(evaluation.test_case.calls):
                continue
            if self._is_new(evaluation, command):
                own = sites.get(command.call)
                if own is None:
                    own = sites[command.call] = sites_of_call(evaluation, command.call)
                for site in own:
                    yield from self._of_site(evaluation, command, site)

    def _is_new(self, evaluation: Evaluation, command: DatabaseCommand) -> bool:
        seen = self._seen.setdefault(evaluation.test_case.calls[command.call].operation.id, Counter())
        # Commands of documents differ in the fields that they name.
        text = hash((command.text, *keys_of(command.params)))
        if text not in seen and len(seen) >= MAX_TEXTS:
            return False
        seen[text] += 1
        return seen[text] <= MAX_SEEN

    def _of_site(self, evaluation: Evaluation, command: DatabaseCommand, site: Site) -> Iterator[InjectionHint]:
        assert command.dialect is not None
        operation = evaluation.test_case.calls[command.call].operation
        given = operation.inputs[site.address.input]
        # The type of a variable of GraphQL refuses objects before the program runs, unless it takes any value.
        is_typed = bool(given.varying_member) and not isinstance(site.gene, AnyGene)
        can_be_object = given.encoding != "text" and not site.inner and not is_typed
        for position in language_of(command.dialect).positions(command, to_text(site.value)):
            path = ".".join(str(step) for step in (*site.address.path, *site.inner))
            key = (operation.id, command.place, given.name, path, position.name)
            if not self._is_due(operation.id, key, 1 if position.name == PARAMETER else MAX_TRIES):
                continue
            templates = tuple(one for one in position.templates if isinstance(one, str) or can_be_object)
            if templates:
                yield InjectionHint(
                    key=key, call=command.call, address=site.address, inner=site.inner, templates=templates
                )

    def _is_due(self, operation: OperationId, key: tuple[str, ...], max_tries: int) -> bool:
        if key not in self._tries:
            if self._n_targets[operation] >= MAX_TARGETS:
                return False
            self._n_targets[operation] += 1
        self._tries[key] += 1
        return self._tries[key] <= max_tries


def sites_of_call(evaluation: Evaluation, call: int) -> list[Site]:
    """Returns the inputs of a call that have a value which may stand in a command."""
    sites = iter_sites(evaluation.test_case, call, call_resolver(evaluation.observations))
    return [site for site in sites if _has_value(site) and (site.is_free() or isinstance(site.gene, EnumGene))]


def _has_value(site: Site) -> bool:
    value = site.value
    return bool(value) if isinstance(value, str) else is_number(value)
