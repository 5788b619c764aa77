#!/bin/sh
# Installs the mail servers that tests/servers start by themselves; starts no service of the machine.
set -eu

libexec=/usr/lib/dovecot
if [ -x "$libexec/imap" ] && [ -x "$libexec/lmtp" ] && command -v postfix >/dev/null; then
    exit 0
fi
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Run this as root on Debian, or install dovecot-imapd, dovecot-lmtpd and postfix." >&2
    exit 1
fi

# A policy of 101 forbids package scripts to start services.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

export DEBIAN_FRONTEND=noninteractive
# The machine's own postfix stays without a configuration: the tests bring theirs.
echo "postfix postfix/main_mailer_type select No configuration" | debconf-set-selections
apt-get update -qq
apt-get install -y -qq --no-install-recommends \
    dovecot-imapd dovecot-lmtpd postfix openssl ca-certificates >/dev/null
