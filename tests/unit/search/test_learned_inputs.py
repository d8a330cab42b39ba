"""Inputs that no document declares: learnt, put into calls, rendered, encoded, forgotten."""

import json
import re
from random import Random

import msgspec
import pytest

from wimble.encoding import decode_test_case, encode_test_case
from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import (
    AnyGene,
    ArrayGene,
    ConstantGene,
    IntegerGene,
    JsonTextGene,
    MapGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    StringGene,
)
from wimble.genes.string_specialisation import SPECIALISATIONS
from wimble.genes.undeclared import USUAL_FILES, FileGene, FileTraitGene, UndeclaredGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.request_building import build_request
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.json_texts import held_document
from wimble.model.evaluation import Evaluation
from wimble.model.hints import ComparisonHint, FormatHint, InputHint, KeyHint, ListHint, PatternHint, SplitHint
from wimble.model.learned_input import IN_JSON_TEXT, LearnedBody, LearnedInput
from wimble.model.observation import Exchange, Observation
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.probes.undeclared_inputs import MAX_FURTHER_TRIALS, UndeclaredInputs
from wimble.search.learned.held_values import (
    entry_of,
    list_asked_for,
    located,
    media_type_asked_for,
    of_format,
    of_type,
)
from wimble.search.learned.known_inputs import FORGET_AFTER
from wimble.search.learned.learned_inputs import CALLS_WITHOUT_BODY, LearnedInputs
from wimble.search.learned.members import value_of_input, with_input, with_member
from wimble.search.learned.split_texts import of_parts
from wimble.search.minimise.minimiser import minimise_test
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import ABSENT, TargetId


def operation(method="GET", *inputs):
    (one,) = with_undeclared_inputs([http_operation(id=f"{method} /a", method=method, path="/a", inputs=inputs)])
    return one


def body(template, media_type="application/json"):
    return HttpInput(name="body", location="body", template=template, required=True, media_type=media_type)


def sampled(one, rng=None):
    return Call(one, tuple(given.template.sampled(rng or Random(1)) for given in one.inputs))


def request(one, *learned, form=None):
    inputs = LearnedInputs(Random(1))
    call = sampled(one)
    for each in learned:
        inputs.learn(one, each)
        call = inputs.carrying(call, [each], form=form)
        form = None
    return build_request(call), call


def text(location, *path):
    return LearnedInput(location=location, path=path, template=StringGene("x", max_length=1))


def test_a_call_without_learnt_inputs_is_as_before():
    request_, _ = request(operation("POST"))
    assert (request_.target, request_.headers, request_.body) == ("/a", (("Accept", "*/*"),), None)


def test_parameters_are_sent_where_they_were_read():
    one = operation()
    learned = [LearnedInput(location="query", path=("debug",)), LearnedInput(location="header", path=("x-tenant",))]
    learned.append(LearnedInput(location="cookie", path=("sid",)))
    request_, _ = request(one, *learned)
    headers = dict(request_.headers)
    assert request_.target.startswith("/a?debug=")
    assert "x-tenant" in headers
    assert headers["Cookie"].startswith("sid=")


def test_nested_query_parameters_have_brackets():
    request_, _ = request(operation(), LearnedInput(location="query", path=("filter", "mode")))
    assert request_.target.startswith("/a?filter%5Bmode%5D=")


@pytest.mark.parametrize("name", ["Connection", "content-length", "Transfer-Encoding", "proxy-authorization", "te"])
def test_headers_of_the_connection_are_never_sent(name):
    request_, _ = request(operation(), LearnedInput(location="header", path=(name,)))
    assert request_.headers == (("Accept", "*/*"),)


def test_a_host_is_sent_where_the_program_was_seen_to_compare_it():
    request_, _ = request(operation(), LearnedInput(location="header", path=("Host",)))
    assert [name for name, _ in request_.headers] == ["Accept", "Host"]


def test_the_method_is_never_overridden():
    request_, _ = request(operation(), LearnedInput(location="query", path=("_method",)))
    assert request_.target == "/a"


def test_an_undeclared_content_takes_the_form_asked_for():
    one = operation("POST")
    forms = one.inputs[-1].media_types
    named, _ = request(one, text("body", "a", "b"), form=forms.index("application/json"))
    assert b'{"a":{"b":' in named.body
    form, _ = request(one, text("body", "a"), form=forms.index("application/x-www-form-urlencoded"))
    assert form.body.startswith(b"a=")
    file, _ = request(one, LearnedInput(location="file", path=("avatar",)))
    assert b'name="avatar"; filename="avatar.txt"' in file.body
    lines, _ = request(one, text("body", "0", "a"), form=forms.index("application/x-ndjson"))
    assert lines.body.startswith(b'{"a":')


