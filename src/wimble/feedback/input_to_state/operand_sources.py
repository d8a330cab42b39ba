"""Which inputs an operand came from (input-to-state), and which values they need for it to become another value.

An operand is recognised, from the most to the least certain, as: the same value; the same value as text, number or
date; another form of it (`transforms/`); a value decoded from an input; a combination of several inputs
(`combined_inputs.py`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from random import Random

from wimble.feedback.input_to_state.combined_inputs import array_origins, joined_texts, pairs, time_spans
from wimble.feedback.input_to_state.input_sites import Site, iter_arrays, iter_keys, iter_sites
from wimble.feedback.input_to_state.origin import Origin, Place
from wimble.feedback.input_to_state.transforms import Family, families_of
from wimble.feedback.input_to_state.transforms.codings import View, chained, iter_views
from wimble.feedback.input_to_state.transforms.number_transforms import coerced, number_of
from wimble.feedback.input_to_state.transforms.text_transforms import case_inverse, part
from wimble.feedback.input_to_state.transforms.transform import (
    CHANGED_COST,
    CONVERTED_COST,
    LENGTH_COST,
    MIN_TEMPLATE_LENGTH,
    MIN_UNUSUAL,
    SAME_COST,
    Nothing,
    Step,
    identity,
)
from wimble.genes import EnumGene, ReferenceGene
from wimble.genes.gene import Resolver
from wimble.model.operands import DateValue, Operand, is_number
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import ABSENT, Json

COMMON_VALUE_COST = 2
"""Added for operands so common (0, 1, true, "a") that equality with an input proves little."""
OTHER_CALL_COST = 3
"""Added for inputs of earlier calls and columns of inserted rows: their values return through the SUT's state."""
VIEW_COST = 1
"""Added for values that are decoded from an input."""
MAX_GUESSED_SITES = 6
"""Number of inputs that are tried for each transformation that often fits by chance."""
MAX_CHANCE_LENGTH = 4
"""Maximum number of characters of a text that a random text is likely to hold by chance."""
_RANDOM_TEXT = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])[\w+/=.:-]{16,}", re.ASCII)
_SIGNED_TOKEN = re.compile(r"eyJ[\w=-]{8,}\.[\w=-]{8,}\.[\w-]{8,}", re.ASCII)
"""A JSON Web Token in its compact form, possibly behind a scheme, or changed by an edit."""


