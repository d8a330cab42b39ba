"""`compare` hints: operands met at a comparison whose outcome is uncovered -> inputs that turn it round (seed 000 §3.5).

Either operand may come from an input; then that input gets the value that makes the comparison turn out as wanted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from random import Random

import msgspec

from wimble.feedback.edit import Edit, Proposal, SetupEdit
from wimble.feedback.inputs import InputIndex
from wimble.feedback.lists import listed
from wimble.feedback.members import names_down_to, places_of_member
from wimble.feedback.named import places_in_columns, places_named, plain_name
from wimble.feedback.origin import Origin, Place
from wimble.feedback.shifted import shifted
from wimble.feedback.sites import Site
from wimble.feedback.together import TOGETHER_COST, moved_along
from wimble.feedback.transforms.base import CHANGED_COST
from wimble.feedback.type_names import TYPE_NAMES, retyped
from wimble.feedback.values import Operand, decoded, is_number, to_number, to_text
from wimble.feedback.wanted import Question, wanted_operands
from wimble.genes import AnyGene, Gene, JsonTextGene, StringGene
from wimble.genes.marks import mark
from wimble.model.database import TableName
from wimble.model.evaluation import CompareHint
from wimble.model.setup import MAX_SETUP, InsertAction, with_copy
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.solve.regex import fullest_match
from wimble.types import ABSENT

ORDERS = frozenset({"<", "<=", ">", ">="})
ABSENT_COST = 3
"""An undefined operand may be any of the inputs left out."""
MAX_SWITCHED_ON = 4
"""Inputs left out that are tried for one undefined operand."""
NAMED_COST = 0
"""An input that is called as what the operand was read from."""
UNPARSED_COST = 4
"""NaN may be any text that is no number."""
UNMATCHED_COST = 9
"""A literal that met no input at all: tried on a few strings, since a lookup or hash may lie between."""
KEY_COST = 4
"""Another key of a look-up that may have a part in the comparison."""
SPLIT_COST = 2
"""A text has too few parts, perhaps."""
MAX_NAMED = 2
"""Values that are tried for a member that is missing."""
MAX_UNMATCHED = 3
SEPARATORS = ("@", ":", ",", "-", "/", "=", " ", ";", "|", "_", ".")
"""What programs split texts by."""
MAX_PARTS = 20
MAX_MOVED = 6
"""Inputs tried where a number is an input with something added."""
_PARTS = re.compile(r"([^A-Za-z0-9]+)")
COUNT_COST = 4
"""A small number may count rows that were put in; most count something else."""
TYPE_COST = 4
"""Which input `typeof` was asked of cannot be seen."""
MAX_ORIGINS = 6
"""Inputs considered for one operand; the rest is as good by chance only."""


def compare_edits(hint: CompareHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Edits for one hint, not yet in order, possibly repeated."""
    left, right = decoded(hint.left), decoded(hint.right)
    if hint.is_about_member:
        return list(_from_member(hint, right, index, rng))
    if hint.operator == "key":
        return list(_from_key(hint, left, right, index))
    if hint.operator == "split":
        return list(_from_split(hint, left, right, index, rng))
    if hint.operator == "groups":
        return list(_from_groups(hint, left, right, index, rng))
    if hint.operator == "type":
        return list(_from_list(hint, left, right, index, rng))
    sides = [(left, right, True)]
    if hint.operator not in ("truthy", "format"):
        sides.append((right, left, False))
    out: list[Proposal] = []
    has_origin = False
    for mine, other, is_left in sides:
        question = Question(hint.operator, mine, other, is_left, hint.wanted, hint.flags)
        # Literals mostly stand on the right.
        origins = index.origins(mine, with_guesses=is_left)
        if hint.name and len(origins) > 1:
            origins = _named_first(origins, hint.name, index.test_case)
        origins = origins[:MAX_ORIGINS]
        has_origin = has_origin or bool(origins)
        if origins:
            out += _from_origins(hint, question, origins, index, rng)
        elif mine is ABSENT or mine is None:
            out += _from_absent(hint, question, index, rng)
        elif isinstance(mine, float) and math.isnan(mine):
            out += _from_unparsed(hint, question, index, rng)
        elif is_left and is_number(mine) and is_number(other):
            out += _from_unequal(hint, question, index, rng)
        out += _from_counts(hint, question, index, rng)
    if not has_origin and isinstance(left, str) and isinstance(right, str) and {left, right} <= TYPE_NAMES:
        for place, how in retyped(index.sites_of_call(), index.test_case, left, right, hint.wanted, rng):
            out.append(_proposal(hint, TYPE_COST, place, how))
    elif not has_origin and not out:
        out = list(_from_unmatched(hint, sides, index, rng))
    if hint.name and ABSENT in (left, right):
        out += _from_unnamed(hint, left, right, index, rng)
    elif hint.name and not has_origin:
        out += _from_default(hint, left, right, index, rng)
    return out


