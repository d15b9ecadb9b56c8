"""What the tests in Python share: the count of what was checked. The last line that they print is "N passed, N failed"."""
passed = failed = 0


def check(what, good, detail=""):
    """Counts, and says WHAT where it is not GOOD, with the beginning of DETAIL."""
    global passed, failed
    assert isinstance(what, str)
    if good:
        passed += 1
    else:
        failed += 1
        print(what, str(detail)[:600])


def end():
    """Prints the count; the exit status."""
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0