def test_an_input_is_put_into_a_content_that_an_edit_has_written_as_a_whole():
    one = operation("POST")
    written = Call(one, (*sampled(one).genes[:-1], AnyGene({"from": "Oslo"})))
    new = with_input(written, LearnedInput(location="body", path=("to",)), StringGene("Bergen"), form=0)
    assert new is not None
    sent = build_request(new)
    assert msgspec.json.decode(sent.body) == {"from": "Oslo", "to": "Bergen"}
    assert dict(sent.headers)["Content-Type"] == "application/json"
    as_page = with_input(written, LearnedInput(location="body", path=("to",)), StringGene("Bergen"), form=1)
    assert as_page is not None
    assert build_request(as_page).body == b"to=Bergen"


def test_a_declared_input_is_not_learnt():
    one = operation(
        "POST",
        HttpInput(name="limit", location="query", template=OptionalGene(StringGene())),
        HttpInput(name="X-Role", location="header", template=OptionalGene(StringGene())),
        body(ObjectGene((("items", ArrayGene(ObjectGene((("sku", StringGene()),)))),))),
    )
    learned = LearnedInputs(Random(1))
    for declared in (("query", "limit"), ("header", "x-role"), ("body", "items"), ("body", "items", "3", "sku")):
        assert not learned.learn(one, LearnedInput(location=declared[0], path=declared[1:]))
    assert learned.learn(one, LearnedInput(location="body", path=("items", "0", "colour")))
    assert not learned.learn(one, LearnedInput(location="body", path=("items", "0", "colour")))
    assert learned.of(one)[0].label == "body items.0.colour"


def test_elements_of_a_declared_list_have_undeclared_members_and_what_is_declared_as_no_list_becomes_none():
    learned = LearnedInputs(Random(1))
    rows = operation("POST", body(ArrayGene(ObjectGene((("sku", StringGene()),)))))
    assert learned.learn(rows, LearnedInput(location="body", path=("0", "colour")))
    row = operation("PUT", body(ObjectGene((("sku", StringGene()),))))
    assert not learned.learn(row, LearnedInput(location="body", path=("0",)))


@pytest.mark.parametrize(
    ("gene", "path", "value"),
    [
        (ObjectGene(), ("a",), {"a": "x"}),
        (ObjectGene((("a", StringGene("s")),)), ("a", "b"), {"a": {"b": "x"}}),
        (ObjectGene((("a", OptionalGene(StringGene("s"), False)),)), ("a", "b"), {"a": {"b": "x"}}),
        (AnyGene({"k": 1}), ("a", "1"), {"k": 1, "a": ["x", "x"]}),
        (AnyGene([{"k": 1}]), ("0", "a"), [{"k": 1, "a": "x"}]),
        (MapGene(IntegerGene(1), (("k", IntegerGene(2)),)), ("a",), {"k": 2, "a": "x"}),
        (ArrayGene(ObjectGene(), (ObjectGene(),)), ("2", "a"), [{"a": "x"}, {"a": "x"}, {"a": "x"}]),
        (
            AnyGene([1, [], {"a": "own"}, {"b": 2}]),
            ("3", "a"),
            [{"a": "x"}, {"a": "x"}, {"a": "own"}, {"b": 2, "a": "x"}],
        ),
        (StringGene("s"), ("a",), {"a": "x"}),
        (ObjectGene((("o", JsonTextGene(AnyGene({"k": 1}))),)), ("o", "a"), {"o": '{"k":1,"a":"x"}'}),
    ],
)
def test_a_member_is_put_into_any_gene(gene, path, value):
    assert with_member(gene, path, StringGene("x")).phenotype() == value


def test_a_call_with_learnt_inputs_is_encoded_and_minimised():
    one = operation("POST")
    _, call = request(one, text("query", "a"), text("query", "b"), text("body", "c"))
    test_case = TestCase((call,))
    assert decode_test_case(encode_test_case(test_case), [one]) == test_case
    small = minimise_test(test_case, lambda each: "b=" in build_request(each.calls[0]).target, 50)
    assert build_request(small.calls[0]).target == "/a?b="
    assert build_request(small.calls[0]).body is None


