"""Starts a Dovecot and a Postfix of the tests' own, in a folder of theirs, on loopback ports.

Nothing of the machine's own mail set-up is read or touched. Needs root: Postfix runs as root only.
"""

import imaplib
import os
import shutil
import signal
import smtplib
import socket
import ssl
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

DOVECOT_LIBEXEC = Path("/usr/lib/dovecot")
MAIL_USER = "mail"
DOMAIN = "example.test"
PASSWORD = "open-sesame"
START_SECONDS = 30.0

HOW_TO_RUN = "run `make test-servers` as root on Debian"

DOVECOT_CONF = """\
base_dir = {dir}/run
state_dir = {dir}/state
instance_name = judge-tests
log_path = {dir}/dovecot.log
protocols = imap lmtp
listen = 127.0.0.1
disable_plaintext_auth = no
ssl = yes
ssl_cert = <{dir}/server.pem
ssl_key = <{dir}/server.key
default_internal_user = dovecot
default_internal_group = dovecot
default_login_user = dovenull
mail_uid = {mail_user}
mail_gid = {mail_user}
first_valid_uid = 0
first_valid_gid = 0
mail_home = {dir}/home/%u
mail_location = maildir:~/Maildir
mail_max_userip_connections = 100
auth_mechanisms = plain login
auth_failure_delay = 0
recipient_delimiter = +
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = allow_all_users=yes
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {imap}
  }}
  inet_listener imaps {{
    port = {imaps}
    ssl = yes
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    port = {lmtp}
  }}
}}
service auth {{
  unix_listener {dir}/auth-client {{
    mode = 0666
  }}
}}
namespace inbox {{
  inbox = yes
}}
"""

# gone@ and busy@ are refused for good and for now, so that a judge can meet both.
POSTFIX_MAIN = """\
compatibility_level = 3.6
queue_directory = {dir}/queue
data_directory = {dir}/data
maillog_file = {dir}/postfix.log
maillog_file_prefixes = {dir}
myhostname = mx.{domain}
mydestination =
mynetworks = 127.0.0.0/8
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
alias_maps =
local_recipient_maps =
smtpd_error_sleep_time = 0s
virtual_mailbox_domains = {domain}
virtual_mailbox_maps = static:OK
virtual_transport = {transport}
default_transport = error:nowhere but here
relay_transport = error:nowhere but here
smtpd_tls_cert_file = {dir}/server.pem
smtpd_tls_key_file = {dir}/server.key
smtpd_tls_security_level = may
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {dir}/auth-client
smtpd_recipient_restrictions =
  check_recipient_access inline:{{ {{gone@{domain} = 550 5.1.1 no such mailbox}},
    {{busy@{domain} = 451 4.2.1 mailbox busy}} }},
  permit_mynetworks, reject
"""

POSTFIX_MASTER = """\
127.0.0.1:{smtp} inet n - n - - smtpd
127.0.0.1:{smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes
127.0.0.1:{submission} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt
  -o {{smtpd_recipient_restrictions=permit_sasl_authenticated, reject}}
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
lmtp unix - - n - - lmtp
error unix - - n - - error
discard unix - - n - - discard
retry unix - - n - - error
anvil unix - - n - 1 anvil
postlog unix-dgram n - n - 1 postlogd
"""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the servers of a pair listen, on 127.0.0.1.

    Attributes:
        imap: plain text. imaps: TLS from the first byte.
        smtp: plain text or STARTTLS, no login needed. smtps: TLS from the first byte.
        submission: STARTTLS and a login, both demanded.
        lmtp: from Postfix to Dovecot.
    """

    imap: int
    imaps: int
    smtp: int
    smtps: int
    submission: int
    lmtp: int


@dataclass(frozen=True, slots=True)
class ServerPair:
    """A running Dovecot and Postfix, with a mailbox for every address of DOMAIN."""

    directory: Path
    ports: Ports
    host: str = "127.0.0.1"

    @property
    def ca_file(self) -> Path:
        """The authority that signed the servers' certificate, PEM."""
        return self.directory / "ca.pem"

    def tls(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.ca_file))

    def imap(self, address: str, password: str = PASSWORD) -> imaplib.IMAP4:
        """A logged-in connection over TLS; whoever asks logs out."""
        client = imaplib.IMAP4_SSL(self.host, self.ports.imaps, ssl_context=self.tls(), timeout=10)
        try:
            client.login(address, password)
        except imaplib.IMAP4.error:
            client.shutdown()
            raise
        return client

    def letters(self, address: str, folder: str = "INBOX") -> tuple[bytes, ...]:
        """Every letter of a folder, oldest first."""
        with self.imap(address) as client:
            client.select(folder, readonly=True)
            uids = client.uid("SEARCH", "ALL")[1][0].split()
            if not uids:
                return ()
            parts = client.uid("FETCH", b",".join(uids).decode(), "(BODY.PEEK[])")[1]
            return tuple(part[1] for part in parts if isinstance(part, tuple))

    def await_letters(self, address: str, count: int, seconds: float = 20) -> tuple[bytes, ...]:
        """The letters of a mailbox once there are at least `count`.

        Raises:
            TimeoutError: there were fewer after `seconds`.
        """
        wait_until(lambda: len(self.letters(address)) >= count, seconds, f"mail for {address}")
        return self.letters(address)

    def send(self, raw: bytes, sender: str, *recipients: str) -> None:
        """Hand a letter to Postfix as a neighbour on the network would."""
        with smtplib.SMTP(self.host, self.ports.smtp, timeout=10) as client:
            client.sendmail(sender, recipients, raw)


def address(name: str) -> str:
    """An address that these servers deliver to; it logs in with PASSWORD."""
    return f"{name}@{DOMAIN}"


