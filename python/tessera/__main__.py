"""`python -m tessera doctor`: what works on this machine. (`python -m tessera.cutile` runs programs
of cuTile Python.)"""

import sys

from . import doctor


def main(words):
    if words == ["doctor"]:
        return doctor.main()
    print("usage: python -m tessera doctor", file=sys.stderr)
    return 0 if words in (["-h"], ["--help"]) else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
