"""What other packages leave of letters: JSON texts on stdin, for each package its bodies on stdout.

Runs in an environment of its own that has these packages and not the judge.
"""

import json
import sys

from email_reply_parser import EmailReplyParser
from mailparser_reply import EmailReplyParser as MailReplyParser

LANGUAGES = ["en", "ko", "zh", "ja", "de", "fr"]


def main() -> None:
    texts = json.load(sys.stdin)
    with_languages = MailReplyParser(languages=LANGUAGES)
    found = {
        "mail-parser-reply": [with_languages.parse_reply(text=text) or "" for text in texts],
        "email-reply-parser": [EmailReplyParser.parse_reply(text) for text in texts],
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
