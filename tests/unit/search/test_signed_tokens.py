"""Claims of tokens that are signed for an operation, by what the code has compared them with."""

from random import Random

from wimble.model.hints import ComparisonHint
from wimble.search.access.made_up import signed_in
from wimble.search.access.signed_tokens import COMPARED_PROBABILITY, SignedTokens
from wimble.search.access.ways import BEARER, Way
from wimble.types import OperationId

WAY = Way((BEARER,))


def compared(left: str, right: str, name: str = "viewer.role", *, wanted: bool = True) -> ComparisonHint:
    return ComparisonHint(target=1, call=0, operator="===", left=left, right=right, wanted=wanted, name=name)


def roles(tokens: SignedTokens) -> list[str]:
    made = (tokens.token(WAY, "secret", OperationId("POST /doctors")) for _ in range(200))
    found = [signed_in(one) for one in made]
    return [one[1].claims.phenotype()["role"] for one in found if one is not None]


def test_a_claim_gets_the_text_with_which_it_was_compared_wherever_it_was_copied() -> None:
    tokens = SignedTokens(Random(1))
    tokens.note_key("secret", {"sub": "1", "role": "reception"})
    n_facts = tokens.n_facts()
    assert set(roles(tokens)) == {"reception"}
    tokens.note_compared(compared("reception", "admin"))
    assert tokens.n_facts() == n_facts + 1, "worth another try"
    found = roles(tokens)
    assert set(found) == {"reception", "admin"}
    assert abs(found.count("admin") - 200 * COMPARED_PROBABILITY) < 30


def test_other_comparisons_say_nothing_of_the_claim() -> None:
    tokens = SignedTokens(Random(1))
    tokens.note_key("secret", {"sub": "1", "role": "reception"})
    tokens.note_compared(compared("reception", "admin", name="department"))
    tokens.note_compared(compared("nurse", "admin"))
    tokens.note_compared(compared("reception", "admin", wanted=False))
    assert set(roles(tokens)) == {"reception"}
