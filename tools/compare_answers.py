#!/usr/bin/env python3
"""tools/compare_answers.py BEFORE AFTER: what differs between two files of values (tests/determinism/answer_hash.cpp), by query and field.

Prints, for each field that differs: answers that have it, answers that differ, the greatest change (absolute, and relative to the largest value of the answer),
and the median of after / before where the field is one number, such as a depth. Exit code: 0 the same, 1 something differs, 2 wrong usage."""
import collections
import itertools
import statistics
import sys


def answers(path):
    with open(path) as f:
        for line in f:
            index, field, *values = line.rstrip("\n").split("\t")
            yield int(index), field, values


def main(arguments):
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    count, changed, shape = collections.Counter(), collections.Counter(), collections.Counter()
    greatest, relative, ratios = collections.defaultdict(float), collections.defaultdict(float), collections.defaultdict(list)
    before = {(index, field): values for index, field, values in answers(arguments[0])}
    for index, field, values in answers(arguments[1]):
        count[field] += 1
        old = before.pop((index, field), None)
        if old == values:
            continue
        changed[field] += 1
        if old is None or len(old) != len(values):
            shape[field] += 1
            continue
        a, b = [float(x) for x in old], [float(x) for x in values]
        change = max(abs(x - y) for x, y in zip(a, b))
        greatest[field] = max(greatest[field], change)
        relative[field] = max(relative[field], change / max(map(abs, itertools.chain(a, b))))
        if len(a) == 1 and a[0] > 0:
            ratios[field].append(b[0] / a[0])
    for index, field in before:
        changed[field] += 1
        shape[field] += 1
    for field in sorted(changed):
        text = "%-40s %9d answers, %7d differ" % (field, count[field], changed[field])
        if shape[field]:
            text += ", %d in the number of values" % shape[field]
        text += ", by at most %.3g (%.3g relative)" % (greatest[field], relative[field])
        if ratios[field]:
            text += ", after / before %.15g to %.15g, median %.15g" % (min(ratios[field]), max(ratios[field]), statistics.median(ratios[field]))
        print(text)
    return 1 if changed else 0


sys.exit(main(sys.argv[1:]))