class InputIndex:
    """An index of the inputs of the calls up to `call`, and of setup actions, that finds where an operand came from."""

    def __init__(
        self,
        test_case: TestCase,
        call: int,
        rng: Random,
        values: ValueSemantics,
        *,
        resolve: Resolver | None = None,
    ) -> None:
        self.test_case = test_case
        self.values = values
        """The value semantics of the program that read the inputs."""
        self._text_of = to_text = values.to_text
        self._families = families_of(values)
        self.call = call
        self._rng = rng
        calls = range(call, -1, -1)  # the call itself first, then the latest before it
        actions = [setup_index(number) for number in range(len(test_case.setup))]
        self._received = frozenset(index for index in actions if test_case.setup[setup_index(index)].is_received)
        self.sites = [site for index in (*calls, *actions) for site in iter_sites(test_case, index, resolve)]
        self._free = [site for site in self.sites if site.is_free() and site.value is not ABSENT]
        self._own = [site for site in self._free if site.address.call == call]
        self._arrays = [array for index in (*calls, *self._received) for array in iter_arrays(test_case, index)]
        self._keys = [key for index in (*calls, *self._received) for key in iter_keys(test_case, index)]
        self._by_text: dict[str, list[Site]] = {}
        for site in self._free:
            for form in _plain_forms(to_text(site.value)):
                self._by_text.setdefault(form, []).append(site)
        self._numeric = [(site, number) for site in self._free if (number := number_of(site.value)) is not None]
        self._views: list[tuple[Site, View]] | None = None
        self._memo: dict[tuple[type, Operand, bool], list[Origin]] = {}

    def sites_of_call(self) -> list[Site]:
        """Returns all sites of the call itself, including absent ones."""
        return [site for site in self.sites if site.address.call == self.call]

    def sites_of_rows(self) -> list[Site]:
        """Returns the values of setup actions, except those that are linked to an input or another row."""
        return [site for site in self._free if site.address.call < 0]

    def sites_of_answers(self) -> list[Site]:
        """Returns the values of the answers of services, including absent ones."""
        return [site for site in self.sites if site.address.call in self._received]

    def origins(self, operand: Operand, *, with_guesses: bool = True) -> list[Origin]:
        """Returns where `operand` may have come from, most certain first. Empty for undefined and NaN.

        with_guesses: also use transformations that often fit by chance. They are of no use for a literal of the
        program, since one of them would fit it.
        """
        if operand is ABSENT or (isinstance(operand, float) and not math.isfinite(operand)):
            return []
        key = (type(operand), operand, with_guesses)
        known = self._memo.get(key)
        if known is None:
            # A coerced value equals many operands by chance, so it takes the place of no other.
            found = [*self._found(operand, with_guesses), *self._coerced(operand)]
            known = self._memo[key] = sorted(found, key=lambda origin: origin.cost)
        return known

    def held_in(self, text: str) -> tuple[GeneAddress, str, str] | None:
        """Returns the longest input of a call that a text contains as a separate part.

        The result includes the text before and after it. It is None if there is no such input.
        """
        best: tuple[int, GeneAddress, str, str] | None = None
        for site in self._free:
            own = self._text_of(site.value)
            if site.address.call < 0 or not own or (best is not None and len(own) <= best[0]):
                continue
            for found in re.finditer(re.escape(own), text):
                prefix, suffix = text[: found.start()], text[found.end() :]
                if not (prefix[-1:].isalnum() or suffix[:1].isalnum()):
                    best = len(own), site.address, prefix, suffix
                    break
        return best[1:] if best is not None else None

    def _found(self, operand: Operand, with_guesses: bool) -> list[Origin]:
        found = [*self._whole(operand), *self._key_names(operand)]
        is_known = bool(found)
        found += self._transformed(self._families.always, self._free, operand)
        for address, array in self._arrays:
            for origin in array_origins(address, array, operand, self._rng):
                found.append(self._dearer(origin, address.call))
        if is_known or any(origin.cost < LENGTH_COST for origin in found):
            # A boolean is equal to others by chance, so it may be one within a text such as a token as well.
            return [*found, *self._in_views(operand)] if isinstance(operand, bool) else found
        if isinstance(operand, str):
            found += joined_texts(self._own, operand, self._text_of)
        found += self._transformed(self._families.otherwise, self._free, operand)
        found += self._in_views(operand)
        if not is_number(operand):
            return found
        if not any(origin.cost < LENGTH_COST for origin in found):
            own_numbers = [(site, number) for site, number in self._numeric if site.address.call == self.call]
            for site, cost, how, inverse in (*pairs(own_numbers, operand), *time_spans(self._own, operand)):
                found.append(self._origin(site, Step(cost, how, inverse)))
        if with_guesses and all(origin.cost >= LENGTH_COST for origin in found):
            found += self._guessed(operand)
        return found

    def _guessed(self, operand: Operand) -> list[Origin]:
        """Returns origins that may fit by chance: for each family the first step of each input, then the second ones.

        An unknown number (`price % 7`) may come from any of the inputs, so none may take the place of another.
        """
        guessed: list[Origin] = []
        for family in self._families.last:
            steps = [list(self._transformed((family,), [site], operand)) for site in self._free]
            fitting = [each for each in steps if each][:MAX_GUESSED_SITES]
            for rank in range(max(map(len, fitting), default=0)):
                guessed += [each[rank] for each in fitting if rank < len(each)]
        return guessed

    def _whole(self, operand: Operand) -> Iterator[Origin]:
        if isinstance(operand, DateValue):
            return
        text = self._text_of(operand)
        common = COMMON_VALUE_COST if _is_common(operand) else 0
        for site in self._by_text.get(text, ()):
            own = self._text_of(site.value)
            if own != text:
                yield self._origin(site, Step(CHANGED_COST, "changed in case or trimmed", case_inverse(own, text)))
            elif isinstance(site.value, str) == isinstance(operand, str):
                yield self._origin(site, Step(SAME_COST + common, "the same", identity))
            else:
                yield self._origin(site, Step(CONVERTED_COST + common, "converted", identity))
        if is_number(operand):
            # "007" or "1.50" read as a number
            for site, number in self._numeric:
                if number == operand and self._text_of(site.value) != text:
                    yield self._origin(site, Step(CONVERTED_COST + common, "parsed as a number", identity))

    def _coerced(self, operand: Operand) -> Iterator[Origin]:
        for site in self._free if not isinstance(operand, (str, DateValue)) and _is_common(operand) else ():
            step = coerced(site.value, operand)
            if step is not None:
                yield self._origin(site, Step(step.cost + COMMON_VALUE_COST, step.how, step.inverse))

    def _key_names(self, operand: Operand) -> Iterator[Origin]:
        """Yields keys of free-form objects as origins of the operand."""
        for key in self._keys if isinstance(operand, str) else ():
            if key.key == operand:

                def write(wanted: Operand, key=key) -> tuple[Place, ...]:  # type: ignore[no-untyped-def]
                    place = key.put(wanted) if isinstance(wanted, str) else None
                    return () if place is None else (place,)

                yield self._dearer(Origin(CONVERTED_COST, "a key", write), key.address.call)

    def _transformed(self, families: tuple[Family, ...], sites: list[Site], operand: Operand) -> Iterator[Origin]:
        for site in sites:
            # An enumeration has no values of other lengths.
            for family in families if not isinstance(site.gene, EnumGene) else families[:1]:
                if family is part and _is_part_by_chance(site, operand):
                    continue
                for step in family(site.value, operand):
                    yield self._origin(site, step)

    def _in_views(self, operand: Operand) -> Iterator[Origin]:
        """Yields origins in values decoded from inputs, equal to the operand or transformed."""
        for site, view in self._all_views():
            without = (part,) if _is_part_by_chance(site, operand) else ()
            for step in self._steps_from(view.value, operand, without):
                cost, how = step.cost + VIEW_COST, f"{view.how}, {step.how}"
                yield self._origin(site, Step(cost, how, chained(view.inverse, step.inverse)))

    def _steps_from(self, value: Json, operand: Operand, without: tuple[Family, ...]) -> Iterator[Step]:
        if isinstance(operand, DateValue) or isinstance(value, bool) or isinstance(operand, bool) or operand is None:
            is_same = value is operand
        else:
            own, text = self._text_of(value), self._text_of(operand)
            is_same = own == text
            if not is_same and text in _plain_forms(own):
                yield Step(CHANGED_COST, "changed in case or trimmed", identity)
                return
        if is_same:
            yield Step(SAME_COST, "the same", identity)
            return
        for family in (*self._families.always, *self._families.otherwise):
            if family not in without:
                yield from family(value, operand)

    def decoded_texts(self) -> list[tuple[str, Origin]]:
        """Returns texts that are decoded from inputs of the call itself.

        The origin of each can write another text in its place.
        """
        return [
            (view.value, self._origin(site, Step(VIEW_COST, view.how, view.inverse)))
            for site, view in self._all_views()
            if isinstance(view.value, str) and site.address.call == self.call
        ]

    def _all_views(self) -> list[tuple[Site, View]]:
        if self._views is None:
            self._views = [
                (site, view) for site in self._free if isinstance(site.value, str) for view in iter_views(site.value)
            ]
        return self._views

    def _origin(self, site: Site, step: Step) -> Origin:
        def write(wanted: Operand) -> tuple[Place, ...]:
            value = step.inverse(wanted)
            place = None if isinstance(value, Nothing) else site.put(value)
            return () if place is None else (place,)

        return self._dearer(Origin(step.cost, step.how, write, (site.address, site.gene)), site.address.call)

    def _dearer(self, origin: Origin, call: int) -> Origin:
        if call == self.call or call in self._received:
            return origin
        return Origin(origin.cost + OTHER_CALL_COST, origin.how, origin.write, origin.place)


