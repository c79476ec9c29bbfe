def _bisect_bisect_left(a, x, lo=0, hi=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        mid = (lo + hi) // 2
        if a[mid] < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


def _bisect_bisect_right(a, x, lo=0, hi=None):
    hi = len(a) if hi is None else hi
    while lo < hi:
        mid = (lo + hi) // 2
        if x < a[mid]:
            hi = mid
        else:
            lo = mid + 1
    return lo


def _bisect_insort_left(a, x, lo=0, hi=None):
    a.insert(_bisect_bisect_left(a, x, lo, hi), x)


def _bisect_insort_right(a, x, lo=0, hi=None):
    a.insert(_bisect_bisect_right(a, x, lo, hi), x)


_bisect_bisect = _bisect_bisect_right
_bisect_insort = _bisect_insort_right
