"""Values by which a user signs up and logs in: plausible ones, fresh ones, and the same ones in both calls."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Final
from uuid import UUID

import msgspec

from wimble.genes import (
    AnyGene,
    EnumGene,
    Gene,
    MapGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    StringGene,
    innermost,
)
from wimble.genes.gene import GenePath
from wimble.genes.taint_markers import taint_marker
from wimble.model.identity_names import IDENTITY, SECRET
from wimble.model.learned_input import LearnedInput
from wimble.model.resource_names import plain_name
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.learned.members import JSON_FORM, PAGE_FORM, undeclared_content, with_input
from wimble.search.learned.replaced_texts import with_texts
from wimble.search.resources.input_names import NamedGene, iter_named_genes
from wimble.types import ABSENT, Json

PASSWORD_START: Final = "Passw0rd!"
"""Has letters of both cases, a digit and a sign, as most rules for passwords ask for."""
MIN_NAME: Final = 3
"""Length of a text that may be what a user is known by, whatever it is called."""
MAX_SAMPLES: Final = 5
_EMAIL: Final = re.compile(r"e?mail")
_PHONE: Final = re.compile(r"phone|mobile|tel$")
_IN_BRACKETS: Final = re.compile(r"\[(\w+)\]$")
_UUID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_LETTERS_FOR_DIGITS: Final = str.maketrans("0123456789", "ghijklmnop")
_NUMBER: Final = re.compile(r"^\+?\d{6,}$")


def with_plausible_identity(call: Call, rng: Random, accepted: Call | None = None) -> Call:
    """Returns the call with an e-mail address, a name and a password that validators accept, where it has such inputs.

    Values that the document restricts (by a pattern, or to an enumeration) stay as they were sampled.
    accepted: a call of the same operation that has succeeded; what is an address, a number or the like in it is one
    again, whatever the input is called.
    """
    token = taint_marker(rng)
    changed = TestCase((call,))
    before = {} if accepted is None else dict(texts_sent(accepted))
    for named in _named_genes(call):
        name = plain_name(named.name)
        value = _plausible(name, token)
        if value is not None and name in before and not SECRET.search(name):
            value = _of_kind_of(before[name], value, token, rng)
        if value is not None and not _is_restricted(named.gene):
            changed = _with_value(changed, named.address, named.gene, value)
    for address, gene in _free_documents(call):
        changed = _with_value(changed, address, gene, _user(token))
    return _with_undeclared(changed.calls[0], _user(token))


def with_fresh_identity(test_case: TestCase, rng: Random) -> TestCase:
    """Returns the calls that get a user in, as another user: a name may be taken. Several users stay several.

    The values of sign-ups that identify the user are replaced, in all calls that send them.
    """
    new: dict[str, str] = {}
    for call in test_case.calls:
        if call.operation.entrance == "sign-up":
            values = [value for value in names_of_user(call) if value not in new]
            token = taint_marker(rng) if values or not new else ""
            new |= {value: _fresh(value, token, rng) for value in values}
    for call in test_case.calls if new else ():
        for named in _named_genes(call):
            _keep_to_pattern(named.gene, new, rng)
    return with_texts(test_case, new)


def _keep_to_pattern(gene: Gene, new: dict[str, str], rng: Random) -> None:
    """Replaces the new value of a text by one that the text's pattern allows."""
    gene = innermost(gene)
    if not isinstance(gene, StringGene) or gene.pattern is None or gene.value not in new:
        return
    for _ in range(MAX_SAMPLES):
        if gene.with_text(new[gene.value]).is_valid() or not gene.is_valid():
            return
        new[gene.value] = gene.sampled(rng).value


