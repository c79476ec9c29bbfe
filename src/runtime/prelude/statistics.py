def _statistics_mean(data):
    data = list(data)
    if not data:
        raise ValueError('mean requires at least one data point')
    total = sum(data)
    if isinstance(total, int) and total % len(data) == 0:
        return total // len(data)
    return total / len(data)


def _statistics_fmean(data):
    data = list(data)
    if not data:
        raise ValueError('fmean requires at least one data point')
    return float(sum(data)) / len(data)


def _statistics_median(data):
    data = sorted(data)
    n = len(data)
    if n == 0:
        raise ValueError('no median for empty data')
    if n % 2 == 1:
        return data[n // 2]
    return (data[n // 2 - 1] + data[n // 2]) / 2


def _statistics_multimode(data):
    counts = {}
    for item in data:
        counts[item] = counts.get(item, 0) + 1
    most = max(counts.values()) if counts else 0
    return [item for item in counts if counts[item] == most]


def _statistics_mode(data):
    modes = _statistics_multimode(data)
    if not modes:
        raise ValueError('no mode for empty data')
    return modes[0]


def _statistics_pvariance(data):
    data = list(data)
    if not data:
        raise ValueError('pvariance requires at least one data point')
    mean = sum(data) / len(data)
    return sum([(x - mean) ** 2 for x in data]) / len(data)


def _statistics_variance(data):
    data = list(data)
    if len(data) < 2:
        raise ValueError('variance requires at least two data points')
    mean = sum(data) / len(data)
    return sum([(x - mean) ** 2 for x in data]) / (len(data) - 1)


def _statistics_pstdev(data):
    return _statistics_pvariance(data) ** 0.5


def _statistics_stdev(data):
    return _statistics_variance(data) ** 0.5
