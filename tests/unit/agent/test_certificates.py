"""Certificates of services: the names in them, and who has signed them."""

import datetime
import ipaddress

import pytest
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec

from wimble.agent.mocks.certificates import Authority


def names_of(host: str) -> x509.SubjectAlternativeName:
    certificate = x509.load_pem_x509_certificate(Authority().issue(host).encode())
    return certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("api.example", "api.example"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("x" * 63 + ".example", "x" * 63 + ".example"),
        pytest.param("ü" * 80, "invalid", id="too long for IDNA"),
    ],
)
def test_names_are_those_of_hosts(host, name):
    assert names_of(host).get_values_for_type(x509.DNSName) == [name]


def test_addresses_are_named_as_addresses():
    assert names_of("10.1.2.3").get_values_for_type(x509.IPAddress) == [ipaddress.ip_address("10.1.2.3")]


@pytest.mark.parametrize(
    ("fault", "is_valid", "is_of_the_host", "is_trusted", "count"),
    [
        ("expired", False, True, True, 1),
        ("wrong_name", True, False, True, 1),
        ("self_signed", True, True, False, 1),
        ("unknown_authority", True, True, False, 1),
        ("own_authority", True, True, False, 2),
    ],
)
def test_one_thing_is_wrong_with_a_certificate(fault, is_valid, is_of_the_host, is_trusted, count):
    authority = Authority()
    root = x509.load_pem_x509_certificate(authority.certificate.encode())
    issued = x509.load_pem_x509_certificates(authority.issue("api.example", fault).encode())
    leaf = issued[0]
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    now = datetime.datetime.now(datetime.UTC)
    assert (leaf.not_valid_before_utc < now < leaf.not_valid_after_utc) == is_valid
    assert (names.get_values_for_type(x509.DNSName) == ["api.example"]) == is_of_the_host
    assert (leaf.issuer == root.subject and is_signed_by(leaf, root)) == is_trusted
    assert len(issued) == count
    assert (leaf.issuer == leaf.subject) == (fault == "self_signed")


def is_signed_by(leaf: x509.Certificate, root: x509.Certificate) -> bool:
    try:
        leaf.verify_directly_issued_by(root)
    except InvalidSignature:
        return False
    return True


def test_the_authority_signs_certificates_for_servers_only():
    authority = Authority()
    root = x509.load_pem_x509_certificate(authority.certificate.encode())
    leaf = x509.load_pem_x509_certificate(authority.issue("api.example").encode())
    leaf.verify_directly_issued_by(root)
    assert isinstance(leaf.public_key(), ec.EllipticCurvePublicKey)
    assert not leaf.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
    assert root.extensions.get_extension_for_class(x509.BasicConstraints).value.ca
