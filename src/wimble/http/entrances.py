"""Recognises the operations by which users get in, and gives all operations an input for credentials."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

import msgspec

from wimble.genes import AnyGene, CarriedGene, ChoiceGene, Gene, MapGene, ObjectGene, innermost, wrapped
from wimble.http.binding import binding_of
from wimble.model.identity_names import IDENTITY, PASSWORD
from wimble.model.operation import Entrance, Input, Operation
from wimble.model.resource_names import plain_name, words_in

CREDENTIALS: Final = Input(
    name="credentials", template=CarriedGene(), role="credential", encoding="text", is_undeclared=True
)
_SIGN_UP: Final = re.compile(
    r"sign_?up|register(?!ed)|registration|enrol|create_(?:user|account|admin|member|customer)|add_user|new_user"
    r"|join|bootstrap|onboard"
)
_USERS: Final = re.compile(r"users?|accounts?|members?|customers?|persons?|people")
_KINDS_OF_USERS: Final = re.compile(
    r"admins?|agents?|applicants?|artists?|attendees?|authors?|borrowers?|buyers?|candidates?|clients?|coach(?:es)?"
    r"|contacts?|couriers?|doctors?|donors?|drivers?|employees?|farmers?|guests?|hosts?|keepers?|learners?|managers?"
    r"|merchants?|operators?|organi[sz]ers?|owners?|parents?|participants?|patients?|patrons?|pilots?|players?"
    r"|profiles?|readers?|residents?|riders?|sellers?|staff|students?|subscribers?|teachers?|technicians?|tenants?"
    r"|trainers?|tutors?|vendors?|visitors?|volunteers?|workers?"
)
"""What users are called where an API is about them."""
_LOGIN: Final = re.compile(
    r"log_?in|sign_?in|log_?on|authenticate|auth$|authorize|(?:^|_)sessions?$|tokens?$|jwt$|get_token"
)
_OTHER: Final = re.compile(
    r"log_?out|sign_?out|log_?off|refresh|reset|forgot|change|verify|verification|confirm|revoke|unregister|recover"
    r"|resend|update|delete|remove|device|webhook|oauth|callback"
)


def with_entrances(operations: Iterable[Operation]) -> tuple[Operation, ...]:
    """Returns the operations, each with its kind of entrance, and with an input for credentials as its last one.

    If users can log in, and no operation signs them up by its names, those that create users do, unless a document says
    that they take something else. If none creates what is called a user, the first one that creates what users are
    called elsewhere (`POST /drivers`), and that no document describes, does.
    """
    known = [(one, entrance_of(one)) for one in operations]
    logins = [one for one, entrance in known if entrance == "login"]
    makers_of_tokens = [one for one in logins if _makes_tokens(one)]
    if len(makers_of_tokens) < len(logins):
        # Whoever has logged in makes tokens, of an API or of a device.
        known = [(one, "" if one in makers_of_tokens else entrance) for one, entrance in known]
    entrances = {entrance for _, entrance in known}
    makers: list[Operation] = []
    if "login" in entrances and "sign-up" not in entrances:
        free = [one for one, entrance in known if not entrance]
        makers = [one for one in free if _creates(one, _USERS) and (_is_undeclared(one) or _takes_identity(one))]
        makers = makers or [one for one in free if _creates(one, _KINDS_OF_USERS) and _is_undeclared(one)][:1]
    return tuple(
        msgspec.structs.replace(
            one, inputs=(*one.inputs, CREDENTIALS), entrance="sign-up" if one in makers else entrance
        )
        for one, entrance in known
    )


def _makes_tokens(operation: Operation) -> bool:
    """Whether only the last word of its name says that an operation is a login (`POST /account/tokens`)."""
    words = _words_of(operation)
    without_end = f"{words}_"  # what is a login at the end of a name alone does not count
    return _is_undeclared(operation) and words.endswith("tokens") and _LOGIN.search(without_end) is None


def _words_of(operation: Operation) -> str:
    return "_".join(words_in(str(operation.id).partition(" ")[2]))


def _creates(operation: Operation, called: re.Pattern[str]) -> bool:
    """Whether the operation creates something in a collection that is called so."""
    place = operation.place
    return operation.effect == "create" and bool(place) and bool(called.fullmatch(place[-1].lower()))


def _is_undeclared(operation: Operation) -> bool:
    """Whether no document says what the operation takes."""
    return all(given.is_undeclared for given in operation.inputs if given.role == "content")


def _takes_identity(operation: Operation) -> bool:
    """Whether a document says that the operation takes what tells users apart; it may have left out the password."""
    declared = [given for given in operation.inputs if given.role == "content" and not given.is_undeclared]
    return any(IDENTITY.search(plain_name(name)) for given in declared for name in _names(given.name, given.template))


def entrance_of(operation: Operation) -> Entrance:
    """Returns whether the operation signs users up or logs them in, by its names and by what it takes."""
    binding = binding_of(operation)
    if operation.effect in ("remove", "change") or binding.graphql == "query":
        return ""
    names = f"{_words_of(operation)} {'_'.join(words_in(binding.operation_id))}"
    if _OTHER.search(names):
        return ""
    declared = [given for given in operation.inputs if not given.is_undeclared]
    fields = [plain_name(name) for given in declared for name in _names(given.name, given.template)]
    has_password = any(PASSWORD.search(name) for name in fields)
    if not has_password and (fields or operation.effect == "read"):
        return ""
    if any(_SIGN_UP.search(name) for name in names.split()):
        return "sign-up"
    if any(_LOGIN.search(name) for name in names.split()):
        return "login"
    is_user = has_password and any(IDENTITY.search(name) for name in fields)
    return "sign-up" if is_user and operation.effect == "create" else ""


def _names(name: str, gene: Gene) -> list[str]:
    """Returns the names of all members, also of those that are left out; the own name if there are none."""
    found: list[str] = []
    _collect(gene, found, 0)
    if len(found) == 1 and isinstance(inner := innermost(gene), ObjectGene) and _is_free(inner.fields[0][1]):
        return []  # an envelope of whatever there is
    return found or ([] if _is_free(gene) else [name])


def _collect(gene: Gene, found: list[str], depth: int) -> None:
    if depth > 6:
        return
    if isinstance(gene, ObjectGene):
        for key, inner in gene.fields:
            found.append(key)
            _collect(inner, found, depth + 1)
        return
    left_out = wrapped(gene)
    for child in gene.children() or (() if left_out is None else (left_out,)):
        _collect(child, found, depth + 1)


def _is_free(gene: Gene) -> bool:
    """Whether the gene is a document of any shape, or may be one."""
    gene = innermost(gene)
    return isinstance(gene, AnyGene | MapGene) or (isinstance(gene, ChoiceGene) and any(map(_is_free, gene.options)))