def with_identity_of(call: Call, signed_up: Call, preference: int) -> Call:
    """Returns a login with the values of a sign-up.

    preference: which of the sign-up's values is the identity, if the login has no input of the same name: 0 for an
    e-mail address, 1 for any other first, 2 for the second.
    """
    values = dict(texts_sent(signed_up))
    password = next((value for name, value in values.items() if SECRET.search(name)), None)
    identities = _names_among(values.items())
    identities.sort(key=lambda value: "@" not in value)
    changed = TestCase((call,))
    for named in _named_genes(call):
        name = plain_name(named.name)
        value: str | None = None
        if SECRET.search(name):
            value = password
        elif name in values:
            value = values[name]
        elif IDENTITY.search(name) and identities:
            value = identities[preference % len(identities)]
        if value is not None:
            changed = _with_value(changed, named.address, named.gene, value)
    for address, gene in _free_documents(call):
        changed = _with_value(changed, address, gene, _as_login(signed_up))
    return _with_undeclared(changed.calls[0], _as_login(signed_up))


def with_same_user(call: Call, signed_up: Call) -> Call:
    """Returns a sign-up with name, address and password of another one; its other values stay as they are."""
    values = {name: value for name, value in _written_texts(signed_up) if tells_user(plain_name(name))}
    by_name = {plain_name(name): value for name, value in values.items()}
    changed = TestCase((call,))
    for named in _named_genes(call):
        value = by_name.get(plain_name(named.name))
        if value is not None:
            changed = _with_value(changed, named.address, named.gene, value)
    for address, gene in _free_documents(call):
        own = gene.phenotype()
        changed = _with_value(changed, address, gene, {**(own if isinstance(own, dict) else {}), **values})
    return _with_undeclared(changed.calls[0], dict(values))


def with_less_of_user(test_case: TestCase, rng: Random) -> TestCase:
    """Returns the calls that get a user in, with a sign-up that leaves out an optional input.

    Passwords stay, and what other calls send as well. What the program keeps of a user may lack the rest.
    """
    left_out = [
        address
        for address, gene in test_case.iter_genes()
        if address.call >= 0
        and test_case.calls[address.call].operation.entrance == "sign-up"
        and isinstance(gene, OptionalGene)
        and gene.is_present
        and not _is_needed(test_case, address)
    ]
    if not left_out:
        return test_case
    address = rng.choice(left_out)
    return test_case.with_gene(address, msgspec.structs.replace(test_case.gene_at(address), is_present=False))


def _is_needed(test_case: TestCase, address: GeneAddress) -> bool:
    """Whether what a gene of a sign-up is or contains has to do with getting in."""
    size = len(address.path)
    others = [call for at, call in enumerate(test_case.calls) if at != address.call]
    sent = {text for call in others for _, text in _written_texts(call)}
    return any(
        SECRET.search(plain_name(one.name)) or _is_among(sent, one.gene.phenotype())
        for one in iter_named_genes(test_case.calls[address.call], address.call)
        if one.address.input == address.input and one.address.path[:size] == address.path
    )


def _is_among(texts: Collection[str], value: object) -> bool:
    return isinstance(value, str) and value in texts


def tells_user(name: str) -> bool:
    """Whether an input of this plain name tells who a user is, or is a secret of the user."""
    return bool(IDENTITY.search(name) or SECRET.search(name))


def with_identity_as_form(call: Call, signed_up: Call) -> Call:
    """Returns a login that sends the values of a sign-up as a page with a form does.

    The same call, if a document declares what it sends.
    """
    content = undeclared_content(call.operation)
    if content is None:
        return call
    index = call.operation.inputs.index(content)
    empty = call.with_gene(index, content.template)
    return _with_undeclared(empty, _as_login(signed_up), PAGE_FORM)


