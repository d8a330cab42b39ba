"""The techniques of the search by name. An experiment can switch off each of them alone (ablation, [WB-Advanced] §8).

The search is composed of tables: generators, steps of sampling, operators of mutation, kinds of targets. Each row names
its technique, and is left out if that technique is switched off. For a technique that is not a row, the code that
builds the search asks `Settings.uses`. No code asks during the search.

A new technique needs a row here, a row in the table that it belongs to, and a row in docs/experiments.md.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final, TypeAlias

TechniqueName: TypeAlias = str
"""The name in files of experiments, such as `smart-start`."""

TECHNIQUES: Final[Mapping[TechniqueName, str]] = MappingProxyType(
    {
        "input-to-state": "Hints of the agent become edits ([WB-JS] §3.5). Off: mutation alone; no hints are "
        "collected.",
        "taint-on-sampling": "Hints of test cases that were just sampled count too (TAOS, [WB-Advanced] §8.2). Off: of "
        "changed ones only.",
        "formats": "Hints that a text was parsed or checked specialise it ([WB-Advanced] §4.3). Off: these are "
        "dropped.",
        "key-lookups": "`A[B]` has a distance to existing keys, and these are values ([WB-JS] §3.6). Off: the outcome "
        "alone counts.",
        "method-replacements": "Outcomes of known functions have distances and hints ([WB-JS] §3.5, [WB-Advanced] "
        "§4.1). Off: the outcome alone counts.",
        "queries": "Commands to a database have distances, and hints that bring rows and inputs ([WB-Advanced] §6). "
        "Off: the outcome alone counts.",
        "resets": "Databases are reset between the test cases of the search. Off: at starts of the SUT, and after the "
        "search.",
        "branch-distance": "h of an uncovered target tells how close it was ([WB-JS] §3.3). Off: only whether it was "
        "reached.",
        "limits": "Limits that the document declares of answers are targets, with a distance. Off: a fault that breaks "
        "one is met by chance.",
        "constants": "Strings and numbers of the SUT's code are tried as inputs. Off: never.",
        "dictionary": "Texts by which an edit has covered something are tried as other inputs, too. Off: never.",
        "edit-queue": "Edits of a test case that improved are tried at once. Off: when its target is sampled.",
        "acceleration": "A change of a number that helped is repeated twice as far [Korel]. Off: random steps.",
        "inputs-in-turn": "Optional parameters of operations with many that no success has sent are tried alone. Off: "
        "by chance.",
        "neighbours": "A test case that covers something new is tried without each optional input. Off: never.",
        "used-resources": "Operations that have succeeded are tried again after a call that removes or changes a "
        "resource they use. Off: by chance.",
        "successes": "Operations that have not succeeded yet get new test cases with a probability of their own. Off: "
        "all operations alike.",
        "getting-in": "Users sign up and log in by calls, and later calls carry the credentials that answers "
        "give. Off: operations that ask for a user refuse calls, unless users are given.",
        "similar-operations": "Inputs that have opened an operation are tried on operations with inputs of the same "
        "name. Off: by chance.",
        "undeclared-inputs": "Inputs that the program reads though no document names them are tried, and sampled while "
        "they pay ([WB-Advanced] §5). Off: never.",
        "conflicts": "Writes that a database has accepted are tried with rows by which it refuses them. Off: never.",
        "mocks": "Requests of the program to other services get planned answers ([Mocks] §4.4). Off: each is answered "
        "404.",
        "answer-members": "Members that the program reads of an answer are added to it ([Mocks] §4.5). Off: answers "
        "are changed by comparisons and mutation alone.",
        "injections": "Inputs that stand in commands of a database are tried with what is syntax there. Off: never.",
        "host-probes": "Inputs that stand in requests to services, or are called like addresses, are tried with hosts "
        "that occurs nowhere else. Off: never.",
        "solver": "Test cases that come closest to outcomes that nothing reaches are traced, and a constraint solver "
        "computes inputs for these outcomes ([Concolic]). Off: never.",
        "feedback-sampling": "Feedback-directed sampling: the target that improved quickest is next ([MIO] §3.3). Off: "
        "all in turn.",
        "operator-selection": "Adaptive operator selection [AOS]. Off: generators take turns, whatever their success.",
        "focused-phase": "The search narrows as the budget is used up [MIO]. Off: it goes on as it starts.",
        "hypermutation": "Many genes change at once early in the search ([WB-JS] §4.2). Off: one gene per mutation.",
        "impact-weights": "Genes that have moved a target's distance are mutated more often. Off: all alike.",
        "structure-mutation": "Calls are added, removed, swapped. Off: mutation changes values only.",
        "correlated-mutation": "Numbers of one call are also moved together (correlated mutation). Off: each "
        "by itself.",
        "validators": "Schemas that validation libraries apply to input shape the inputs of new calls. Off: what their "
        "errors say alone does.",
        "violations": "Some samples break the API description. Off: only in limits, by one.",
        "smart-start": "The search begins with each operation alone, then behind its creators. Off: with samples.",
        "templates": "Sequences of calls are sampled by what operations do to resources. Off: random sequences.",
        "references": "Inputs are bound to values of earlier answers of the test case. Off: values of their own.",
        "same-names": "Inputs of one name that names a resource send the same value within a test case. Off: values of "
        "their own.",
        "value-pool": "Values seen in answers, and paths that worked, become inputs of later test cases. Off: never.",
        "refusals": "Values that the texts of refusals ask for become inputs. Off: never.",
        "speaking-names": "Free texts called email, date or country have such values in some new calls. Off: by "
        "chance.",
        "passed-results": "What a function of a library has returned is passed to another one. Off: by chance.",
        "shared-words": "Arguments of a call of a library get words of each other. Off: by chance.",
        "mixed-texts": "Texts in calls of a library get pieces of each other, and of the program's own texts. Off: by "
        "chance.",
        "response-shapes": "Black-box: each shape of an answer is a target. Off: statuses and faults alone are.",
        "schema-parts": "Black-box: declared parts of requests and answers are targets. Off: they are not.",
        "races": "After the search, calls that change something are sent two at once. Off: never.",
        "isolation": "Sleeps of the SUT are skipped, schedules held, randomness seeded (docs/reference/isolation.md). "
        "Off: the SUT runs as it would alone.",
    }
)
"""Name -> what the technique does, and what the search does without it."""

WHITE_BOX_ONLY: Final = frozenset({"successes", "operator-selection", "undeclared-inputs"})
"""In a black-box run, nearly all targets are plateaus, and their rarity guides the search; nothing shows which inputs
the program reads."""
BLACK_BOX_ONLY: Final = frozenset({"response-shapes", "schema-parts"})
"""With an agent, lines and branches give more detailed information of the same kind."""


def switched_off(names: Iterable[TechniqueName]) -> frozenset[TechniqueName]:
    """Returns the names as a set for `Settings.switched_off`. Raises KeyError with the first unknown name."""
    names = tuple(names)
    for name in names:
        if name not in TECHNIQUES:
            raise KeyError(name)
    return frozenset(names)