def _plain_forms(text: str) -> list[str]:
    """Returns `text` unchanged, in lower and upper case, capitalised, and trimmed, without repetitions."""
    forms = [text]
    if not text.isdigit():
        trimmed = text.strip()
        forms += [trimmed, text.lower(), trimmed.lower(), text.upper(), trimmed.upper(), text[:1].upper() + text[1:]]
        forms += [text.lstrip(), text.rstrip()]
    return list(dict.fromkeys(forms))


def _is_part_by_chance(site: Site, operand: Operand) -> bool:
    """Whether the operand is short, and the input a text that the program made at random or signed.

    Such a text holds any short text by chance. It is another text in each run (it depends on the time), so what is
    concluded from its parts would differ between runs with the same seed.
    """
    if not isinstance(site.value, str) or not isinstance(operand, str) or len(operand) > MAX_CHANCE_LENGTH:
        return False
    is_random = isinstance(site.gene, ReferenceGene) and _RANDOM_TEXT.fullmatch(site.value) is not None
    return is_random or _SIGNED_TOKEN.search(site.value) is not None


def _is_common(operand: Operand) -> bool:
    if isinstance(operand, str):
        return len(operand) < MIN_TEMPLATE_LENGTH
    return not is_number(operand) or abs(operand) < MIN_UNUSUAL
