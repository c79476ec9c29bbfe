def _operator_itemgetter(*keys):
    if len(keys) == 1:
        return lambda item: item[keys[0]]
    return lambda item: tuple([item[key] for key in keys])


def _operator_add(a, b):
    return a + b


def _operator_sub(a, b):
    return a - b


def _operator_mul(a, b):
    return a * b


def _operator_truediv(a, b):
    return a / b


def _operator_floordiv(a, b):
    return a // b


def _operator_mod(a, b):
    return a % b


def _operator_neg(a):
    return -a


def _operator_eq(a, b):
    return a == b


def _operator_lt(a, b):
    return a < b


def _operator_gt(a, b):
    return a > b