def missing() -> str | None:
    """Why the servers cannot be started here; None if they can."""
    wanted = [DOVECOT_LIBEXEC / "imap", DOVECOT_LIBEXEC / "lmtp"]
    programs = ["dovecot", "postfix", "openssl"]
    if not all(map(os.path.exists, wanted)) or not all(map(_program, programs)):
        return f"Dovecot and Postfix are not installed: {HOW_TO_RUN}"
    if os.geteuid() != 0:
        return f"Postfix needs root: {HOW_TO_RUN}"
    return None


def wait_until(check: Callable[[], bool], seconds: float, what: str) -> None:
    """Wait for another process; it cannot wake us, so ask it again every 20 ms.

    Raises:
        TimeoutError: it did not come true in time.
    """
    never = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if check():
            return
        never.wait(0.02)
    raise TimeoutError(f"{what} did not come within {seconds} s")


@contextmanager
def running_servers(transport: str | None = None) -> Iterator[ServerPair]:
    """A pair of servers in a new folder, ended and removed at exit.

    Postfix brings letters to Dovecot; another `transport`, as `discard:`, keeps them from it.
    """
    directory = Path(tempfile.mkdtemp(prefix="judge-servers-"))
    # Dovecot's and Postfix's own users must reach it.
    directory.chmod(0o755)
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, directory, ignore_errors=True)
        pair = ServerPair(directory, Ports(*_free_ports(6)))
        _make_certificates(directory)
        stack.enter_context(_dovecot(pair))
        stack.enter_context(_postfix(pair, transport or f"lmtp:inet:127.0.0.1:{pair.ports.lmtp}"))
        yield pair


@contextmanager
def _dovecot(pair: ServerPair) -> Iterator[None]:
    directory = pair.directory
    conf = directory / "dovecot.conf"
    conf.write_text(
        DOVECOT_CONF.format(
            dir=directory,
            mail_user=MAIL_USER,
            password=PASSWORD,
            imap=pair.ports.imap,
            imaps=pair.ports.imaps,
            lmtp=pair.ports.lmtp,
        ),
        encoding="utf-8",
    )
    home = directory / "home"
    home.mkdir()
    shutil.chown(home, MAIL_USER, MAIL_USER)
    command = [_program("dovecot"), "-F", "-c", str(conf)]
    with (directory / "dovecot.out").open("wb") as said:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True
        )
    try:
        ports = (pair.ports.imap, pair.ports.imaps, pair.ports.lmtp)
        _await_start(ports, directory, lambda: process.poll() is not None)
        yield
    finally:
        process.terminate()
        process.wait(START_SECONDS)
        # Its helpers linger for a moment; they are all of the group that began with it.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


@contextmanager
def _postfix(pair: ServerPair, transport: str) -> Iterator[None]:
    directory = pair.directory
    etc = directory / "etc"
    etc.mkdir()
    values = {
        "dir": directory,
        "domain": DOMAIN,
        "transport": transport,
        "smtp": pair.ports.smtp,
        "smtps": pair.ports.smtps,
        "submission": pair.ports.submission,
    }
    (etc / "main.cf").write_text(POSTFIX_MAIN.format_map(values), encoding="utf-8")
    (etc / "master.cf").write_text(POSTFIX_MASTER.format_map(values), encoding="utf-8")
    (directory / "queue").mkdir()
    (directory / "data").mkdir()
    shutil.chown(directory / "data", "postfix", "postfix")
    started = _run_postfix(directory, "start")
    try:
        ports = (pair.ports.smtp, pair.ports.smtps, pair.ports.submission)
        _await_start(ports, directory, lambda: started != 0)
        yield
    finally:
        _run_postfix(directory, "stop")


def _run_postfix(directory: Path, what: str) -> int:
    """Run Postfix's own control program; the servers that it leaves hold no pipe of ours."""
    command = [_program("postfix"), "-c", str(directory / "etc"), what]
    with (directory / "postfix.out").open("ab") as said:
        return subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=said, check=False
        ).returncode


def _await_start(ports: tuple[int, ...], directory: Path, has_failed: Callable[[], bool]) -> None:
    wait_until(lambda: has_failed() or all(map(_answers, ports)), START_SECONDS, "a mail server")
    if has_failed():
        logs = sorted(directory.glob("*.out")) + sorted(directory.glob("*.log"))
        raise RuntimeError("\n".join(map(_tail, logs)))


def _tail(log: Path) -> str:
    return log.read_text(encoding="utf-8", errors="replace")[-2000:]


def _answers(port: int) -> bool:
    with closing(socket.socket()) as client:
        client.settimeout(1)
        return client.connect_ex(("127.0.0.1", port)) == 0


def _free_ports(count: int) -> list[int]:
    """Ports that nobody listens on; held together, so that they differ."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def _program(name: str) -> str | None:
    """The full path of a server's program; Debian keeps them where users do not look."""
    return shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")


def _make_certificates(directory: Path) -> None:
    """An authority `ca.pem`, and `server.pem` signed by it for 127.0.0.1 and localhost."""
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30"]
    authority = ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
    _openssl("judge tests", directory / "ca", *key, *authority)
    signed = ["-CA", f"{directory}/ca.pem", "-CAkey", f"{directory}/ca.key"]
    leaf = ["-addext", "basicConstraints=critical,CA:FALSE"]
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    _openssl("localhost", directory / "server", *key, *signed, *leaf, *names)


def _openssl(name: str, file: Path, *arguments: str) -> None:
    command = [_program("openssl"), "req", "-x509", "-subj", f"/CN={name}", *arguments]
    command += ["-keyout", f"{file}.key", "-out", f"{file}.pem"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