def test_calls_without_them_are_encoded_as_before():
    call = sampled(operation("POST"))
    assert encode_test_case(TestCase((call,)))["calls"][0]["inputs"] == {}


def test_a_learnt_body_replaces_the_declared_one():
    one = operation("POST", body(AnyGene({})))
    learned = LearnedInputs(Random(1))
    assert learned.learn_body(one, LearnedBody(template=ObjectGene((("sku", StringGene("q")),))))
    bodies = [learned.applied(sampled(one), ()).genes[0].phenotype() for _ in range(30)]
    assert sum(isinstance(each, dict) and "sku" in each for each in bodies) > 15


def evaluated(call, *hints, status="200"):
    outcome = "ok" if status < "300" else "refused"
    observation = Observation(call_index=0, outcome=outcome, outcome_keys=(status,), exchange=Exchange())
    return Evaluation(test_case=TestCase((call,)), observations=(observation,), reached={}, hints=hints)


def test_an_input_that_pays_nothing_is_forgotten_and_one_that_pays_stays():
    one = operation()
    learned = LearnedInputs(Random(1))
    idle, paying = text("query", "idle"), text("query", "paying")
    for each in (idle, paying):
        learned.learn(one, each)
    for number in range(FORGET_AFTER):
        learned.observe(evaluated(learned.carrying(sampled(one), [idle])), is_gain=False)
        learned.observe(evaluated(learned.carrying(sampled(one), [paying])), is_gain=number == 3)
    assert learned.of(one) == learned.proven(one) == (paying,)
    assert not learned.learn(one, idle)
    names = [learned.applied(sampled(one), ()).genes[0].phenotype() for _ in range(40)]
    assert 5 < sum(each is not ABSENT for each in names) < 30
    assert learned.recalled(one, text("query", "other")) is None
    assert learned.recalled(one, idle) == idle
    assert set(learned.of(one)) == {idle, paying}, "it is judged anew"


def test_calls_that_were_refused_before_the_input_is_read_are_not_counted():
    one = operation()
    learned = LearnedInputs(Random(1))
    key = text("header", "x-key")
    learned.learn(one, key)
    learned.note_read(one, key, "401")
    for _ in range(2 * FORGET_AFTER):
        learned.observe(evaluated(learned.carrying(sampled(one), [key]), status="404"), is_gain=False)
    assert learned.of(one) == (key,)
    for number in range(FORGET_AFTER):
        status = "401" if number % 2 else "200"
        learned.observe(evaluated(learned.carrying(sampled(one), [key]), status=status), is_gain=False)
    assert learned.of(one) == ()


def test_a_value_that_let_a_call_in_is_tried_at_the_same_header_of_other_operations():
    key = text("header", "x-key")
    one, other = operation(), operation("POST")
    learned = LearnedInputs(Random(1))
    for each in (one, other):
        learned.learn(each, key)
    for _ in range(FORGET_AFTER):
        learned.observe(evaluated(learned.carrying(sampled(other), [key])), is_gain=False)
    assert learned.of(other) == ()
    let_in = with_input(sampled(one), key, StringGene("k-77"))
    assert let_in is not None
    learned.observe(evaluated(let_in), is_gain=True)
    assert learned.of(other) == (key,)
    sent = [value_of_input(learned.carrying(sampled(other), [key]), key) for _ in range(20)]
    assert "k-77" in sent


def test_a_sample_of_the_room_is_empty():
    gene = UndeclaredGene((("a", OptionalGene(StringGene("x"))),))
    assert gene.phenotype() == {"a": "x"}
    assert gene.sampled(Random(1)).phenotype() is ABSENT
    assert gene.with_child(0, OptionalGene(StringGene("x"), False)).phenotype() is ABSENT
    assert gene.with_value({"b": "y"}).phenotype() == {"b": "y"}


def test_an_input_that_is_read_as_a_date_is_learnt_as_one():
    one = operation("POST")
    inputs = LearnedInputs(Random(1))
    start = LearnedInput(location="body", path=("stay", "from"))
    inputs.learn(one, start)
    call = inputs.carrying(sampled(one), [start])
    sent = value_of_input(call, start)
    read = FormatHint(target=TargetId(1), call=0, value=sent, format="date", wanted=True)
    found = of_format(call, read)
    assert found is not None
    assert found.key == start.key
    assert of_format(call, msgspec.structs.replace(read, wanted=False)) is None
    assert of_format(call, msgspec.structs.replace(read, format="json")) is None
    assert of_format(call, msgspec.structs.replace(read, value="2024")) is None
    inputs.shape(one, found)
    values = [value_of_input(inputs.carrying(sampled(one), inputs.of(one)), start) for _ in range(20)]
    assert all(SPECIALISATIONS["date"].is_valid(value) for value in values)
    assert len(set(values)) > 5


