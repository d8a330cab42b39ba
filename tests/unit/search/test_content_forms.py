"""The media type of a content that no document declares, and lists, as a program shows that it needs them."""

import re
from random import Random

import pytest

from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import ArrayGene
from wimble.genes.undeclared import FileGene, FileTraitGene
from wimble.http.binding import http_operation
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import BODY_FORMS, with_undeclared_inputs
from wimble.model.evaluation import Evaluation
from wimble.model.hints import TYPE_OF, ComparisonHint, InputHint, ListHint, PatternHint
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Exchange, Observation
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.probes.undeclared_inputs import UndeclaredInputs
from wimble.search.learned.content_forms import MAX_WAITS, UNREAD, ContentForms, preferred, text_of_lines, with_text
from wimble.search.learned.held_values import located, needed_list
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.members import with_input
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import OperationId, TargetId

(POST,) = with_undeclared_inputs([http_operation(id=OperationId("POST /a"), method="POST", path="/a", inputs=())])
FORMS = [media_type for media_type, _ in BODY_FORMS]
XML = FORMS.index("application/xml")
MULTIPART = FORMS.index("multipart/form-data")
TEXT = FORMS.index("text/plain")
TEXT_OF_XML = len(FORMS) - 1 - FORMS[::-1].index("application/xml")


class Denied(Exchange):
    def denial(self):
        return "unknown"


class Missing(Exchange):
    def complaint(self):
        return "missing"


def observation(key="415", outcome="refused", exchange=None):
    return Observation(call_index=0, outcome=outcome, outcome_keys=(key,), exchange=exchange or Exchange())


def sampled():
    return Call(POST, tuple(given.template.sampled(Random(1)) for given in POST.inputs))


def carrying(form, *inputs):
    return LearnedInputs(Random(1)).carrying(sampled(), inputs, form=form)


def body_input(*path, **other):
    return LearnedInput(location="body", path=path, **other)


def test_each_form_is_tried_once_and_multipart_with_a_file_too():
    forms = ContentForms(Random(1))
    assert forms.trials(POST, observation("401", exchange=Denied())) == []
    trials = forms.trials(POST, observation("400"))
    assert {one.form for one in trials} == set(range(len(FORMS)))
    assert [one.n_lines for one in trials if one.form == TEXT] == [1, 3]
    assert any(each.location == "file" for one in trials if one.form == MULTIPART for each in one.inputs)
    assert forms.trials(POST, observation("400")) == []


def test_forms_are_tried_again_once_a_call_gets_past_what_its_path_names():
    forms = ContentForms(Random(1))
    n_trials = [len(forms.trials(POST, observation("404", exchange=Missing()))) for _ in range(3 * MAX_WAITS)]
    assert [n > 0 for n in n_trials].count(True) == 1
    assert forms.trials(POST, observation("415")) != []
    assert forms.trials(POST, observation("415")) == []
    assert forms.trials(POST, observation("404", exchange=Missing())) == []


def test_the_form_that_is_not_refused_like_the_others_is_sent_from_then_on():
    rng = Random(1)
    forms, learned = ContentForms(rng), LearnedInputs(Random(1))
    found = []
    for one in forms.trials(POST, observation()):
        call = (
            with_text(sampled(), one.form, text_of_lines(one.n_lines, rng))
            if one.n_lines
            else learned.carrying(sampled(), one.inputs, form=one.form)
        )
        found.append(forms.observe(call, observation("400" if one.form == MULTIPART else "415")))
    (form,) = [each for each in found if each is not None]
    assert form == MULTIPART
    learned.prefer_form(POST, form, is_certain=True)
    learned.prefer_form(POST, 0)
    sent = [dict(build_request(learned.applied(sampled(), ())).headers).get("Content-Type", "") for _ in range(20)]
    assert sum(one.startswith("multipart/form-data") for one in sent) > 10


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["415", "415", "400", "415"], 2),
        (["400", "400", "400", "200"], 3),
        (["200", "415", "415", "415"], None),
        (["400", "415", "415", "415"], None),
        (["400", "500", "500", "500"], None),
        (["400", "400", "400", "500"], None),
        (["415", "400", "415", "200", "415"], 3),
        (["400", "400", "400", "400", "415", "415"], None),
    ],
)
def test_the_preferred_form(keys, expected):
    outcome = {"200": "ok", "500": "failed", "415": UNREAD}
    assert preferred({form: [(outcome.get(key, "refused"), key)] for form, key in enumerate(keys)}) == expected


