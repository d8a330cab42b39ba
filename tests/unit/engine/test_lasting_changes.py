"""Calls of a library after which others return something else are followed by a fresh start."""

from __future__ import annotations

from wimble.engine.stability.lasting_changes import LEAST_PERIOD, LastingChanges
from wimble.genes import AnyGene
from wimble.library.argument_shape import ANYTHING
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Thrown, function_observation, invocation_of
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase

TEXT = (Parameter(name="text", template=AnyGene("1"), shape=ANYTHING),)


def _operation(name: str, *examples: str):
    binding = FunctionBinding(
        index=0,
        package="sums",
        kind="function",
        path=(name,),
        parameters=TEXT,
        examples=tuple((one,) for one in examples),
    )
    return function_operation(binding, name)


PARSE, CLEAR, COUNT = _operation("parse", "1+1"), _operation("clear"), _operation("count")


class Library:
    """`clear` removes all operators that `parse` knows, and `count` counts."""

    def __init__(self, *, clears: bool = True) -> None:
        self._clears = clears
        self.n_starts = -1
        self.start()

    def start(self) -> None:
        self.n_starts += 1
        self.is_cleared = False
        self._count = 0

    def run(self, test_case: TestCase) -> Evaluation:
        (call,) = test_case.calls
        self._count += 1
        returned = {"parse": len(str(call.genes[0].phenotype())), "clear": {"$undefined": True}, "count": self._count}
        self.is_cleared |= self._clears and call.operation.id == "clear"
        is_refused = call.operation.id == "parse" and self.is_cleared
        exchange = FunctionExchange(
            invocation=invocation_of(call),
            **(
                {"thrown": Thrown(name="Error", is_on_purpose=True)}
                if is_refused
                else {"returned": returned[call.operation.id]}
            ),
        )
        return Evaluation(test_case=test_case, observations=(function_observation(0, exchange),), reached={})


def _searched(library: Library, changes: LastingChanges, count: int, *operations) -> None:
    for number in range(count):
        test_case = TestCase((Call(operations[number % len(operations)], (AnyGene(str(number)),)),))
        changes.note(library.run(test_case))


def test_a_function_after_which_others_return_something_else_is_followed_by_a_fresh_start():
    library = Library()
    changes = LastingChanges([PARSE, CLEAR, COUNT], library.run, library.start)
    _searched(library, changes, LEAST_PERIOD, CLEAR, PARSE, COUNT)
    assert changes.changing == {"clear"}
    assert changes.has_changed(TestCase((Call(CLEAR, (AnyGene(""),)),)))
    assert not library.is_cleared
    n_starts = library.n_starts
    _searched(library, changes, 1, CLEAR)
    assert not library.is_cleared
    assert library.n_starts == n_starts + 1
    assert changes.n_starts == library.n_starts


def test_where_nothing_changes_there_are_no_more_starts():
    library = Library(clears=False)
    changes = LastingChanges([PARSE, CLEAR, COUNT], library.run, library.start)
    _searched(library, changes, LEAST_PERIOD, CLEAR, PARSE, COUNT)
    n_starts = library.n_starts
    _searched(library, changes, 20 * LEAST_PERIOD, CLEAR, PARSE, COUNT)
    assert not changes.changing
    assert library.n_starts == n_starts


def test_a_change_that_comes_later_is_found_as_well():
    library = Library()
    changes = LastingChanges([PARSE, CLEAR, COUNT], library.run, library.start)
    _searched(library, changes, 3 * LEAST_PERIOD, PARSE, COUNT)
    assert not changes.changing
    _searched(library, changes, 1, CLEAR)
    _searched(library, changes, 8 * LEAST_PERIOD, PARSE, COUNT)
    assert changes.changing == {"clear"}
    assert not library.is_cleared