def test_a_parameter_that_is_read_as_a_number_is_learnt_as_one():
    one = operation("GET")
    inputs = LearnedInputs(Random(1))
    width = LearnedInput(location="query", path=("width",))
    inputs.learn(one, width)
    call = inputs.carrying(sampled(one), [width])
    sent = value_of_input(call, width)
    found = of_format(call, FormatHint(target=TargetId(1), call=0, value=sent, format="integer", wanted=True))
    assert found is not None
    inputs.shape(one, found)
    values = [value_of_input(inputs.carrying(sampled(one), inputs.of(one)), width) for _ in range(40)]
    assert all(isinstance(value, int) for value in values)
    assert any(value <= 0 for value in values)
    assert any(value > 0 for value in values)


def test_a_member_that_is_converted_to_a_number_is_a_number_or_its_text():
    one = operation("POST")
    inputs = LearnedInputs(Random(1))
    patient = LearnedInput(location="body", path=("patient",))
    inputs.learn(one, patient)
    call = inputs.carrying(sampled(one), [patient])
    sent = value_of_input(call, patient)
    found = of_format(call, FormatHint(target=TargetId(1), call=0, value=sent, format="number", wanted=True))
    assert found is not None
    inputs.shape(one, found)
    values = [value_of_input(inputs.carrying(sampled(one), inputs.of(one)), patient) for _ in range(40)]
    assert {type(value) for value in values} == {int, str}
    assert all(SPECIALISATIONS["number"].is_valid(str(value)) for value in values)


def test_an_input_that_is_tested_for_being_a_list_is_learnt_as_one():
    one = operation("POST")
    inputs = LearnedInputs(Random(1))
    guests = LearnedInput(location="body", path=("guests",))
    inputs.learn(one, guests)
    call = inputs.carrying(sampled(one), [guests])
    found = list_asked_for(call, ListHint(target=TargetId(1), call=0, value=value_of_input(call, guests)))
    assert found is not None
    assert inputs.learn(one, found), "it is news"
    (value,) = [value_of_input(inputs.carrying(sampled(one), inputs.of(one)), guests)]
    assert isinstance(value, list)
    assert list_asked_for(call, ListHint(target=TargetId(1), call=0, value="unknown")) is None


def multipart_form(one):
    content = next(given for given in one.inputs if given.role == "content")
    return content.media_types.index("multipart/form-data")


def test_what_is_read_of_the_parameters_of_the_path_may_come_from_the_query():
    """Restify adds the query, and the members of the body, to `req.params`."""
    one = operation("GET", HttpInput(name="id", location="path", template=ConstantGene("c7")))
    hint = InputHint(target=TargetId(1), call=0, location="", path=("format",), held={"id": "c7"})
    assert located(sampled(one), hint) == LearnedInput(location="query", path=("format",))
    other = msgspec.structs.replace(hint, held={"id": "of something else"})
    assert located(sampled(one), other) is None


def test_members_within_the_json_text_of_a_cookie_are_recognised_and_put_into_it():
    one = operation("GET")
    text_ = JsonTextGene(AnyGene({"speed": "xkqzt"}))
    call = LearnedInputs(Random(1)).carrying(sampled(one), [text("cookie", "player")])
    call = with_input(call, LearnedInput(location="cookie", path=("player",)), text_)
    hint = InputHint(target=TargetId(1), call=0, location="", path=("queue",), held={"speed": "xkqzt"})
    learned = located(call, hint)
    assert learned.path == ("player", IN_JSON_TEXT, "queue")
    assert learned.label == "cookie player.queue"
    call = LearnedInputs(Random(1)).carrying(call, [msgspec.structs.replace(learned, template=ConstantGene("abc"))])
    assert value_of_input(call, learned) == "abc"
    assert value_of_input(call, text("cookie", "player")) == '{"speed":"xkqzt","queue":"abc"}'


