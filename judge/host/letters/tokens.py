"""Tokens, passwords and seeds: unguessable, and the same again when a letter is taken again.

All are derived from the judge's secret and from what caused them, so that a letter that is taken a
second time after a crash is answered with the same token, and nothing here needs a random source.
"""

import base64
import hashlib
import hmac
from dataclasses import dataclass, field

from judge.store import PlayerId, Token

TOKEN_BYTES = 15  # 120 bits: 24 letters of base32
RECEIPT_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"  # none that look alike on a phone
SCRYPT_COST = 2**12  # about 10 ms, 4 MB


@dataclass(slots=True)
class Tokens:
    """Derives values for one cause: a letter (by its hash) or a deadline (by game and serial)."""

    _secret: bytes = field(repr=False)
    _cause: str
    _count: int = 0

    def _digest(self, *parts: str) -> bytes:
        return hmac.new(self._secret, "\0".join(parts).encode(), hashlib.sha256).digest()

    def letter(self) -> Token:
        """A token for the next letter that this cause sends."""
        self._count += 1
        return _token(self._digest("letter", self._cause, str(self._count)))

    def thread(self, game: str, player: PlayerId, *what: str) -> Token:
        """The token of the root of a player's thread in a game: of a phase, or of one letter that
        has a thread of its own; the same for ever."""
        return _token(self._digest("thread", game, player, *what))

    def player_id(self, address: str) -> PlayerId:
        """The id of the player who registers with an address."""
        return PlayerId(_token(self._digest("player", self._cause, address))[:12])

    def password(self, *what: str) -> str:
        """A password for a seat, short enough to type: two groups of five letters."""
        word = _token(self._digest("password", self._cause, *what))
        return f"{word[:5]}-{word[5:10]}"

    def seed(self, game: str) -> bytes:
        """The secret seed of a game's chance, 32 bytes."""
        return self._digest("seed", self._cause, game)

    def receipt(self, *what: str) -> str:
        """`7KQ2-MX`: names what was stored from one letter."""
        number = int.from_bytes(self._digest("receipt", self._cause, *what)[:8], "big")
        letters = []
        for _ in range(6):
            number, digit = divmod(number, len(RECEIPT_LETTERS))
            letters.append(RECEIPT_LETTERS[digit])
        return "".join(letters[:4]) + "-" + "".join(letters[4:])

    def hash_password(self, password: str, owner: str) -> str:
        """What is kept of a password; `owner` (game and seat) keeps equal passwords apart."""
        salt = self._digest("salt", owner)[:16]
        return _scrypt(password, salt)


def _token(digest: bytes) -> Token:
    # Lower case, because some relays lower-case the local part of an address.
    return Token(base64.b32encode(digest[:TOKEN_BYTES]).decode().lower())


def _scrypt(password: str, salt: bytes) -> str:
    key = hashlib.scrypt(password.strip().encode(), salt=salt, n=SCRYPT_COST, r=8, p=1, dklen=32)
    return f"{salt.hex()}:{key.hex()}"


def is_password(password: str, stored: str) -> bool:
    """Whether a password is the one that was kept as `stored`."""
    salt, _, _ = stored.partition(":")
    if not salt:
        return False
    return hmac.compare_digest(_scrypt(password, bytes.fromhex(salt)), stored)