def _named_first(origins: list[Origin], name: str, test_case: TestCase) -> list[Origin]:
    """Of inputs and columns with the same value (null, 1, "a") the one that is called so has it: it is tried before the others."""
    named, others = [], []
    for origin in origins:
        if origin.place is not None and _is_named(origin.place[0], name, test_case):
            named.append(msgspec.structs.replace(origin, cost=NAMED_COST))
        else:
            others.append(origin)
    return [*named, *others]


def _proposal(hint: CompareHint, cost: int, place: Place, how: str, also: tuple[Place, ...] = ()) -> Proposal:
    address, gene = place
    why = f"{hint.operator} {str(hint.wanted).lower()}: {how}"
    return Proposal(cost, Edit(address, gene, hint.target, why, also))


def _from_key(hint: CompareHint, key: Operand, other: Operand, index: InputIndex) -> Iterator[Proposal]:
    """An input was a key of a table whose value decided, perhaps: it becomes another key. Elsewhere the hint says nothing."""
    for origin in index.origins(key, with_guesses=False)[:MAX_ORIGINS]:
        places = origin.write(other)
        if places:
            yield _proposal(
                hint, KEY_COST + origin.cost, places[0], f"{origin.how}, another key, {other!r:.60}", places[1:]
            )


def _from_member(hint: CompareHint, right: Operand, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """A library found a member of a document wrong, and said what it has to be."""
    question = Question(hint.operator, ABSENT, right, True, hint.wanted, hint.flags)
    for cost, place in places_of_member(hint.name, question, index, hint.call, rng):
        yield _proposal(hint, cost, place, f"{hint.name[1:]} has to be {hint.operator} {right!r:.60}")


def _from_split(
    hint: CompareHint, text: Operand, separator: Operand, index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    """A text was taken apart, and what followed may want more parts: one or two more, words or digits."""
    if not isinstance(separator, str) or not separator:
        return
    word, digits = mark(rng), [str(rng.randrange(10)) for _ in range(2)]
    more = [word, digits[0], separator.join((word, mark(rng))), separator.join(digits)]
    how = f"split by {separator!r}, more parts"
    if isinstance(text, str):
        found = [(text, origin) for origin in index.origins(text, with_guesses=False)[:MAX_ORIGINS]]
    else:
        found = index.decoded_texts()[:MAX_ORIGINS]
        texts = [site for site in index.sites_of_call() if site.is_free() and isinstance(site.value, str)]
        for site in _sample(texts, MAX_UNMATCHED, rng):
            for rank, parts in enumerate(more):
                place = site.put((to_text(site.value) or mark(rng)) + separator + parts)
                if place is not None:
                    yield _proposal(hint, UNMATCHED_COST + rank, place, how)
    for own, origin in found:
        for rank, parts in enumerate(more):
            places = origin.write((own or mark(rng)) + separator + parts)
            if places:
                yield _proposal(hint, SPLIT_COST + origin.cost + rank, places[0], f"{origin.how}, {how}", places[1:])


def _from_groups(
    hint: CompareHint, text: Operand, source: Operand, index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    """A text matched without some group of the expression, and what followed may want that: a match with all of them."""
    fullest = fullest_match(source, hint.flags, rng) if isinstance(source, str) else None
    if not isinstance(text, str) or fullest is None:
        return
    for origin in index.origins(text, with_guesses=False)[:MAX_ORIGINS]:
        places = origin.write(fullest)
        if places:
            yield _proposal(hint, SPLIT_COST + origin.cost, places[0], f"{origin.how}, with all groups", places[1:])


def _from_list(hint: CompareHint, left: Operand, right: Operand, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """One value where the program asked for a list: the input of that value becomes one, or one of those that were left out."""
    if right != "array" or not hint.wanted:
        return
    free = [site for site in index.sites_of_call() if site.is_free()]
    if left is ABSENT or left is None:
        found = _sample([site for site in free if site.value is ABSENT or site.value is None], MAX_SWITCHED_ON, rng)
        cost = ABSENT_COST
    else:
        text = to_text(left)
        found = [site for site in free if site.value is not ABSENT and to_text(site.value) == text][:MAX_ORIGINS]
        cost = 0
    for site in found:
        place = listed(site, index.test_case, rng)
        if place is not None:
            yield _proposal(hint, cost, place, "a list of it")


def _from_origins(
    hint: CompareHint, question: Question, origins: list[Origin], index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    wanted = wanted_operands(question, rng)
    for origin in origins:
        if not question.wanted and question.operator in ("===", "==", "switch") and origin.place is not None:
            address, gene = origin.place
            if gene.is_mutable():
                # Any other value will do: let the gene choose one that its constraints allow.
                yield _proposal(hint, origin.cost, (address, gene.mutated(rng, 0.0)), f"{origin.how}, another value")
        if (
            question.wanted
            and question.operator == "format"
            and origin.cost <= CHANGED_COST
            and origin.place is not None
        ):
            specialised = _specialised(origin.place[1], question.other, rng)
            if specialised is not None:
                how = f"{origin.how}, asked for {question.other}"
                yield _proposal(hint, origin.cost, (origin.place[0], specialised), how)
        for rank, value in enumerate(wanted):
            places = origin.write(value)
            if places:
                how = f"{origin.how}, {value!r:.60}"
                yield _proposal(hint, origin.cost + rank, places[0], how, places[1:])
        if question.operator in ORDERS and wanted and origin.cost <= CHANGED_COST:
            moved = moved_along(origin, wanted[0], index.sites_of_call())
            if moved:
                how = f"{origin.how}, {wanted[0]!r:.60}, and what is like it"
                yield _proposal(hint, origin.cost + TOGETHER_COST, moved[0], how, moved[1:])


def _specialised(gene: Gene, name: Operand, rng: Random) -> Gene | None:
    """The gene as one of that format, which its mutations will keep to (seed 001 §4.3)."""
    if not isinstance(gene, StringGene) or not isinstance(name, str):
        return None
    if name == "json":
        return JsonTextGene(AnyGene({mark(rng): mark(rng)}), gene)
    return gene.specialised(name, rng)


def _from_absent(hint: CompareHint, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Inputs that are left out or null, switched on: with the wanted value, or any where none is known."""
    empty = [site for site in index.sites_of_call() if (site.value is ABSENT or site.value is None) and site.is_free()]
    named = [site for site in empty if hint.name and _is_named(site.address, hint.name, index.test_case)][
        :MAX_SWITCHED_ON
    ]
    others = _sample([site for site in empty if site not in named], MAX_SWITCHED_ON - len(named), rng)
    yield from _switched_on(hint, question, NAMED_COST, named, rng)
    yield from _switched_on(hint, question, ABSENT_COST, others, rng)


def _from_default(
    hint: CompareHint, left: Operand, right: Operand, index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    """What no input sent may stand for one that is left out: a default, which the program or its framework has put in its place."""
    named = [site for site in index.sites_of_call() if site.value is ABSENT and site.is_free()]
    named = [site for site in named if _is_named(site.address, hint.name, index.test_case)][:MAX_SWITCHED_ON]
    question = Question(hint.operator, left, right, True, hint.wanted, hint.flags)
    yield from _switched_on(hint, question, NAMED_COST, named, rng)


def _switched_on(
    hint: CompareHint, question: Question, cost: int, sites: list[Site], rng: Random
) -> Iterator[Proposal]:
    wanted = [value for value in wanted_operands(question, rng) if value is not ABSENT and value is not None]
    for site in sites:
        is_written = False
        for rank, value in enumerate(wanted):
            place = site.put(value)
            if place is not None:
                is_written = True
                yield _proposal(hint, cost + rank, place, f"left out so far, {value!r:.60}")
        if not is_written or hint.operator == "truthy":
            fresh = site.gene.mutated(rng, 0.0)
            yield _proposal(hint, cost + 1, (site.address, fresh), "left out so far, any value")


def _is_named(address: GeneAddress, name: str, test_case: TestCase) -> bool:
    """Is the input, or the column, called as what was read, `query.dueBefore`? Programs write `due_before` and `Due-Before` so, too."""
    own, read = plain_name(_own_name(address, test_case)), plain_name(name)
    return bool(own) and (read == own or read.endswith("." + own))


def _own_name(address: GeneAddress, test_case: TestCase) -> str:
    if address.call < 0:
        action = test_case.setup[setup_index(address.call)]
        return action.columns[address.input].name if isinstance(action, InsertAction) else ""
    names = names_down_to(test_case, address)
    return names[-1] if names else ""


def _from_unnamed(
    hint: CompareHint, left: Operand, right: Operand, index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    """An undefined operand may be a member of that name that no object has yet."""
    is_left = left is ABSENT
    question = Question(hint.operator, ABSENT, right if is_left else left, is_left, hint.wanted)
    for rank, value in enumerate(wanted_operands(question, rng)[:MAX_NAMED]):
        places = places_named(hint.name, value, index.test_case, hint.call)
        for cost, place in (*places, *places_in_columns(hint.name, value, index.test_case)):
            yield _proposal(hint, cost + rank, place, f"{hint.name} put in, {value!r:.60}")


def _from_unparsed(hint: CompareHint, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """NaN: a string that is no number was parsed, or an input left out."""
    texts = [
        site
        for site in (*index.sites_of_call(), *index.sites_of_rows())
        if site.is_free() and isinstance(site.value, str) and to_number(site.value) is None
    ]
    sampled = _sample(texts, MAX_UNMATCHED, rng)
    yield from _written(hint, UNPARSED_COST, sampled, question, rng, "was no number")
    wanted = [value for value in wanted_operands(question, rng)[:1] if is_number(value)]
    for site in sampled:
        parts = _PARTS.split(to_text(site.value))
        for value in wanted if len(parts) > 1 else ():
            text = "".join(
                part if at % 2 or to_number(part) is not None else to_text(value) for at, part in enumerate(parts)
            )
            place = site.put(text)
            if place is not None:
                yield _proposal(hint, UNPARSED_COST + 1, place, f"its parts were no numbers, {value!r:.60}")
    yield from _from_absent(hint, question, index, rng)


def _from_unmatched(
    hint: CompareHint, sides: list[tuple[Operand, Operand, bool]], index: InputIndex, rng: Random
) -> Iterator[Proposal]:
    """No operand was recognised: a text is tried on a few strings of the call."""
    texts = [site for site in index.sites_of_call() if site.is_free() and isinstance(site.value, str)]
    for mine, other, is_left in sides:
        if isinstance(other, str) and other and mine is ABSENT:
            yield from _from_unsplit(hint, other, texts, rng)
        elif isinstance(other, str) and other:
            question = Question(hint.operator, mine, other, is_left, hint.wanted, hint.flags)
            some = _sample(texts, MAX_UNMATCHED, rng)
            yield from map(_as_guess, _written(hint, UNMATCHED_COST, some, question, rng, "not recognised"))


def _as_guess(proposal: Proposal) -> Proposal:
    edit = msgspec.structs.replace(proposal.edit, is_guess=True)
    return msgspec.structs.replace(proposal, edit=edit)


def _from_unequal(hint: CompareHint, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """A number that no input is: a count of parts, where there is one part only, or an input with something added."""
    free = [site for site in (*index.sites_of_call(), *index.sites_of_rows()) if site.is_free()]
    texts = [site for site in free if isinstance(site.value, str)]
    mine = question.mine
    wanted = [value for value in wanted_operands(question, rng)[:2] if is_number(value)]
    if not is_number(mine) or not wanted:
        return
    if mine == 1 and 1 < wanted[0] <= MAX_PARTS:
        for site in _sample(texts, 1, rng):
            text = to_text(site.value) or mark(rng)
            for separator in rng.sample(SEPARATORS, len(SEPARATORS)):
                place = site.put(separator.join([text] * math.ceil(wanted[0]))) if separator not in text else None
                if place is not None:
                    yield _proposal(hint, UNMATCHED_COST, place, f"in parts between {separator!r}")
    movable = _sample([site for site in free if not isinstance(site.value, bool)], MAX_MOVED, rng)
    for number in wanted:
        for rank, place in enumerate(shifted(movable, number - mine)):
            yield _proposal(hint, UNMATCHED_COST + rank, place, f"moved by {number - mine:g}")


def _from_counts(hint: CompareHint, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """A number that may count rows which the test case puts in: more of them."""
    mine, setup = question.mine, index.test_case.setup
    wanted = next((value for value in wanted_operands(question, rng) if is_number(value)), None)
    if not setup or not isinstance(mine, int) or isinstance(mine, bool) or wanted is None:
        return
    n_more = math.ceil(wanted) - mine
    if mine < 1 or not 0 < n_more <= MAX_SETUP - len(setup):
        return
    last_of: dict[tuple[str, TableName], tuple[int, int]] = {}
    for number, action in enumerate(setup):
        if isinstance(action, InsertAction):
            n_before = last_of.get((action.database, action.table), (0, 0))[1]
            last_of[action.database, action.table] = number, n_before + 1
    for number, n_rows in last_of.values():
        if n_rows >= mine:
            test_case = index.test_case
            for _ in range(n_more):
                test_case = with_copy(test_case, number, rng)
            yield Proposal(COUNT_COST, SetupEdit(test_case.setup, hint.target, f"counts rows: {n_more} more"))


def _from_unsplit(hint: CompareHint, wanted: str, texts: list[Site], rng: Random) -> Iterator[Proposal]:
    """`text.split("@")[1] === wanted`, and the text has no such part yet. What it is split by cannot be seen."""
    if not hint.wanted or hint.operator not in ("===", "==", "switch"):
        return
    for site in _sample(texts, MAX_UNMATCHED, rng):
        separator = rng.choice([one for one in SEPARATORS if one not in wanted] or SEPARATORS)
        place = site.put(f"{to_text(site.value) or mark(rng)}{separator}{wanted}")
        if place is not None:
            yield _proposal(hint, UNMATCHED_COST, place, f"a part behind {separator!r}, {wanted!r:.60}")


def _written(
    hint: CompareHint, cost: int, sites: list[Site], question: Question, rng: Random, how: str
) -> Iterator[Proposal]:
    # Where any other text would do, one is as good as the next.
    wanted = wanted_operands(question, rng)[: 2 if question.wanted else 1]
    for site in sites:
        for rank, value in enumerate(wanted):
            place = site.put(value)
            if place is not None:
                yield _proposal(hint, cost + rank, place, f"{how}, {value!r:.60}")


def _sample(sites: list[Site], most: int, rng: Random) -> list[Site]:
    return rng.sample(sites, min(len(sites), most))
