class _itertools_Odometer:
    def __init__(self, sizes, pools):
        self.sizes = sizes
        self.pools = pools
        self.at = [0] * len(sizes)
        self.done = 0 in sizes

    def __iter__(self):
        return self

    def __next__(self):
        if self.done:
            raise StopIteration
        at = self.at
        row = tuple([self.pools[i][at[i]] for i in range(len(at))])
        i = len(at) - 1
        while i >= 0:
            at[i] += 1
            if at[i] < self.sizes[i]:
                break
            at[i] = 0
            i -= 1
        self.done = i < 0
        return row


class _itertools_Choices:
    def __init__(self, pool, r, first, step):
        self.pool = pool
        self.at = first
        self.step = step
        self.r = r

    def __iter__(self):
        return self

    def __next__(self):
        at = self.at
        if at is None:
            raise StopIteration
        row = tuple([self.pool[i] for i in at[: self.r]])
        self.at = self.step(at, len(self.pool), self.r)
        return row


def _itertools_next_permutation(at, n, r):
    tail = at[r:]
    i = r - 1
    while i >= 0:
        bigger = [x for x in tail if x > at[i]]
        if bigger:
            x = min(bigger)
            rest = sorted([y for y in tail if y != x] + [at[i]])
            return at[:i] + [x] + rest
        tail = tail + [at[i]]
        i -= 1
    return None


def _itertools_next_combination(at, n, r):
    i = r - 1
    while i >= 0:
        if at[i] < n - r + i:
            return at[:i] + [at[i] + 1 + k for k in range(r - i)]
        i -= 1
    return None


def _itertools_next_multiset(at, n, r):
    i = r - 1
    while i >= 0:
        if at[i] < n - 1:
            return at[:i] + [at[i] + 1] * (r - i)
        i -= 1
    return None


def _itertools_product(*pools, repeat=1):
    pools = [tuple(pool) for pool in pools] * repeat
    count = 1
    for pool in pools:
        count *= len(pool)
    if count > 4096:
        return _itertools_Odometer([len(pool) for pool in pools], pools)
    rows = [()]
    for pool in pools:
        rows = [row + (item,) for row in rows for item in pool]
    return iter(rows)


def _itertools_permutations(iterable, r=None):
    pool = tuple(iterable)
    n = len(pool)
    r = n if r is None else r
    if r < 0:
        raise ValueError('r must be non-negative')
    return _itertools_Choices(pool, r, list(range(n)) if r <= n else None, _itertools_next_permutation)


def _itertools_combinations(iterable, r):
    pool = tuple(iterable)
    if r < 0:
        raise ValueError('r must be non-negative')
    return _itertools_Choices(pool, r, list(range(r)) if r <= len(pool) else None, _itertools_next_combination)


def _itertools_combinations_with_replacement(iterable, r):
    pool = tuple(iterable)
    if r < 0:
        raise ValueError('r must be non-negative')
    return _itertools_Choices(pool, r, [0] * r if pool or r == 0 else None, _itertools_next_multiset)


def _itertools_groupby(iterable, key=None):
    groups = []
    for item in iterable:
        k = item if key is None else key(item)
        if groups and groups[-1][0] == k:
            groups[-1][1].append(item)
        else:
            groups.append((k, [item]))
    return iter(groups)