def test_members_of_the_json_text_of_a_declared_parameter_are_learnt():
    one = operation("GET", HttpInput(name="filter", location="query", template=StringGene()))
    known = LearnedInputs(Random(1))
    assert not known.learn(one, LearnedInput(location="query", path=("filter",)))
    assert known.learn(one, LearnedInput(location="query", path=("filter", IN_JSON_TEXT, "kinds")))


def test_a_text_becomes_json_where_a_member_of_it_is_known():
    learned = LearnedInput(location="query", path=("filter", IN_JSON_TEXT, "kinds", "0"), template=ConstantGene("a"))
    assert request(operation("GET"), learned)[0].target == "/a?filter=%7B%22kinds%22%3A%5B%22a%22%5D%7D"


def test_a_file_has_the_type_and_the_name_that_the_program_compares():
    one = operation("POST")
    form = multipart_form(one)
    call = LearnedInputs(Random(1)).carrying(sampled(one), [LearnedInput(location="file", path=("photo",))], form=form)
    assert b'name="photo"; filename="photo.txt"' in build_request(call).body
    for left, right in (("text/plain", "image/jpeg"), ("photo.txt", "photo.JPG"), ("photo", "picture")):
        hint = ComparisonHint(
            target=TargetId(1), call=0, operator="identical", left=left, right=right, wanted=True, name=""
        )
        edit = edits_from_hints(TestCase((call,)), [hint], Random(1), JAVASCRIPT)[0]
        call = apply_edit(TestCase((call,)), edit).calls[0]
    sent = build_request(call).body
    assert b'name="picture"; filename="photo.JPG"' in sent
    assert b"Content-Type: image/jpeg" in sent


def test_samples_of_a_file_differ_in_type_and_name_together():
    files = {FileGene(name=FileTraitGene("a.txt", is_name=True)).sampled(Random(seed)) for seed in range(60)}
    assert len(files) > 4
    for one in files:
        assert one.name.value == "a" + USUAL_FILES[one.content_type.value]


def test_a_text_that_the_program_splits_gets_as_many_parts():
    one = operation("GET")
    inputs = LearnedInputs(Random(1))
    inputs.learn(one, LearnedInput(location="query", path=("bbox",)))
    call = inputs.carrying(sampled(one), inputs.of(one))
    value = value_of_input(call, LearnedInput(location="query", path=("bbox",)))
    hint = SplitHint(target=TargetId(1), call=0, text=value, separator=",", parts=4, are_numbers=True)
    shaped = inputs.shape(one, of_parts(call, [hint]))
    assert inputs.shape(one, of_parts(call, [hint])) is None
    for _ in range(20):
        parts = value_of_input(inputs.carrying(call, [shaped], is_anew=True), shaped).split(",")
        assert len(parts) == 4
        assert [float(part) for part in parts]


def test_parts_of_a_text_may_be_split_again():
    one = operation("GET")
    inputs = LearnedInputs(Random(1))
    inputs.learn(one, LearnedInput(location="query", path=("open",)))
    call = inputs.carrying(sampled(one), inputs.of(one))
    value = value_of_input(call, LearnedInput(location="query", path=("open",)))
    separators = ((None, ",", 0), (value, "-", 2), (value, ":", 2))
    hints = [
        SplitHint(target=TargetId(1), call=0, text=text, separator=by, parts=parts, are_numbers=by == ":")
        for text, by, parts in separators
    ]
    shaped = of_parts(call, hints)
    texts = [value_of_input(inputs.carrying(call, [shaped], is_anew=True), shaped) for _ in range(60)]
    slots = r"\d\d?:\d\d?-\d\d?:\d\d?"
    formed = [text for text in texts if re.fullmatch(rf"{slots}(,{slots})*", text)]
    assert len(formed) > 50, "some samples break the form"
    assert {text.count(",") for text in formed} == {0, 1, 2}
    other = SplitHint(target=TargetId(1), call=0, text="elsewhere", separator=",", parts=2)
    assert of_parts(call, [other]) is None


def test_parameters_that_are_read_as_a_list_are_sent_once_for_each_element():
    one = operation("GET")
    learned = LearnedInput(location="query", path=("tag", "2"), template=ConstantGene("x"))
    call = LearnedInputs(Random(1)).carrying(sampled(one), [learned])
    assert build_request(call).target == "/a?tag=x&tag=x&tag=x"