def with_identity_alone(call: Call, signed_up: Call, preference: int) -> Call:
    """Returns a login with one identity and the password of a sign-up, and nothing else.

    Validators refuse members that they do not know. The same call, if a document declares what it sends, or the sign-up
    has no other member.
    """
    content = undeclared_content(call.operation)
    given = _as_login(signed_up)
    names = [name for name in given if IDENTITY.search(plain_name(name)) and not SECRET.search(plain_name(name))]
    names.sort(key=lambda name: "@" not in str(given[name]))
    secret = next((name for name in given if SECRET.search(plain_name(name))), None)
    if content is None or secret is None or preference >= len(names):
        return call
    alone = {name: given[name] for name in (names[preference], secret)}
    return _with_undeclared(call.with_gene(call.operation.inputs.index(content), content.template), alone)


def user_and_password(call: Call, preference: int) -> tuple[str, str] | None:
    """Returns what a sign-up has sent as the name of the user and as the password."""
    values = list(texts_sent(call))
    passwords = [value for name, value in values if SECRET.search(name)]
    users = _names_among(values)
    return (users[preference % len(users)], passwords[0]) if users and passwords else None


def _user(token: str) -> dict[str, Json]:
    """Returns a user as the content of a sign-up or login."""
    names: dict[str, Json] = {"username": f"u{token}", "name": f"u{token}", "email": f"{token}@example.com"}
    return {**names, "password": PASSWORD_START + token}


def _with_undeclared(call: Call, members: dict[str, Json], form: int = JSON_FORM) -> Call:
    """Returns the call with these members in its content, if no document declares it and it has no password yet."""
    has_password = any(SECRET.search(name) for name, _ in texts_sent(call))
    if undeclared_content(call.operation) is None or has_password:
        return call
    for name, value in members.items():
        if isinstance(value, str):
            one = LearnedInput(location="body", path=(name,))
            call = with_input(call, one, StringGene(value), form=form) or call
    return call


def _plausible(name: str, token: str) -> str | None:
    if SECRET.search(name):
        return PASSWORD_START + token
    if _EMAIL.search(name):
        return f"{token}@example.com"
    if _PHONE.search(name):
        return "+14155550" + str(sum(map(ord, token)) % 900 + 100)
    return f"u{token}" if IDENTITY.search(name) else None


def _of_kind_of(accepted: str, plausible: str, token: str, rng: Random) -> str:
    kind = _kind_of(accepted)
    return plausible if kind in ("", _kind_of(plausible)) or "@" in plausible else _fresh(accepted, token, rng)


def _kind_of(value: str) -> str:
    """Returns what a validator may have asked for, as far as a value shows it; empty for a text of any characters."""
    if "@" in value:
        return "address"
    if _NUMBER.match(value):
        return "number"
    if _UUID.fullmatch(value):
        return "uuid"
    return "letters" if value.isascii() and value.isalpha() else ""


def _fresh(value: str, token: str, rng: Random) -> str:
    """Returns another value of the same kind."""
    match _kind_of(value):
        case "address":
            return f"{token}@{value.rpartition('@')[2]}"
        case "number":
            return value[:-4] + str(rng.randrange(1000, 10_000))
        case "uuid":
            return str(UUID(int=rng.getrandbits(128), version=4))
        case "letters":
            letters = token.translate(_LETTERS_FOR_DIGITS)
            return _ending(value, letters.upper() if value.isupper() else letters)
    return _ending(value, token)


def _ending(value: str, end: str) -> str:
    """Returns the text with another end, as long as before if it has room for it: validators limit lengths."""
    return value[: len(value) - len(end)] + end if len(value) > len(end) else value + end


def fresh_text(value: str, rng: Random) -> str:
    """Returns another text of the same kind: an address, a number, a UUID."""
    return _fresh(value, taint_marker(rng), rng)


def last_sign_up(calls: Sequence[Call]) -> Call | None:
    """Returns the last sign-up among the calls; None if there is none."""
    return next((call for call in reversed(calls) if call.operation.entrance == "sign-up"), None)


