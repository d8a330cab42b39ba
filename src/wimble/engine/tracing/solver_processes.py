"""Processes that solve questions while the SUT runs, each started with its first question.

Questions on which much work is spent have processes of their own, so that no other one waits for them.

A crash of Z3 ends its process, and costs the question. Answers do not depend on the time that they take, except that a
process that has worked for MAX_WORK_S is ended, which the run reports.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import time
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from queue import PriorityQueue, SimpleQueue
from select import POLLHUP, POLLIN, poll
from threading import Lock
from typing import Final

import msgspec
import psutil

from wimble.agent.processes.usable_cores import usable_cores
from wimble.solve import questions
from wimble.solve.questions import MAX_THOROUGH, UNREAD, Answer, Question

MAX_PROCESSES: Final = 4
MAX_WORK_S: Final = 60.0
"""Time of a processor, of which other programs take nothing. Z3 stops at its limits of resources, which do not depend
on the machine, after some seconds. This is the last resort if it does not."""
MAX_WAIT_S: Final = 600.0
"""The same in time of the clock, for a process that does not work at all."""
LOOK_S: Final = 1.0
"""How often the time that a process has worked is looked at."""
MAX_ENDED: Final = 20
"""Processes that may end by themselves in one search; then there are no more."""
OUT_OF_TIME: Final = "out of time"
HAS_ENDED: Final = "the solver has ended"
NONSENSE: Final = "the solver answered nonsense"
NICENESS: Final = 10
"""The SUT and the search go first, unless the search waits for each answer: a budget in calls takes as long as they."""
COMMAND: Final = (sys.executable, "-m", f"{questions.__name__.rpartition('.')[0]}.solver_process")


def n_processes() -> int:
    """Returns the number of processes beside a SUT: one per processor, since the SUT does little meanwhile."""
    return min(MAX_PROCESSES, usable_cores())


class Solvers:
    """Solves questions; has to be closed."""

    def __init__(self, *, are_awaited: bool) -> None:
        """are_awaited: whether the search waits for the answers, however long they take."""
        n, command = n_processes(), (*COMMAND, str(0 if are_awaited else NICENESS))
        self._quick = SolverProcesses(n, command)
        self._thorough = SolverProcesses(max(1, n - 1), command)
        """They work while the search goes on, too, so they leave it a processor."""

    def ask(self, question: Question, rank: int) -> SolverTicket:
        """Begins to solve a question, before those of a higher rank."""
        return (self._thorough if question.is_thorough else self._quick).ask(question, rank)

    def close(self) -> None:
        """Ends the processes. Questions that were not answered yet get the answer that the solver has ended."""
        self._quick.close()
        self._thorough.close()


class SolverProcesses:
    """Solves questions, with so many at a time; has to be closed."""

    def __init__(self, n: int | None = None, command: tuple[str, ...] = COMMAND) -> None:
        n = n_processes() if n is None else n
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._processes = [_Process(command) for _ in range(n)]
        for process in self._processes:
            self._idle.put(process)
        self._waiting: PriorityQueue[tuple[int, int, Question, Future[Answer]]] = PriorityQueue()
        self._numbers = count()
        self._threads = ThreadPoolExecutor(n, thread_name_prefix="solver")

    def ask(self, question: Question, rank: int = 0) -> SolverTicket:
        """Begins to solve a question, before those of a higher rank that were not begun yet."""
        answer: Future[Answer] = Future()
        self._waiting.put((rank, next(self._numbers), question, answer))
        self._threads.submit(self._answer_one)
        return SolverTicket(answer)

    def _answer_one(self) -> None:
        _, _, question, answer = self._waiting.get()
        process = self._idle.get()
        try:
            answer.set_result(process.answer(question))
        except Exception as error:  # whoever reads the answer gets to know
            answer.set_exception(error)
        finally:
            self._idle.put(process)

    def close(self) -> None:
        """Ends the processes. Questions that were not answered yet get the answer that the solver has ended."""
        for process in self._processes:
            process.stop()
        self._threads.shutdown(wait=True)
        for process in self._processes:
            process.release()


class SolverTicket:
    """An answer that may not be there yet."""

    def __init__(self, future: Future[Answer]) -> None:
        self._future = future

    @property
    def is_done(self) -> bool:
        """Whether the answer is there."""
        return self._future.done()

    def answer(self, most_s: float | None = None) -> Answer:
        """Waits for the answer. most_s: for how long; None for no limit."""
        try:
            return self._future.result(most_s)
        except TimeoutError:
            return Answer(reason=UNREAD)


class _Process:
    def __init__(self, command: tuple[str, ...]) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = Lock()
        self._n_ended = 0
        self._is_open = True

    def answer(self, question: Question) -> Answer:
        try:
            line = self._line_for(question)
        except TimeoutError:
            self._end()
            return Answer(reason=OUT_OF_TIME, work=MAX_THOROUGH)
        except OSError:
            line = b""
        if not line.endswith(b"\n"):
            self._end()
            return Answer(reason=HAS_ENDED)
        try:
            return msgspec.json.decode(line, type=Answer)
        except (msgspec.DecodeError, UnicodeDecodeError):
            self._end()
            return Answer(reason=NONSENSE)

    def _line_for(self, question: Question) -> bytes:
        """Returns the line that it writes, without its end if it has ended. Raises: TimeoutError, OSError."""
        process = self._started()
        if process is None or process.stdin is None:
            return b""
        worked_before_s = _worked_s(process)
        process.stdin.write(question.key() + b"\n")
        process.stdin.flush()
        return _line(process, worked_before_s)

    def _started(self) -> subprocess.Popen[bytes] | None:
        with self._lock:
            if not self._is_open or self._n_ended > MAX_ENDED:
                return None
            if self._process is None:
                paths = os.pathsep.join(str(Path(path).absolute()) for path in sys.path if path)
                self._process = subprocess.Popen(
                    self._command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, "PYTHONPATH": paths},
                )
            return self._process

    def _end(self) -> None:
        self._n_ended += 1
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    if stream is not None:
                        stream.close()

    def stop(self) -> None:
        """Ends it for good; a thread that waits for its answer sees the end of its output."""
        with self._lock:
            self._is_open = False
            if self._process is not None:
                self._process.kill()

    def release(self) -> None:
        """Closes its pipes, when no thread uses it any more."""
        self._end()


def _line(process: subprocess.Popen[bytes], worked_before_s: float) -> bytes:
    """Reads the answer. Raises: TimeoutError."""
    assert process.stdout is not None
    descriptor, line, end = process.stdout.fileno(), b"", time.monotonic() + MAX_WAIT_S
    waiting = poll()
    waiting.register(descriptor, POLLIN | POLLHUP)
    while not line.endswith(b"\n"):
        left_s = end - time.monotonic()
        if left_s <= 0:
            raise TimeoutError
        if not waiting.poll(1000 * min(left_s, LOOK_S)):
            if _worked_s(process) - worked_before_s >= MAX_WORK_S:
                raise TimeoutError
            continue
        part = os.read(descriptor, 1 << 16)
        if not part:
            break
        line += part
    return line


def _worked_s(process: subprocess.Popen[bytes]) -> float:
    """Returns the time of a processor that the process has used; 0 if it has ended."""
    with contextlib.suppress(psutil.Error):
        times = psutil.Process(process.pid).cpu_times()
        return float(times.user + times.system)
    return 0.0
