def _copy_deepcopy(value):
    if isinstance(value, list):
        return [_copy_deepcopy(item) for item in value]
    if isinstance(value, dict):
        return {key: _copy_deepcopy(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple([_copy_deepcopy(item) for item in value])
    if isinstance(value, set):
        return set(value)
    return value


def _copy_copy(value):
    if isinstance(value, (list, dict, set)):
        return value.copy()
    return value
