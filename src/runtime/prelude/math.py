def _math_prod(iterable, start=1):
    for factor in iterable:
        start = start * factor
    return start
