"""Sites of large genes are found without their values."""

from wimble.feedback.input_to_state.input_sites import iter_sites
from wimble.genes import ChoiceGene, IntegerGene, NeededGene, ObjectGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def test_an_object_within_wrappers_is_not_made_only_to_see_that_it_is_one(monkeypatch):
    held = ObjectGene((("name", OptionalGene(StringGene("a"))),))
    inner = ObjectGene((("one", ChoiceGene((held, IntegerGene(1)))),))
    gene = NeededGene(ChoiceGene((inner, IntegerGene(2))))
    body = HttpInput(name="body", location="body", template=gene)
    operation = http_operation(id=OperationId("create"), method="POST", path="/items", inputs=(body,))
    test_case = TestCase((Call(operation, (gene,)),))
    expected = [(one.value, one.address.path, len(one.chain)) for one in iter_sites(test_case, 0, None)]
    made = []
    phenotype = ObjectGene.phenotype
    monkeypatch.setattr(ObjectGene, "phenotype", lambda *values: made.append(1) or phenotype(*values))
    assert [(one.value, one.address.path, len(one.chain)) for one in iter_sites(test_case, 0, None)] == expected
    assert expected == [("a", (0, 0, 0, 0, 0, 0), 2)]
    assert not made
