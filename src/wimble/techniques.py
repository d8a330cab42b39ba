"""The techniques of the search by name, so that an experiment can switch each off alone (ablation, seed 001 §8).

One table that is handed down with the settings: what a technique does when it is off is decided where it is used, by its field here.
A new technique is one more field, and one more row in docs/experiments.md.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Techniques(msgspec.Struct, frozen=True, kw_only=True):
    """All are on, unless an experiment says otherwise. In files their names are written with `-`: `smart-start`."""

    input_to_state: bool = True
    """Hints of the agent become edits (seed 000 §3.5). Off: mutation alone; no hints are collected."""
    taint_on_sampling: bool = True
    """Hints are taken from test cases that were just sampled too (TAOS, seed 001 §8.2). Off: from changed ones only."""
    formats: bool = True
    """Hints that a text was parsed or checked specialise it (seed 001 §4.3). Off: such hints are dropped."""
    key_lookups: bool = True
    """`A[B]`: distance to existing keys, and these as values (seed 000 §3.6). Off: the outcome alone counts."""
    method_replacements: bool = True
    """Outcomes of known functions have distances and hints (seed 000 §3.5, 001 §4.1). Off: the outcome alone counts."""
    queries: bool = True
    """Commands to the database have distances, and hints that bring rows and inputs (seed 001 §6). Off: the outcome alone counts."""
    resets: bool = True
    """Databases are put back between the test cases of the search. Off: at starts of the SUT, and when the search is over."""
    branch_distance: bool = True
    """h of an uncovered target tells how close it was (seed 000 §3.3). Off: reached or not is all that counts."""
    limits: bool = True
    """Limits that the document declares of answers are targets, with a distance. Off: a fault that breaks one is met by chance."""
    constants: bool = True
    """Strings and numbers of the SUT's code are tried as inputs. Off: never."""
    proven_texts: bool = True
    """Texts by which an edit has covered something are tried as other inputs, too. Off: never."""
    edit_queue: bool = True
    """Edits of a test case that improved are tried at once. Off: when its target is sampled."""
    acceleration: bool = True
    """A change of a number that helped is repeated twice as far (Korel 1990). Off: blind steps."""
    neighbours: bool = True
    """What covers something new is tried again without each optional input. Off: never."""
    successes: bool = True
    """Operations that have not succeeded yet have a share of new test cases to themselves (search/successes.py). Off: all in turn."""
    conflicts: bool = True
    """Writes that a database has taken are tried again with rows by which it refuses them (search/conflicts.py). Off: that is met by chance."""
    feedback_sampling: bool = True
    """Feedback-directed sampling: the target that improved quickest is next (MIO, IST 2018 §3.3). Off: all in turn."""
    payoffs: bool = True
    """Where no target promises anything, what has paid lately gets the turn (search/payoffs.py). Off: the target, all the same."""
    focused_phase: bool = True
    """The search narrows as the budget is used up (MIO). Off: it goes on as it starts."""
    hypermutation: bool = True
    """Many genes change at once early in the search (seed 000 §4.2). Off: one gene per mutation."""
    impact_weights: bool = True
    """Genes that have moved a target's distance change rather than others (search/impact.py). Off: all of a call alike."""
    structure_mutation: bool = True
    """Calls are added, removed, swapped. Off: mutation changes values only."""
    ridges: bool = True
    """Numbers of one call are also moved together (search/ridges.py). Off: each by itself."""
    violations: bool = True
    """A known share of samples breaks the API description (search/violations.py). Off: only limits, by one."""
    smart_start: bool = True
    """The search begins with each operation alone, then behind its creators. Off: with samples."""
    templates: bool = True
    """Sequences of calls are sampled by what operations do to resources. Off: random sequences."""
    references: bool = True
    """Inputs are bound to values out of earlier answers of the test case. Off: values of their own."""
    same_names: bool = True
    """Inputs of one name that names a resource send the same value within a test case. Off: values of their own."""
    value_pool: bool = True
    """Values seen in answers become inputs of later test cases. Off: never."""
    refusals: bool = True
    """Black-box: values that the words of refusals ask for become inputs (search/refused.py). Off: never."""
    response_shapes: bool = True
    """Black-box: each shape of an answer is a target (oracles/answer_shapes.py). Off: statuses and faults alone are."""
    schema_parts: bool = True
    """Black-box: declared parts of requests and answers are targets (oracles/answer_parts.py, search/request_parts.py). Off: they are not."""
    isolation: bool = True
    """Sleeps of the SUT are skipped, schedules held, randomness seeded (docs/reference/isolation.md). Off: the SUT runs as it would."""

    @classmethod
    def without(cls, names: Iterable[str]) -> Techniques:
        """All but those. Raises: KeyError, with the name that no technique has."""
        switched_off = {}
        for name in names:
            if name not in TECHNIQUES:
                raise KeyError(name)
            switched_off[name.replace("-", "_")] = False
        return cls(**switched_off)


TECHNIQUES: tuple[str, ...] = tuple(name.replace("_", "-") for name in Techniques.__struct_fields__)
"""All names, as they are written in files."""
