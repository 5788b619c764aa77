"""`python -m judge` is the `judge` program."""

import sys

from judge.cli import main

sys.exit(main())
