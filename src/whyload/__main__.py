"""`python -m whyload`."""

import sys

from whyload.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
