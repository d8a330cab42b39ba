"""What a program looks for in a document by selectors is in the documents that are proposed."""

from random import Random

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint, InputHint
from wimble.model.setup_kinds.answer import BODY, new_answer
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.services.answer_elements import MAX_ELEMENTS, MAX_REPETITIONS, N_ELEMENTS, AnswerElements
from wimble.types import OperationId, TargetId

ORIGIN = "https://pages.example:443"


def case(answer):
    given = HttpInput(name="id", location="query", template=StringGene())
    operation = http_operation(id=OperationId("GET /previews"), method="GET", path="/previews", inputs=(given,))
    return TestCase((Call(operation, (StringGene("a"),)),), (answer,))


def looked_for(*path, answers=(0,)):
    return InputHint(target=TargetId(1), call=0, location="element", path=path, answers=answers)


def bodies(generator, *hints, answer=None):
    """The bodies that are proposed after a program has looked for elements in an answer."""
    test_case = case(answer or new_answer(ORIGIN, "GET", "/a", body={}))
    sent = http_observation(0, HttpRequest(method="GET", target="/previews"))
    evaluation = Evaluation(test_case=test_case, observations=(sent,), reached={}, hints=hints)
    generator.observe(Outcome(Proposal(test_case, None), evaluation, Improvement()))
    found = []
    while generator.is_ready():
        made = generator.propose(0.5).test_case.setup[0]
        assert made.form == "html"
        found.append(made.genes[BODY].phenotype())
    return found


def repeated(generator, answer):
    """The test cases that are proposed once a condition has counted one element of an answer, and needs two."""
    test_case = case(answer)
    counted = ComparisonHint(target=TargetId(2), call=0, operator="greater", left=1, right=1, wanted=True)
    sent = http_observation(0, HttpRequest(method="GET", target="/previews"))
    asked = ExternalRequest(call=0, site="", n=0, origin=ORIGIN, method="GET", target="/a", answered_by=0)
    evaluation = Evaluation(
        test_case=test_case, observations=(sent,), reached={}, hints=(counted,), interactions=(asked,)
    )
    generator.observe(Outcome(Proposal(test_case, None), evaluation, Improvement()))
    found = []
    while generator.is_ready():
        found.append(generator.propose(0.5))
    return found


def test_elements_are_added_once_and_in_numbers():
    one, several = bodies(AnswerElements(Random(1)), looked_for("h1"), looked_for("ul > li"))
    assert [*one] == [*several] == ["h1", "ul > li"]
    assert one["h1"]["#text"] != one["ul > li"]["#text"]
    assert len(several["ul > li"]) == N_ELEMENTS


def test_attributes_are_those_of_all_elements_and_elements_below_others_are_in_them():
    hints = [looked_for(".job"), looked_for("", ".title"), looked_for("@data-level")]
    body = bodies(AnswerElements(Random(1)), *hints)[0]
    assert [*body] == [".job"]
    assert {*body[".job"]} == {"#text", "@data-level", ".title"}
    assert {*body[".job"][".title"]} == {"#text", "@data-level"}


def test_what_is_looked_for_later_joins_what_is_there():
    generator = AnswerElements(Random(1))
    bodies(generator, looked_for("h1"))
    assert bodies(generator, looked_for("h1")) == []
    assert [*bodies(generator, looked_for("h1"), looked_for("h2"))[0]] == ["h1", "h2"]


def test_attributes_alone_make_no_document():
    assert bodies(AnswerElements(Random(1)), looked_for("@href")) == []


def test_elements_of_one_answer_are_bounded():
    generator = AnswerElements(Random(1))
    assert len(bodies(generator, *(looked_for(f"#a{n}") for n in range(99)))[0]) == MAX_ELEMENTS


def test_failures_and_answers_without_a_body_get_no_document():
    for answer in (new_answer(ORIGIN, "GET", "/a", outcome="refused"), new_answer(ORIGIN, "GET", "/a", status=204)):
        assert bodies(AnswerElements(Random(1)), looked_for("h1"), answer=answer) == []
    assert bodies(AnswerElements(Random(1)), looked_for("h1", answers=(7,))) == []


def test_elements_are_repeated_a_few_times_for_a_condition():
    """A number that grows with the elements, and is none of them, would ask for more of them each time."""
    generator, n_made = AnswerElements(Random(1)), 0
    for size in range(1, 2 * MAX_REPETITIONS):
        answer = new_answer(ORIGIN, "GET", "/a", body=[{}] * size)
        n_made += len(repeated(generator, answer))
    assert n_made == MAX_REPETITIONS