def test_the_header_accept_is_learnt_where_its_usual_value_was_compared():
    hint = PatternHint(target=TargetId(1), call=0, text="*/*", source="vnd.v2", wanted=True)
    learned = media_type_asked_for(hint)
    assert (learned.location, learned.path) == ("header", ("Accept",))
    assert media_type_asked_for(msgspec.structs.replace(hint, text="*")) is None
    sent, _ = request(operation("GET"), msgspec.structs.replace(learned, template=ConstantGene("vnd.v2")))
    assert sent.headers == (("Accept", "vnd.v2"),)


def test_the_media_types_among_which_a_program_chooses_are_those_of_the_header_accept():
    compared = [
        ComparisonHint(target=TargetId(1), call=call, operator="identical", left="*/*", right=right, wanted=True)
        for call, right in ((0, "text/csv"), (0, "text/html"), (1, "text/xml"), (0, "v2"))
    ]
    learned = media_type_asked_for(compared[0], compared)
    assert (learned.location, learned.path, learned.template.options) == (
        "header",
        ("Accept",),
        ("text/csv", "text/html"),
    )


def test_half_of_the_calls_send_a_content_of_which_nothing_is_known():
    inputs = LearnedInputs(Random(1))
    one = operation("POST")

    def bodies():
        return [build_request(inputs.applied(sampled(one), ())).body for _ in range(40)]

    assert not any(bodies()), "the first calls show what the operation does without"
    for _ in range(CALLS_WITHOUT_BODY):
        inputs.observe(evaluated(sampled(one)), is_gain=False)
    sent = [json.loads(body) for body in bodies() if body]
    assert 10 < len(sent) < 30
    assert all(isinstance(document, dict) and len(document) == 1 for document in sent)


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_reads_and_removals_send_no_content_that_nobody_has_asked_for(method):
    inputs = LearnedInputs(Random(1))
    one = msgspec.structs.replace(operation(method), effect="remove")
    for _ in range(CALLS_WITHOUT_BODY):
        inputs.observe(evaluated(sampled(one)), is_gain=False)
    assert not any(build_request(inputs.applied(sampled(one), ())).body for _ in range(40))


def test_a_member_of_the_content_is_tried_as_an_uploaded_file():
    one = operation("POST")
    generator = UndeclaredInputs([], Sampler([one], Settings(), Random(1)), Random(1))
    hint = InputHint(call=0, target=TargetId(1), location="body", path=("cover",))
    outcome = Outcome(Proposal(TestCase((sampled(one),))), evaluated(sampled(one), hint), Improvement())
    generator.observe(outcome)
    sent = []
    while (proposal := generator.propose(0.0)) is not None:
        (call,) = proposal.test_case.calls
        sent.append(build_request(call).body or b"")
    assert any(b'name="cover"; filename="cover.txt"' in body for body in sent)


def test_a_host_is_tried_where_the_program_looks_for_one_in_a_table():
    one = operation("GET")
    generator = UndeclaredInputs([], Sampler([one], Settings(), Random(1)), Random(1))
    hint = KeyHint(call=0, target=TargetId(1), key="127.0.0.1", other="acme.example")
    generator.observe(Outcome(Proposal(TestCase((sampled(one),))), evaluated(sampled(one), hint), Improvement()))
    (call,) = generator.propose(0.0).test_case.calls
    assert [name for name, _ in build_request(call).headers] == ["Accept", "Host"]


def test_a_list_that_the_program_asks_for_is_tried_without_elements():
    one = operation("POST")
    generator = UndeclaredInputs([], Sampler([one], Settings(), Random(1)), Random(1))
    call = with_input(sampled(one), LearnedInput(location="body", path=("lines",)), StringGene("m7xq2"), form=0)
    hint = ListHint(call=0, target=TargetId(1), value="m7xq2")
    outcome = Outcome(Proposal(TestCase((call,))), evaluated(call, hint), Improvement())
    generator.observe(outcome)
    sent = []
    while (proposal := generator.propose(0.0)) is not None:
        sent.append(build_request(proposal.test_case.calls[0]).body)
    assert sent.count(b'{"lines":[]}') == 1


