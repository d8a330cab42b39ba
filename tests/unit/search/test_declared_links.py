"""Links lead to operations whose paths tell nothing of each other, and feed each kind of input."""

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.http.declarations import DeclaredLink
from wimble.http.link_targets import with_links
from wimble.model.testcase import Call
from wimble.search.resources.declared_links import DeclaredLinks
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.techniques import switched_off

NAMED_RECEIPT = operation("GET", "/api/receipts/{ref}", operation_id="getReceipt", ref=StringGene())
SEARCH = operation("GET", "/api/search", token=OptionalGene(StringGene(), False))
VOID = operation("POST", "/api/void", body=StringGene())
ECHO = operation("GET", "/api/echo/{n}", n=IntegerGene())
CHECKOUT = operation(
    "POST",
    "/api/checkout",
    body=ObjectGene((("amount", IntegerGene()),)),
    links=(
        DeclaredLink(name="ref", pointer="/voucher", target="getReceipt"),
        DeclaredLink(name="token", location="query", pointer="/voucher", target="GET /search"),
        DeclaredLink(location="body", pointer="/voucher", target="POST /void"),
        DeclaredLink(name="n", pointer="/amount", sent_in="body", target="GET /echo/{n}"),
        DeclaredLink(name="gone", pointer="/voucher", target="nobody"),
    ),
)
API = with_links([NAMED_RECEIPT, SEARCH, VOID, ECHO, CHECKOUT])
CHECKOUT = API[-1]


def share_behind_checkout(target, is_fed, off=frozenset()):
    sampler = Sampler(API, Settings(switched_off=off), Random(5))
    samples = [sampler.sample_for(target) for _ in range(200)]
    fed = 0
    for sample in samples:
        operations = [call.operation for call in sample.calls]
        if CHECKOUT in operations and target in operations[operations.index(CHECKOUT) :]:
            at = len(operations) - 1 - operations[::-1].index(target)
            fed += is_fed(sample, at)
    return fed / len(samples)


def is_reference(sample, at):
    gene = sample.calls[at].genes[0]
    return isinstance(gene, ReferenceGene) and gene.pointer == "/voucher"


def is_amount(sample, at):
    amounts = [call.genes[0].phenotype()["amount"] for call in sample.calls[:at] if call.operation is CHECKOUT]
    return sample.calls[at].genes[0].phenotype() in amounts


def test_parameters_and_bodies_take_what_links_say():
    for target in (NAMED_RECEIPT, SEARCH, VOID):
        assert share_behind_checkout(target, is_reference) > 0.5, target.id
    assert share_behind_checkout(ECHO, is_amount) > 0.5


def test_without_references_nothing_is_taken():
    assert share_behind_checkout(SEARCH, is_reference, switched_off(["references"])) == 0


def test_what_links_name_is_found_behind_the_base_path_and_unknown_names_are_left_out():
    links = DeclaredLinks(API)
    assert links.followers(CHECKOUT) == (NAMED_RECEIPT, SEARCH, VOID, ECHO)
    assert links.sources(VOID) == (CHECKOUT,)
    assert links.producers(ECHO, 0) == ()
    assert links.producers(NAMED_RECEIPT, 0) == (CHECKOUT,)


def test_a_value_that_is_not_known_before_it_is_sent_is_not_copied():
    bound = Call(CHECKOUT, (ReferenceGene(0, "/x", ObjectGene(())),))
    call = Call(ECHO, (IntegerGene(value=4),))
    assert DeclaredLinks(API).followed(call, [bound], Random(1)).genes == call.genes