def test_a_parsed_xml_document_gets_the_members_that_are_read():
    call = carrying(XML, body_input("root", "x1"))
    hint = InputHint(target=TargetId(1), call=0, location="", path=("report",), held={"?xml": "", "root": {}})
    assert located(call, hint) == body_input("report")
    call = carrying(XML, body_input("root", "x1"), body_input("report", "station"))
    assert b"<report><station>" in build_request(call).body


def test_a_text_sent_as_xml_is_the_body_as_it_is():
    call = with_text(sampled(), TEXT_OF_XML, "<opml a='1'><b/></opml>")
    request = build_request(call)
    assert request.body == b"<opml a='1'><b/></opml>"
    assert dict(request.headers)["Content-Type"] == "application/xml"


def test_xml_is_tried_with_members_and_as_a_text_of_one_line():
    trials = [one for one in ContentForms(Random(1)).trials(POST, observation("400")) if FORMS[one.form] == FORMS[XML]]
    assert [(one.form, len(one.inputs), one.n_lines) for one in trials] == [(XML, 1, 0), (TEXT_OF_XML, 0, 1)]


@pytest.mark.parametrize(("text", "form"), [("<w>", TEXT_OF_XML), ("other", XML)])
def test_xml_stays_a_text_if_the_program_looks_for_something_in_it(text, form):
    rng = Random(1)
    sampler = Sampler((POST,), Settings(), rng)
    generator = UndeclaredInputs((POST,), sampler, rng)
    sampler.learned.prefer_form(POST, XML, is_certain=True)
    call = with_text(sampled(), TEXT_OF_XML, "<w>")
    hint = PatternHint(target=TargetId(1), call=0, text=text, source="<opml>", wanted=True)
    generator.observe(outcome_of(generator, call, hint))
    assert sampler.learned.form_of(POST) == form


def test_a_member_that_a_text_lacks_does_not_show_that_a_text_is_wanted():
    rng = Random(1)
    sampler = Sampler((POST,), Settings(), rng)
    generator = UndeclaredInputs((POST,), sampler, rng)
    for form, held in ((TEXT, "xkqzt"), (MULTIPART, {"speaker": "xkqzt"})):
        call = with_text(sampled(), TEXT, held) if form == TEXT else carrying(form, body_input("speaker"))
        hint = InputHint(target=TargetId(1), call=0, location="body", path=("title",), held=held)
        generator.observe(outcome_of(generator, call, hint))
        assert sampler.learned.form_of(POST) == (None if form == TEXT else MULTIPART)


def asked_for_type(name, right="string", wanted=True):
    return ComparisonHint(
        target=TargetId(1), call=0, operator="identical", left="object", right=right, wanted=wanted, name=TYPE_OF + name
    )


@pytest.mark.parametrize("name", ["req.body", "ctx.request.rawBody", "body"])
def test_texts_are_tried_at_once_where_the_type_of_the_whole_content_is_asked_for(name):
    rng = Random(1)
    generator = UndeclaredInputs([], Sampler([POST], Settings(), rng), rng)
    generator.observe(outcome_of(generator, sampled(), asked_for_type(name)))
    sent = [build_request(generator.propose(0.0).test_case.calls[0]).body for _ in range(2)]
    assert sorted(len(text.splitlines()) for text in sent) == [1, 3]


def test_other_types_and_members_show_no_text():
    forms = ContentForms(Random(1))
    for hint in (
        asked_for_type("req.body.name"),
        asked_for_type("req.body", "object"),
        asked_for_type("req.body", wanted=False),
    ):
        assert forms.text_trials(POST, hint) == []
    assert forms.text_trials(POST, asked_for_type("req.body"))
    assert forms.text_trials(POST, asked_for_type("req.body")) == []


def test_other_forms_are_mostly_left_out_once_one_was_read():
    def sent(is_known):
        rng = Random(1)
        sampler = Sampler((POST,), Settings(), rng)
        generator = UndeclaredInputs([], sampler, rng)
        generator.observe(outcome_of(generator, sampled(), PatternHint(target=1, call=0, text="", source="", wanted=1)))
        if is_known:
            sampler.learned.prefer_form(POST, 0)
        found = 0
        while generator.propose(0.0) is not None:
            found += 1
        return found

    assert 0 < sent(is_known=True) < sent(is_known=False) / 2


class OfOtherType(Exchange):
    def complaint(self):
        return "content"


