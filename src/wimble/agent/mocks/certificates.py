"""A certificate authority of the run, and the certificates of the services that the SUT calls.

Only the SUT's own TLS contexts trust the authority, and its key never leaves this process.
"""

from __future__ import annotations

import datetime
import ipaddress
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from wimble.model.external import CertificateFault

VALID: Final = datetime.timedelta(days=397)
"""The longest time for which clients accept a server's certificate (CA/Browser Forum, Baseline Requirements §6.3.2)."""
EARLIER: Final = datetime.timedelta(days=2)
"""The certificates are valid before now as well, for a SUT whose clock is behind."""
MAX_COMMON_NAME: Final = 64
ANOTHER_HOST: Final = "another-host.example"
"""The host in certificates with a wrong name."""


class Authority:
    """Issues certificates. All of them have one key, since keys take longer to make than certificates."""

    def __init__(self, *, valid: datetime.timedelta = VALID) -> None:
        self._valid = valid
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._leaf_key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("wimble mock services")
        builder = _builder(self._name, self._name, self._key.public_key(), valid)
        builder = builder.add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        usage = _usage(key_cert_sign=True, crl_sign=True)
        self._certificate = builder.add_extension(usage, critical=True).sign(self._key, hashes.SHA256())

    @property
    def certificate(self) -> str:
        """The authority's own certificate, in PEM."""
        return self._certificate.public_bytes(serialization.Encoding.PEM).decode()

    @property
    def leaf_key(self) -> str:
        """The key of all issued certificates, in PEM."""
        return self._leaf_key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()

    def issue(self, host: str, fault: CertificateFault | None = None) -> str:
        """Returns a certificate for a host name or an IP address, in PEM; behind it that of its authority, if that is
        sent. fault: what is wrong with it.
        """
        match fault:
            case None:
                return self._signed(host)
            case "expired":
                return self._signed(host, valid_from=datetime.datetime.now(datetime.UTC) - self._valid - EARLIER)
            case "wrong_name":
                return self._signed(host, ANOTHER_HOST)
            case "self_signed":
                return _leaf((host, host), self._leaf_key, issuer=_leaf_name(host), signed_with=self._leaf_key)
        other = Authority()
        issued = _leaf((host, host), self._leaf_key, issuer=other._name, signed_with=other._key)
        return issued + other.certificate if fault == "own_authority" else issued

    def _signed(self, host: str, named: str = "", *, valid_from: datetime.datetime | None = None) -> str:
        """Returns a certificate of this authority. named: the host that it is for, if that is another one."""
        names, valid = (host, named or host), (valid_from, self._valid)
        return _leaf(names, self._leaf_key, issuer=self._name, signed_with=self._key, valid=valid)


def _leaf(
    names: tuple[str, str],
    key: ec.EllipticCurvePrivateKey,
    *,
    issuer: x509.Name,
    signed_with: ec.EllipticCurvePrivateKey,
    valid: tuple[datetime.datetime | None, datetime.timedelta] = (None, VALID),
) -> str:
    """Returns the certificate of a server, in PEM.

    names: that of its subject, and that which clients compare. valid: from when on (None: now), and how long.
    """
    subject, host = names
    builder = _builder(_leaf_name(subject), issuer, key.public_key(), valid[1], valid[0])
    builder = builder.add_extension(x509.SubjectAlternativeName([_general_name(host)]), critical=False)
    builder = builder.add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    builder = builder.add_extension(_usage(digital_signature=True), critical=True)
    builder = builder.add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
    authority = x509.AuthorityKeyIdentifier.from_issuer_public_key(signed_with.public_key())
    certificate = builder.add_extension(authority, critical=False).sign(signed_with, hashes.SHA256())
    return certificate.public_bytes(serialization.Encoding.PEM).decode()


def _leaf_name(host: str) -> x509.Name:
    return _name(_ascii(host)[:MAX_COMMON_NAME] or "-")


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host.strip("[]")))  # some clients name it with brackets
    except ValueError:
        return x509.DNSName(_ascii(host))


def _ascii(host: str) -> str:
    """Returns a name as certificates hold it. No certificate fits a name that IDNA does not allow."""
    try:
        return host if host.isascii() else host.encode("idna").decode()
    except UnicodeError:
        return "invalid"


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    valid: datetime.timedelta,
    valid_from: datetime.datetime | None = None,
) -> x509.CertificateBuilder:
    start = valid_from or datetime.datetime.now(datetime.UTC) - EARLIER
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(start)
        .not_valid_after(start + valid)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
    )


def _usage(*, digital_signature: bool = False, key_cert_sign: bool = False, crl_sign: bool = False) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=digital_signature,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=key_cert_sign,
        crl_sign=crl_sign,
        encipher_only=False,
        decipher_only=False,
    )
