def _heapq_heappush(heap, item):
    heap.append(item)
    at = len(heap) - 1
    while at > 0:
        up = (at - 1) // 2
        if not item < heap[up]:
            break
        heap[at] = heap[up]
        at = up
    heap[at] = item


def _heapq_sink(heap, at):
    item = heap[at]
    size = len(heap)
    while True:
        down = 2 * at + 1
        if down >= size:
            break
        if down + 1 < size and heap[down + 1] < heap[down]:
            down += 1
        if not heap[down] < item:
            break
        heap[at] = heap[down]
        at = down
    heap[at] = item


def _heapq_heappop(heap):
    last = heap.pop()
    if not heap:
        return last
    first = heap[0]
    heap[0] = last
    _heapq_sink(heap, 0)
    return first


def _heapq_heapify(heap):
    for at in range(len(heap) // 2 - 1, -1, -1):
        _heapq_sink(heap, at)


def _heapq_heapreplace(heap, item):
    first = heap[0]
    heap[0] = item
    _heapq_sink(heap, 0)
    return first


def _heapq_heappushpop(heap, item):
    if heap and heap[0] < item:
        return _heapq_heapreplace(heap, item)
    return item


def _heapq_nlargest(n, iterable, key=None):
    return sorted(iterable, key=key, reverse=True)[: max(n, 0)]


def _heapq_nsmallest(n, iterable, key=None):
    return sorted(iterable, key=key)[: max(n, 0)]
