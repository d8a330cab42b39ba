"""The solver as a process: questions on its standard input, answers on its standard output, a line of JSON each.

Each question is solved in a context of Z3 of its own, so its answer does not depend on the questions before it, and
neither on which of several processes it was sent to.

Its argument is how nice the process is to others; without one, it is as they are.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from typing import Final

import msgspec
import z3

from wimble.solve.ladder import solved
from wimble.solve.questions import Answer, Question

MAX_MEMORY_MB: Final = 1_500
"""Z3 gives up a question that takes more."""


def answer_line(line: bytes) -> bytes:
    """Returns the line that answers a question."""
    begin_anew()
    try:
        answer = solved(msgspec.json.decode(line, type=Question))
    except (RecursionError, MemoryError, ArithmeticError, ValueError, z3.Z3Exception) as error:
        answer = Answer(reason=f"the solver failed: {type(error).__name__}")
    return msgspec.json.encode(answer) + b"\n"


def begin_anew() -> None:
    """Gives the next terms a context of Z3 of their own."""
    gc.collect()
    z3.z3._main_ctx = None  # the next term makes a new one


def main() -> None:
    """Answers until standard input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of the terminal; the core ends its solvers
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    z3.set_param("memory_max_size", MAX_MEMORY_MB)
    # The order of terms, and so how long Z3 takes, depends on when those are freed that nothing refers to any more.
    gc.disable()
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(answer_line(line))
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
