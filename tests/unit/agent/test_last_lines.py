"""What a program printed last tells why it has ended, also if the stack is long."""

from wimble.agent.processes.last_lines import LEFT_OUT, last_with_error

FRAMES = [f"    at Module._load (node:internal/modules/cjs/loader:{line}:27)" for line in range(10)]
MISSING = ["  throw err;", "  ^", "Error: Cannot find module 'koa'", "Require stack:", "- /p/server.js", *FRAMES]


def test_the_error_comes_before_the_end_of_its_stack():
    assert last_with_error(MISSING, 4) == ("Error: Cannot find module 'koa'", LEFT_OUT, *FRAMES[-2:])


def test_the_last_of_several_errors_is_the_one():
    shown = last_with_error(["TypeError [ERR_X]: first", *MISSING], 5)
    assert shown[0] == "Error: Cannot find module 'koa'"


def test_lines_that_say_it_themselves_stay_as_they_are():
    assert last_with_error([*FRAMES, "Uncaught RangeError: too long", "bye"], 3)[1:] == (
        "Uncaught RangeError: too long",
        "bye",
    )
    assert last_with_error(["listening", *FRAMES], 3) == tuple(FRAMES[-3:])
    assert last_with_error(MISSING, 1) == (FRAMES[-1],)