@pytest.mark.parametrize(("exchange", "is_early"), [(OfOtherType(), True), (Exchange(), False)])
def test_forms_come_before_other_trials_where_the_type_of_the_content_is_refused(exchange, is_early):
    rng = Random(1)
    others = with_undeclared_inputs(
        [http_operation(id=OperationId(f"POST /b{at}"), method="POST", path=f"/b{at}", inputs=()) for at in range(30)]
    )
    generator = UndeclaredInputs(others, Sampler([POST, *others], Settings(), rng), rng)
    test_case = TestCase((sampled(),))
    evaluation = Evaluation(test_case=test_case, observations=(observation(exchange=exchange),), reached={})
    generator.observe(Outcome(Proposal(test_case), evaluation, Improvement()))
    tried = [generator.propose(0.0).test_case.calls[-1].operation for _ in range(6)]
    assert (POST in tried) is is_early


def test_two_files_are_tried_in_one_field():
    rng = Random(1)
    generator = UndeclaredInputs([], Sampler([POST], Settings(), rng), rng)
    generator.observe(
        outcome_of(generator, sampled(), InputHint(target=TargetId(1), call=0, location="file", path=("p",)))
    )
    sent = []
    while (proposal := generator.propose(0.0)) is not None:
        (call,) = proposal.test_case.calls
        sent.append(build_request(call).body.count(b'name="p"; filename="p.'))
    assert {1, 2} <= set(sent)


@pytest.mark.parametrize("content_type", ["text/plain", "application/json"])
def test_files_of_one_field_are_parts_of_their_own_whatever_their_type(content_type):
    file = FileGene(content_type=FileTraitGene(content_type), name=FileTraitGene("p.txt", is_name=True))
    field = LearnedInput(location="file", path=("p",), is_list=True)
    call = with_input(sampled(), field, ArrayGene(file, (file, file)), form=MULTIPART)
    assert build_request(call).body.count(b'name="p"; filename="p.') == 2


def test_an_uploaded_file_gets_the_type_that_was_asked_for():
    rng = Random(1)
    generator = UndeclaredInputs([], Sampler([POST], Settings(), rng), rng)
    file = LearnedInput(location="file", path=("p",), template=FileGene())
    generator.observe(
        outcome_of(generator, sampled(), InputHint(target=TargetId(1), call=0, location="file", path=("p",)))
    )
    while generator.propose(0.0) is not None:
        pass
    call = LearnedInputs(Random(1)).carrying(sampled(), [file])
    own = "text/plain"
    assert f"Content-Type: {own}".encode() in build_request(call).body
    hint = PatternHint(target=TargetId(1), call=0, text=own, source="image/(webp|avif)", wanted=True)
    generator.observe(outcome_of(generator, call, hint))
    proposal = generator.propose(0.0)
    assert re.search(rb"Content-Type: image/(webp|avif)\r", build_request(proposal.test_case.calls[0]).body)


def outcome_of(generator, call, hint):
    test_case = TestCase((call,))
    evaluation = Evaluation(test_case=test_case, observations=(observation("400"),), reached={}, hints=(hint,))
    return Outcome(Proposal(test_case, generator), evaluation, Improvement())


def test_an_error_says_which_value_has_to_be_a_list():
    call = carrying(0, body_input("items"), body_input("size"))
    for message, may_be_text in (("req.body.items.map is not a function", False), ("items is not iterable", True)):
        found = needed_list(call, f"TypeError: {message}")
        assert found == body_input("items", is_list=True, may_be_text=may_be_text)
    assert needed_list(call, "TypeError: db.items.insert is not a function") is None
    learned = LearnedInputs(Random(1))
    assert learned.learn(POST, body_input("items"))
    assert learned.learn(POST, body_input("items", is_list=True))
    assert not learned.learn(POST, body_input("items", is_list=True))
    assert build_request(learned.carrying(call, [body_input("items", is_list=True)])).body.startswith(b'{"items":["')


@pytest.mark.parametrize("is_present", [True, False])
def test_an_undeclared_parameter_becomes_a_list_and_its_room_does_not(is_present):
    (get,) = with_undeclared_inputs([http_operation(id=OperationId("GET /a"), method="GET", path="/a", inputs=())])
    call = Call(get, tuple(given.template.sampled(Random(1)) for given in get.inputs))
    call = LearnedInputs(Random(1)).carrying(call, [LearnedInput(location="query", path=("tag",))])
    room = next(index for index, given in enumerate(get.inputs) if given.sent_in == "query")
    value = call.genes[room].phenotype()["tag"]
    if not is_present:
        absent = call.genes[room].with_value({})
        call = Call(get, (*call.genes[:room], absent, *call.genes[room + 1 :]))
    hint = ListHint(target=TargetId(1), call=0, value=value if is_present else {"$undefined": True})
    edits = edits_from_hints(TestCase((call,)), [hint], Random(1), JAVASCRIPT)
    targets = [build_request(apply_edit(TestCase((call,)), edit).calls[0]).target for edit in edits]
    assert targets
    assert all(target.count("tag=") == 2 for target in targets)
