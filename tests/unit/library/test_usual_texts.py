"""What a package is about tells which texts it reads."""

from random import Random

import pytest

from wimble.library.argument_genes import parameter_of
from wimble.library.argument_shape import Shape
from wimble.library.usual_texts import MAX_USUAL, usual_texts


@pytest.mark.parametrize(
    ("about", "text"),
    [
        (["urijs"], None),
        (["urijs", "uri"], "http://[2001:db8::7]/a"),
        (["fast-csv"], "a;b\r\n1;2\r\n\r\n"),
        (["colord", "color parser"], "#ff8800cc"),
        (["x", "SemVer"], "^1.2.0"),
        (["parseCron"], "@daily"),
        (["rrule"], "FREQ=MONTHLY;BYMONTHDAY=-1,15;BYHOUR=9;UNTIL=20250101T000000Z"),
        (["lib", "svg path"], "M0 0q1 2 3 4t5 6Q1 2 3 4T5 6a5 3 30 1 0 4 7A5 5 0 0 1 20 9m1-1z"),
        (["left-pad"], None),
    ],
)
def test_words_of_names_and_keywords_tell(about, text):
    found = usual_texts(about)
    assert (not found) if text is None else text in found


def test_a_package_about_everything_has_few_of_each():
    assert len(usual_texts(["url markdown color date semver csv cron css"])) == MAX_USUAL


@pytest.mark.parametrize(
    ("shape", "is_sampled"),
    [
        (Shape(kinds=("string",)), True),
        (Shape(), True),
        (Shape(kinds=("number",)), False),
        (Shape(kinds=("string",), values=("a", "b"), is_closed=True), False),
    ],
)
def test_parameters_that_may_be_texts_take_them_even_with_many_examples(shape, is_sampled):
    parameter = parameter_of(
        "text", shape, is_guess=False, is_needed=True, examples=["1", "2", "3", "4", "5"], usual=["#ff8800"]
    )
    rng = Random(1)
    sampled = [parameter.template.sampled(rng).phenotype() for _ in range(200)]
    assert ("#ff8800" in sampled) is is_sampled
