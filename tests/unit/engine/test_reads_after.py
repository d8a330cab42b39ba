"""Which reads show what a call has changed."""

from wimble.engine.races.race_cases import reads_after
from wimble.genes import CarriedGene, Gene, IntegerGene, ObjectGene, ReferenceGene, StringGene
from wimble.genes.carried import CredentialGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.entrances import with_entrances
from wimble.model.carried_credentials import carried_by, with_carried
from wimble.model.operation import Operation
from wimble.model.testcase import Call
from wimble.types import OperationId


def operation(method: str, path: str, **inputs: Gene) -> Operation:
    places = {"body": "body"}
    made = [
        HttpInput(name=name, location=places.get(name, "path"), template=gene, required=True)
        for name, gene in inputs.items()
    ]
    return http_operation(id=OperationId(f"{method} {path}"), method=method, path=path, inputs=made)


BOOK, VISITS, ROOM, ALL, PAY, INVOICE = with_entrances(
    [
        operation(
            "POST", "/appointments", body=ObjectGene((("patientId", IntegerGene(1)), ("reason", StringGene("x"))))
        ),
        operation("GET", "/patients/{id}/statistics", id=StringGene("1")),
        operation("GET", "/rooms/{id}", id=StringGene("1")),
        operation("GET", "/appointments"),
        operation("POST", "/invoices/{id}/payments", id=StringGene("1")),
        operation("GET", "/invoices/{id}", id=StringGene("1")),
    ]
)
READS = (VISITS, ROOM, ALL, INVOICE)
PATIENT = ReferenceGene(0, "/id", IntegerGene(1))
TOKEN = CarriedGene((("header Authorization", CredentialGene(1, "/token", StringGene("t"))),))


def test_paths_name_what_the_content_does():
    call = Call(BOOK, (ObjectGene((("patientId", PATIENT), ("reason", StringGene("x")))), CarriedGene()))
    reads = reads_after(call, READS)
    assert [read.operation for read in reads] == [VISITS, ALL], "a room is not named"
    assert reads[0].genes[0] == PATIENT


def test_the_user_of_the_call_reads():
    call = with_carried(Call(PAY, (StringGene("7"), CarriedGene())), TOKEN)
    (nearest, *_) = reads_after(call, READS)
    assert nearest.operation is INVOICE
    assert nearest.genes[0] == StringGene("7")
    assert carried_by(nearest) == TOKEN
