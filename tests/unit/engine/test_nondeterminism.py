from wimble.engine.stability.nondeterminism import Nondeterminism, nondeterminism_of
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import TestCase


def ran(*commands: DatabaseCommand) -> Evaluation:
    return Evaluation(test_case=TestCase(()), observations=(), reached={}, interactions=commands)


def failed(call: int, error: str) -> DatabaseCommand:
    return DatabaseCommand(database="d", call=call, site="", text="SELECT 1", error=error)


def test_what_several_commands_of_a_call_failed_with_is_in_doubt():
    nondeterminism = nondeterminism_of(3, [ran(failed(0, "x"), failed(1, "x"), failed(1, "y"), failed(3, "z"))] * 2, [])
    assert nondeterminism == (Nondeterminism(), Nondeterminism(errors=frozenset({"x", "y"})), Nondeterminism())


def test_so_is_what_one_command_failed_with_in_one_run_only():
    nondeterminism = nondeterminism_of(1, [ran(failed(0, "x")), ran(failed(0, "y"))], [])
    assert nondeterminism == (Nondeterminism(errors=frozenset({"x", "y"})),)


def test_order_is_told_beside():
    listing = DatabaseCommand(database="d", call=1, site="", text="SELECT a FROM t", returned=2)
    nondeterminism = nondeterminism_of(2, [ran(listing)], [Database(id="d", dialect="postgres")])
    assert [one.in_any_order for one in nondeterminism] == [False, True]