def test_members_that_the_program_calculates_with_are_tried_as_numbers_together():
    one = operation("POST")
    sampler = Sampler([one], Settings(), Random(1))
    generator = UndeclaredInputs([], sampler, Random(1))
    uses = {"kg": ("number",), "count": ("number", "condition"), "name": ("text",), "note": ("number", "text")}
    hints = [
        InputHint(call=0, target=TargetId(1), location="body", path=(name,), uses=used) for name, used in uses.items()
    ]
    generator.observe(Outcome(Proposal(TestCase((sampled(one),))), evaluated(sampled(one), *hints), Improvement()))
    kinds = []
    while (proposal := generator.propose(0.0)) is not None:
        sent = build_request(proposal.test_case.calls[0])
        if dict(sent.headers).get("Content-Type") == "application/json":
            members = json.loads(sent.body)
            kinds.append(tuple(isinstance(members.get(name), int) for name in uses))
    assert (True, True, False, False) in kinds
    assert not any(note or name for *_, name, note in kinds)
    known = {learned.path[0]: learned for learned in sampler.learned.of(one)}
    assert [known[name].is_number for name in uses] == [True, True, False, False]
    both = [known["kg"], known["count"]]
    calls = [sampler.learned.carrying(sampled(one), both) for _ in range(40)]
    types = {tuple(type(value_of_input(call, each)) for each in both) for call in calls}
    assert types == {(int, int), (str, str)}, "numbers in one call, or texts that show what they are compared with"


def test_a_trial_ends_with_the_call_that_has_the_input():
    one, other = operation("POST"), operation("GET")
    generator = UndeclaredInputs([], Sampler([one, other], Settings(), Random(1)), Random(1))
    calls = tuple(map(sampled, (other, one, other)))
    hint = InputHint(call=1, target=TargetId(1), location="query", path=("style",))
    evaluation = evaluated(calls[1], hint)
    first, *_ = evaluation.observations
    evaluation = msgspec.structs.replace(evaluation, test_case=TestCase(calls), observations=(first, first, first))
    generator.observe(Outcome(Proposal(TestCase(calls)), evaluation, Improvement()))
    tried = generator.propose(0.0).test_case
    assert [call.operation for call in tried.calls] == [other, one]
    assert value_of_input(tried.calls[1], LearnedInput(location="query", path=("style",)))


def test_a_call_that_came_further_is_tried_with_the_known_inputs_that_it_lacks():
    one = operation("POST")
    sampler = Sampler([one], Settings(), Random(1))
    generator = UndeclaredInputs([], sampler, Random(1))
    patient, at = (LearnedInput(location="body", path=(name,)) for name in ("patient", "at"))
    for known in (patient, at):
        sampler.learned.learn(one, known)
    sent = sampler.learned.carrying(sampled(one), [patient])
    held = {"patient": value_of_input(sent, patient)}
    hint = InputHint(call=0, target=TargetId(1), location="body", path=("at",), held=held)
    proposal = Proposal(TestCase((sent,)))

    def with_both(improvement):
        """Returns the number of trials of the call that have what it has and what it lacks."""
        generator.observe(Outcome(proposal, evaluated(sent, hint), improvement))
        trials = []
        while (trial := generator.propose(0.0)) is not None:
            trials.append(trial.test_case.calls[0])
        kept = [call for call in trials if value_of_input(call, patient) == held["patient"]]
        return sum(isinstance(value_of_input(call, at), str) for call in kept)

    assert with_both(Improvement()) == 0, "it is known, and the call came no further"
    further = Improvement(newly_covered=(TargetId(2),))
    assert with_both(further) == 1
    assert sum(with_both(further) for _ in range(3 * MAX_FURTHER_TRIALS)) == MAX_FURTHER_TRIALS - 1


def test_a_call_that_was_refused_with_what_nobody_asked_for_has_it_again_after_a_success():
    one = operation("GET")
    generator = UndeclaredInputs([one], Sampler([one], Settings(), Random(1)), Random(1))
    unasked = generator.propose(0.0)
    assert generator.propose(0.0) is None

    def observe(proposal, outcome):
        evaluation = evaluated(proposal.test_case.calls[-1])
        own = msgspec.structs.replace(evaluation.observations[0], outcome=outcome)
        evaluation = msgspec.structs.replace(evaluation, test_case=proposal.test_case, observations=(own,))
        generator.observe(Outcome(proposal, evaluation, Improvement()))

    observe(unasked, "refused")
    assert generator.propose(0.0) is None
    observe(Proposal(TestCase((sampled(one),))), "ok")
    again = generator.propose(0.0)
    cookies = [given.sent_in for given in one.inputs].index("cookie")
    assert again.test_case.calls[0].genes[cookies].phenotype()
    observe(again, "ok")
    assert generator.propose(0.0) is None