def names_of_user(call: Call) -> list[str]:
    """Returns the values of the call by which a user is known: names, addresses and phone numbers.

    If nothing in it is called like that (`agency`, `club`), the first text that may be any is one, which is no secret.
    """
    named = _names_among(texts_sent(call))
    if named or call.operation.entrance != "sign-up":
        return named
    chosen = {one.gene.phenotype() for one in _named_genes(call) if isinstance(innermost(one.gene), EnumGene)}
    free = (text for name, text in texts_sent(call) if not SECRET.search(name) and text not in chosen)
    return [text for text in free if len(text) >= MIN_NAME][:1]


def names_sent(call: Call) -> frozenset[str]:
    """Returns the plain names of the texts that a call sends."""
    return frozenset(name for name, _ in texts_sent(call))


def _names_among(texts: Iterable[tuple[str, str]]) -> list[str]:
    return [value for name, value in texts if IDENTITY.search(name) and not SECRET.search(name)]


def texts_sent(call: Call) -> Iterator[tuple[str, str]]:
    """Yields plain name and text of the inputs of a call."""
    return ((plain_name(name), value) for name, value in _written_texts(call))


def _written_texts(call: Call, *, is_content: bool = False) -> Iterator[tuple[str, str]]:
    """Yields name and text of the inputs, or of the content only."""
    for named in _named_genes(call):
        value = named.gene.phenotype()
        is_sent = isinstance(value, str) and value and not isinstance(named.gene, ReferenceGene)
        if is_sent and (named.role == "content" or not is_content):
            yield named.name, value
    for _, gene in _free_documents(call):
        value = gene.phenotype()
        if isinstance(value, dict):
            yield from ((key, item) for key, item in value.items() if isinstance(item, str) and item)


def _as_login(signed_up: Call) -> dict[str, Json]:
    """Returns what a login that no document describes sends: texts of the content of a sign-up, or all if it has none.

    A name with brackets (`owner[email]`) is sent without what is before them, too.
    """
    own = list(_written_texts(signed_up, is_content=True)) or list(_written_texts(signed_up))
    inner = [(found[1], text) for name, text in own if (found := _IN_BRACKETS.search(name))]
    return dict([*inner, *own])


def _named_genes(call: Call) -> Iterator[NamedGene]:
    """Yields the leaves of all inputs with names of their own."""
    free = {address.input for address, _ in _free_documents(call)}
    return (named for named in iter_named_genes(call, 0) if named.address.input not in free)


def _free_documents(call: Call) -> Iterator[tuple[GeneAddress, Gene]]:
    """Yields the contents of a call that may have any members."""
    for index, (given, gene) in enumerate(zip(call.operation.inputs, call.genes, strict=True)):
        if given.role != "content":
            continue
        path, inner = _only_child(gene)
        if is_free(given.template) and not (isinstance(inner, ObjectGene) and inner.fields):
            yield GeneAddress(0, index), gene
            continue
        # An edit may have put a document of any shape where the template has several forms.
        if isinstance(inner, AnyGene | MapGene) and isinstance(inner.phenotype(), dict):
            yield GeneAddress(0, index, path), inner


def _only_child(gene: Gene) -> tuple[GenePath, Gene]:
    """Returns the gene within those that have one child each, such as the chosen one of several forms, and its path."""
    path: GenePath = ()
    while not isinstance(gene, AnyGene | MapGene | ObjectGene) and len(gene.children()) == 1:
        path, gene = (*path, 0), gene.children()[0]
    return path, gene


def is_free(gene: Gene) -> bool:
    """Whether the gene is a document that may have any members."""
    return isinstance(innermost(gene), AnyGene | MapGene)


def _is_restricted(gene: Gene) -> bool:
    gene = innermost(gene)
    return isinstance(gene, EnumGene | ReferenceGene) or (isinstance(gene, StringGene) and gene.pattern is not None)


def _with_value(test_case: TestCase, address: GeneAddress, gene: Gene, value: Json) -> TestCase:
    new = gene.with_value(value) if value is not ABSENT else None
    return test_case if new is None else test_case.with_gene(address, new)
