//! Library functions that the interpreter lacks: they mean what they mean in Python.

use serde_json::json;

use super::{block, error, gives, job, pool, run, says};

#[test]
fn itertools() {
    for (body, expected) in [
        (
            "from itertools import product\nreturn list(product([1, 2], 'ab'))",
            json!([[1, "a"], [1, "b"], [2, "a"], [2, "b"]]),
        ),
        ("import itertools\nreturn list(itertools.product([0, 1], repeat=2))", json!([[0, 0], [0, 1], [1, 0], [1, 1]])),
        ("import itertools as it\nreturn [list(it.product()), list(it.product([], [1]))]", json!([[[]], []])),
        (
            "from itertools import permutations as p\nreturn [[''.join(x) for x in p('abc', 2)], list(p([1, 2])), list(p([1], 2)), list(p([], 0))]",
            json!([["ab", "ac", "ba", "bc", "ca", "cb"], [[1, 2], [2, 1]], [], [[]]]),
        ),
        (
            "from itertools import permutations\nreturn [''.join(x) for x in permutations('abc')]",
            json!(["abc", "acb", "bac", "bca", "cab", "cba"]),
        ),
        (
            "from itertools import combinations, chain\nreturn [[''.join(x) for x in combinations('abcd', 2)], list(combinations([1], 0)), list(combinations([1], 2)), list(chain([1], [2]))]",
            json!([["ab", "ac", "ad", "bc", "bd", "cd"], [[]], [], [1, 2]]),
        ),
        (
            "from itertools import combinations_with_replacement as c\nreturn [''.join(x) for x in c('abc', 2)]",
            json!(["aa", "ab", "ac", "bb", "bc", "cc"]),
        ),
        (
            "import itertools\nreturn [[k, len(list(g))] for k, g in itertools.groupby('aabccc')]",
            json!([["a", 2], ["b", 1], ["c", 3]]),
        ),
        (
            "import itertools\nreturn [next(itertools.permutations(range(9))), len(list(itertools.permutations(range(5))))]",
            json!([[0, 1, 2, 3, 4, 5, 6, 7, 8], 120]),
        ),
    ] {
        gives(body, &expected);
    }
}

#[test]
fn large_enumerations_are_lazy() {
    let body = "import itertools\nfor row in itertools.product(range(10), repeat=9):\n    if row[-1] == 5:\n        return row";
    gives(body, &json!([0, 0, 0, 0, 0, 0, 0, 0, 5]));
    let body = "import itertools\nn = 0\nfor row in itertools.permutations(range(30)):\n    n += 1\n    if n == 3:\n        return row[-3:]";
    gives(body, &json!([28, 27, 29]));
}

#[test]
fn other_modules() {
    for (body, expected) in [
        (
            "import heapq\nh = [5, 1, 4, 2, 3]\nheapq.heapify(h)\nheapq.heappush(h, 0)\nreturn [heapq.heappop(h) for _ in range(6)]",
            json!([0, 1, 2, 3, 4, 5]),
        ),
        (
            "from heapq import nlargest, nsmallest\nreturn [nlargest(2, [3, 1, 2]), nsmallest(2, [3, 1, 2])]",
            json!([[3, 2], [1, 2]]),
        ),
        (
            "import bisect\na = [1, 2, 2, 3]\nbisect.insort(a, 2)\nreturn [bisect.bisect_left(a, 2), bisect.bisect(a, 2), a]",
            json!([1, 4, [1, 2, 2, 2, 3]]),
        ),
        ("import math\nreturn [math.prod([2, 3, 4]), math.gcd(12, 18)]", json!([24, 6])),
        ("from math import prod, sqrt\nreturn [prod([]), sqrt(4)]", json!([1, 2.0])),
        (
            "import statistics as s\nreturn [s.mean([1, 2, 3]), s.mean([1, 2]), s.median([4, 1, 3, 2]), s.mode('aab'), s.pvariance([1, 3])]",
            json!([2, 1.5, 2.5, "a", 1.0]),
        ),
        ("import string\nreturn string.ascii_lowercase[:3] + string.digits", json!("abc0123456789")),
        (
            "import copy\na = [[1], {'k': [2]}]\nb = copy.deepcopy(a)\nb[0].append(9)\nb[1]['k'].append(9)\nreturn a",
            json!([[1], {"k": [2]}]),
        ),
        (
            "from operator import itemgetter, mul\nreturn [sorted([[2, 1], [1, 2]], key=itemgetter(1)), mul(2, 3)]",
            json!([[[2, 1], [1, 2]], 6]),
        ),
        ("import heapq, math\nreturn [heapq.nlargest(1, [math.gcd(4, 6), 1])]", json!([[2]])),
    ] {
        gives(body, &expected);
    }
}

#[test]
fn texts_and_own_names_are_left_alone() {
    gives(
        "import math\nreturn 'from itertools import product; math.prod(x)'",
        &json!("from itertools import product; math.prod(x)"),
    );
    gives(
        "class S:\n    pass\nstring = S()\nstring.digits = 1\nproduct = 7\nreturn string.digits + product",
        &json!(8),
    );
}

#[test]
fn what_is_missing_still_says_so() {
    says(
        &error("import heapq\ndef run():\n    return list(heapq.merge([1], [2]))\n"),
        &["No module named 'heapq'", "line 1"],
    );
    says(&error("from itertools import product, teleport\ndef run():\n    return 1\n"), &["teleport", "line 1"]);
    says(&error("from random import choice\ndef run():\n    return 1\n"), &["random", "line 1"]);
}

#[test]
fn lines_stay_those_of_the_script() {
    let script = "from itertools import (\n    product,\n)\nimport heapq\ndef run():\n    heapq.heappush([], 1)\n    return 1 / 0\n";
    let error = error(script);
    assert_eq!(error.to_string(), "the script raised ZeroDivisionError: division by zero (line 7)");
    says(&error, &["File \"trial.py\", line 7, in run", "return 1 / 0"]);
    let error = self::error("import heapq\ndef run():\n    return heapq.heappop([])\n");
    assert_eq!(error.to_string(), "the script raised IndexError: pop from empty list (line 3)");
    says(&error, &["File \"library\"", "in _heapq_heappop"]);
}

#[test]
fn deeply_nested_sources_cannot_hurt_the_reader_of_imports() {
    let source = format!("import heapq\ndef run():\n    return {}1{}\n", "(".repeat(100_000), ")".repeat(100_000));
    block(async {
        let pool = pool(1);
        run(&pool, &job(&source, vec![])).await.unwrap_err();
        assert!(run(&pool, &job("def run():\n    return 1\n", vec![])).await.is_ok());
    });
}
