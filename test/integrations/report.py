"""Runs the checks of an integration and counts them."""


def report(program, checks):
    """True if one of `checks`, triples (what, whether it holds, what was seen), does not hold.

    Prints each that does not, then 'N passed, N failed'.
    """
    passed = failed = 0
    for what, holds, seen in checks:
        passed, failed = passed + bool(holds), failed + (not holds)
        if not holds:
            print(f"{program}: not so: {what}: {seen}")
    print(f"{passed} passed, {failed} failed")
    return failed > 0
