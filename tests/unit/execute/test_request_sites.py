"""Requests to services have the line of the program that has sent them."""

from wimble.agent.protocol.messages import SentRequest
from wimble.execute.request_sites import with_sites
from wimble.model.external import ExternalRequest, Unmockable


def request(origin, method, target, n=0):
    return ExternalRequest(call=0, site="", n=n, origin=origin, method=method, target=target)


def sent(method, target, host, site):
    return SentRequest(method, target, 0, host, site)


def test_the_same_target_at_two_services_has_two_sites():
    found = [request("https://b.example:443", "GET", "/search"), request("https://a.example:443", "GET", "/search")]
    told = [
        sent("GET", "/search", "https://a.example", "/srv/a.js:1"),
        sent("GET", "/search", "b.example:443", "/srv/b.js:2"),
    ]
    assert [one.site for one in with_sites(found, told)] == ["/srv/b.js:2", "/srv/a.js:1"]


def test_equal_requests_have_their_sites_in_the_order_in_which_they_were_sent():
    found = [request("http://[2b00::1]:80", "POST", "/jobs?a=1", n) for n in range(3)]
    told = [sent("POST", "/jobs?a=1", "[2b00::1]:80", f"/srv/jobs.js:{line}") for line in (3, 9, 3)]
    assert [one.site for one in with_sites(found, told)] == [f"/srv/jobs.js:{line}" for line in (3, 9, 3)]


def test_requests_over_one_connection_have_its_site():
    found = [request("smtp://mail.example:25", "MAIL", target) for target in ("a@b.example", "c@d.example")]
    told = [sent("MAIL", "", "mail.example", "/srv/mail.js:7")]
    assert [one.site for one in with_sites(found, told)] == ["/srv/mail.js:7"] * 2


def test_a_request_through_a_proxy_has_its_site():
    found = [request("http://a.example:80", "GET", "/items?n=1"), request("http://a.example:80", "GET", "/other")]
    told = [sent("GET", "http://a.example/items?n=1", "proxy.example", "/srv/a.js:1")]
    assert [one.site for one in with_sites(found, told)] == ["/srv/a.js:1", ""], "of the other one nothing is told"


def test_other_interactions_stay():
    other = Unmockable(call=0, site="", host="a.example", port=25, reason="none")
    assert with_sites([other], [sent("GET", "/", "a.example", "/srv/a.js:1")]) == [other]