def test_names_that_the_search_has_made_up_are_not_learnt():
    one = operation("POST")
    learned = LearnedInputs(Random(1))
    learned.note_made_up((text("body", "zq1xv"), LearnedInput(location="file", path=("cover",))))
    assert not learned.learn(one, text("body", "zq1xv"))
    assert learned.learn(one, text("body", "cover"))


def test_a_member_whose_type_is_compared_has_that_type():
    age = LearnedInput(location="body", path=("user", "age"))
    note = LearnedInput(location="body", path=("note",))
    hint = ComparisonHint(
        target=TargetId(1), call=0, operator="identical", left="string", right="number", wanted=True,
        name="type of body.user.age",
    )  # fmt: skip
    typed = of_type((note, age), hint)
    assert typed is not None and typed.path == age.path and isinstance(typed.template, NumberGene)
    assert of_type((note,), hint) is None
    destructured = msgspec.structs.replace(hint, name="type of age")
    assert of_type((note, age), destructured) == typed
    for other in ({"wanted": False}, {"right": "string"}, {"name": "user.age"}):
        assert of_type((age,), msgspec.structs.replace(hint, **other)) is None


def test_lists_are_learnt_in_documents_within_parts_of_texts():
    one = operation("GET", HttpInput(name="X-Envelope", location="header", template=StringGene("v2.e30=")))
    call = sampled(one).with_gene(0, StringGene("v2.eyJ2IjoyfQ=="))
    hint = InputHint(target=TargetId(1), call=0, location="", path=("items",), held={"v": 2}, uses=("list",))
    learned = located(call, hint)
    assert (learned.path, learned.is_list) == (("X-Envelope", IN_JSON_TEXT, "items"), True)
    assert not located(call, msgspec.structs.replace(hint, held={"w": 2}))
    text = with_input(call, learned, ArrayGene(AnyGene(), (AnyGene(7),))).genes[0].phenotype()
    assert text.startswith("v2.") and held_document(text).document == {"v": 2, "items": [7]}


def test_members_of_a_document_in_base64_join_it():
    one = operation("GET", HttpInput(name="cursor", location="query", template=StringGene("eyJ2IjoyfQ==")))
    call = sampled(one)
    call = call.with_gene(0, StringGene("eyJ2IjoyfQ=="))
    hint = InputHint(target=TargetId(1), call=0, location="", path=("after", "id"), held={"v": 2})
    learned = located(call, hint)
    assert learned.path == ("cursor", IN_JSON_TEXT, "after", "id")
    assert value_of_input(call, learned) is ABSENT
    call = with_input(call, learned, ConstantGene(7))
    assert held_document(call.genes[0].phenotype())[:2] == ({"v": 2, "after": {"id": 7}}, "base64")
    assert value_of_input(call, learned) == 7


def test_a_member_whose_name_is_data_has_any_name_or_that_of_another_input():
    one = operation("POST")
    call = sampled(one)
    any_name = LearnedInput(location="body", path=("map", "*", "limit"))
    made = with_input(call, any_name, ConstantGene(3), form=0)
    assert value_of_input(made, LearnedInput(location="body", path=("map",))) == {"key1": {"limit": 3}}
    assert value_of_input(made, any_name) == 3
    more = with_input(made, LearnedInput(location="body", path=("map", "*", "price")), ConstantGene(4), form=0)
    assert value_of_input(more, LearnedInput(location="body", path=("map",))) == {"key1": {"limit": 3, "price": 4}}
    field = with_input(call, LearnedInput(location="query", path=("field",)), StringGene("abc"))
    named = LearnedInput(location="body", path=("*field", "label"))
    assert value_of_input(
        with_input(field, named, ConstantGene(1), form=0), LearnedInput(location="body", path=())
    ) == {"abc": {"label": 1}}


def test_a_read_tells_that_a_list_or_an_object_of_data_is_wanted():
    one = operation("POST")
    call = sampled(one)
    read = InputHint(target=TargetId(1), call=0, location="body", path=("items",), uses=("list", "condition"))
    assert located(call, read).is_surely_list
    gone_through = located(call, msgspec.structs.replace(read, uses=("iterable", "condition")))
    assert gone_through.is_list and gone_through.may_be_text
    record = msgspec.structs.replace(read, uses=("record",))
    assert [entry.path for entry in entry_of(located(call, record), record)] == [("items", "*")]
    assert entry_of(located(call, read), read) == ()
