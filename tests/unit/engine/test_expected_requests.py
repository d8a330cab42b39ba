"""What no answer is planned for gets one in the test, as it was answered."""

from wimble.engine.stability.expected_requests import with_expected_requests
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import answers_in
from wimble.model.testcase import TestCase


def test_mail_is_accepted_and_other_requests_find_nothing():
    asked = [
        ("smtp://mail.example:587", "MAIL", "/a@b.example"),
        ("https://a.example:443", "GET", "/x?page=1"),
        ("https://a.example:443", "GET", "/x?page=2"),
    ]
    requests = tuple(
        ExternalRequest(call=0, site="", n=n, origin=origin, method=method, target=target)
        for n, (origin, method, target) in enumerate(asked)
    )
    test_case = TestCase(())
    evaluation = Evaluation(test_case=test_case, observations=(), reached={}, interactions=requests)
    planned = answers_in(with_expected_requests(test_case, evaluation))
    assert [(one.method, one.path, one.status, one.body) for one in planned] == [
        ("MAIL", "/a@b.example", 200, ""),
        ("GET", "/x", 404, "{}\n"),
    ]
