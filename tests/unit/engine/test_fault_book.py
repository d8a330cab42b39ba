from msgspec.structs import replace

from wimble.engine.faults.fault_book import Fault, FaultBook
from wimble.engine.faults.history import HISTORY_LENGTH, RECENT_LENGTH, History
from wimble.genes import CarriedGene, ObjectGene, SignedTokenGene
from wimble.http.binding import http_operation
from wimble.http.entrances import CREDENTIALS
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def evaluation(*calls: tuple[str, int]) -> Evaluation:
    operations = [http_operation(id=OperationId(f"{m} /x"), method=m, path="/x") for m, _ in calls]
    return Evaluation(
        test_case=TestCase(tuple(Call(operation, ()) for operation in operations)),
        observations=tuple(
            http_observation(call_index=i, request=HttpRequest(m, "/x"), response=HttpResponse(status, (), b""))
            for i, (m, status) in enumerate(calls)
        ),
        reached={},
    )


def finding(key: str = "k") -> Finding:
    return Finding(
        oracle="server-error", key=(key,), operation="GET /x", status=500, title="t", observed="o", expected="e",
        cause=Cause(), call_index=0,
    )  # fmt: skip


class Run:
    """Takes in evaluations as a search does."""

    def __init__(self) -> None:
        self.book = FaultBook()
        self.history = History()

    def note(self, seen: Evaluation, findings: list[Finding], *, calls: int, elapsed_s: float) -> list[Fault]:
        new = self.book.note(seen, findings, self.history, calls=calls, elapsed_s=elapsed_s)
        self.history.note(seen)
        return new


def test_one_fault_is_one_entry_and_keeps_the_shortest_test_case_first():
    book = Run()
    long, short = evaluation(("GET", 200), ("GET", 500)), evaluation(("GET", 500))
    assert [fault.id for fault in book.note(long, [finding()], calls=2, elapsed_s=0.1)] == ["F1"]
    assert book.note(short, [finding()], calls=3, elapsed_s=0.2) == []
    assert [fault.id for fault in book.note(short, [finding("other")], calls=4, elapsed_s=0.3)] == ["F2"]
    first = next(iter(book.book))
    assert [witness.evaluation for witness in first.witnesses] == [short, long]
    assert first.times_seen == 2
    assert first.found_after_calls == 2


def test_test_cases_with_tokens_that_wimble_has_signed_come_after_those_whose_users_log_in():
    book = Run()
    long, short = evaluation(("POST", 200), ("GET", 500)), evaluation(("GET", 500))
    token = CarriedGene((("header Authorization", SignedTokenGene("0" * 16, ObjectGene(()))),))
    signed = replace(short, test_case=TestCase((Call(with_credentials(short), (token,)),)))
    book.note(signed, [finding()], calls=1, elapsed_s=0.1)
    book.note(long, [finding()], calls=3, elapsed_s=0.2)
    assert [witness.evaluation for witness in next(iter(book.book)).witnesses] == [long, signed]
    book.note(short, [finding()], calls=4, elapsed_s=0.3)
    assert [witness.evaluation for witness in next(iter(book.book)).witnesses] == [short, long, signed]


def with_credentials(seen: Evaluation) -> Operation:
    return replace(seen.test_case.calls[0].operation, inputs=(CREDENTIALS,))


def test_history_holds_what_may_have_changed_state_and_what_was_recent():
    book = Run()
    write = evaluation(("POST", 201))
    for _ in range(RECENT_LENGTH):
        book.note(evaluation(("GET", 200)), [], calls=1, elapsed_s=0)
    book.note(write, [], calls=2, elapsed_s=0)
    refused = evaluation(("POST", 400))
    book.note(refused, [], calls=3, elapsed_s=0)
    recent = [evaluation(("GET", 200)) for _ in range(RECENT_LENGTH)]
    for one in recent:
        book.note(one, [], calls=3, elapsed_s=0)
    book.note(evaluation(("GET", 500)), [finding()], calls=4, elapsed_s=0)
    assert next(iter(book.book)).witnesses[0].history == (
        write.test_case, refused.test_case, *(one.test_case for one in recent)
    )  # fmt: skip
    assert next(iter(book.book)).witnesses[0].likely == (write.test_case,)


def test_a_fresh_start_forgets_the_history_and_it_is_bounded():
    book = Run()
    for _ in range(HISTORY_LENGTH + 10):
        book.note(evaluation(("POST", 201)), [], calls=1, elapsed_s=0)
    [fault] = book.note(evaluation(("GET", 500)), [finding()], calls=2, elapsed_s=0)
    assert len(fault.witnesses[0].history) == HISTORY_LENGTH
    book.history.forget()
    [other] = book.note(evaluation(("GET", 500)), [finding("other")], calls=3, elapsed_s=0)
    assert other.witnesses[0].history == ()


def test_only_safe_methods_ask_for_no_change():
    assert evaluation(("GET", 200), ("HEAD", 404)).test_case.is_safe
    assert not evaluation(("GET", 200), ("DELETE", 404)).test_case.is_safe
