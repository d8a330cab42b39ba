"""Texts of library calls that are put together from pieces of others."""

from random import Random

from wimble.genes import AnyGene
from wimble.library.function_binding import FunctionBinding, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Thrown, function_observation, invocation_of
from wimble.model.evaluation import Evaluation
from wimble.model.hints import TableHint
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.mixed_texts import MixedTexts, end_of_brackets, tokens_of
from wimble.types import TargetId

PARAMETER = Parameter(name="query", template=AnyGene(""))
QUERY = function_operation(
    FunctionBinding(index=0, package="lib", kind="function", path=("query",), parameters=(PARAMETER,)), "query"
)


def noted(generator, text, *, hints=(), thrown=None, is_new=True):
    call = Call(QUERY, (AnyGene(text),))
    result = {"thrown": thrown} if thrown else {"returned": 1}
    observation = function_observation(0, FunctionExchange(invocation=invocation_of(call), **result), elapsed_s=0.001)
    test_case = TestCase((call,))
    evaluation = Evaluation(test_case=test_case, observations=(observation,), reached={}, hints=tuple(hints))
    improvement = Improvement(newly_covered=(TargetId(1),) if is_new else ())
    generator.observe(Outcome(Proposal(test_case, generator), evaluation, improvement))


def proposed(generator, n=3_000):
    found = set()
    for _ in range(n):
        proposal = generator.propose(0.5)
        if proposal is not None:
            found.add(proposal.test_case.calls[0].genes[0].phenotype())
    return found


def test_pieces_of_texts_and_words_of_the_program_are_put_together():
    generator = MixedTexts([QUERY], ["||", "a message that is too long to be a word"], Random(1))
    assert not generator.is_ready()
    noted(generator, "a[0]")
    noted(generator, "b")
    texts = proposed(generator)
    assert {"b(b)", "b[0]", "b||b", "(b)", "a[b]", "a"} <= texts
    assert not any("message" in text for text in texts)


def test_a_text_that_an_edit_has_put_in_the_place_of_another_one_gets_a_line_beside_it():
    generator = MixedTexts([QUERY], [], Random(1))
    noted(generator, "head\nbody")
    before, after = (TestCase((Call(QUERY, (AnyGene(text),)),)) for text in ("head\nbody", "#: asked"))
    observation = function_observation(0, FunctionExchange(invocation=invocation_of(after.calls[0]), returned=1))
    evaluation = Evaluation(test_case=after, observations=(observation,), reached={})
    proposal = Proposal(after, generator, edit="a pattern", edited_from=before)
    generator.observe(Outcome(proposal, evaluation, Improvement(newly_covered=())))
    texts = proposed(generator)
    assert {"head\n#: asked\nbody", "head\nbody\n#: asked", "#: asked\nhead\nbody"} <= texts


def test_a_text_that_was_refused_gives_no_pieces():
    generator = MixedTexts([QUERY], [], Random(1))
    noted(generator, "a(", thrown=Thrown(name="Error", message="expected )"))
    assert not generator.is_ready()


def test_each_other_key_of_a_table_takes_the_place_of_a_word_that_is_one():
    generator = MixedTexts([QUERY], [], Random(1))
    hint = TableHint(call=0, target=TargetId(7), key="abs", holds="things", keys=("abs", "floor", "sum"))
    noted(generator, "abs(x)", hints=[hint], is_new=False)
    assert not generator.is_ready()
    noted(generator, "abs(x)")
    assert {"floor(x)", "sum(x)"} <= proposed(generator, 20)


def test_brackets_end_where_they_are_closed():
    tokens = tokens_of("f((a)) && b")
    assert tokens == ["f", "((", "a", "))", " ", "&&", " ", "b"]
    assert end_of_brackets(tokens, 1) == 4
    assert end_of_brackets(tokens, 0) == 0
    assert end_of_brackets(tokens_of("(a"), 0) == 0
