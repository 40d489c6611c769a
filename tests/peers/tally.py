"""What two programs say of the same drive, compared value by value.

A claim is what a peer says: a topic, a key and a value. The key is that of a fact
("temperature.current_celsius") or a Cell of a table. Every claim must be met by assay's
document; one that is not is an error unless a rule in a table of explanations covers it.
"""
import collections
import fnmatch
import json


class Cell:
    """A column of the row of a table in which these other columns have these values."""

    def __init__(self, table, column, **where):
        self.table, self.column, self.where = table, column, where

    def __str__(self):
        where = ",".join(f"{k}={v}" for k, v in self.where.items())
        return f"{self.table}[{where}].{self.column}"


class Place:
    """A column of the row that stands at this place in a table, from 0."""

    def __init__(self, table, column, index):
        self.table, self.column, self.index = table, column, index

    def __str__(self):
        return f"{self.table}[{self.index}].{self.column}"


class Near:
    """A number that was rounded for printing."""

    def __init__(self, value, tolerance):
        self.value, self.tolerance = value, tolerance

    def __eq__(self, other):
        return isinstance(other, (int, float)) and abs(other - self.value) <= self.tolerance

    def __str__(self):
        return f"{self.value}±{self.tolerance}"


def topic_of(key):
    return key.split(".")[0] if isinstance(key, str) else key.table


class Document:
    """assay's document of one drive."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.data = json.load(file)
        if isinstance(self.data, list):
            self.data = self.data[0]
        self.rows = {}

    def fact(self, key):
        """The value of a fact; None where it is absent, unknown or invalid."""
        return self.data["facts"].get(key, {}).get("value")

    def sources(self, key):
        """All known values of a fact, the best first."""
        fact = self.data["facts"].get(key, {})
        return [f["value"] for f in [fact] + fact.get("others", []) if f.get("value") is not None]

    def table(self, name):
        return self.data["tables"].get(name, [])

    def cell(self, cell):
        names = tuple(cell.where)
        index = self.rows.get((cell.table, names))
        if index is None:
            index = self.rows[cell.table, names] = {}
            for row in self.table(cell.table):
                index.setdefault(tuple(row.get(n) for n in names), row)
        return index.get(tuple(cell.where.values()), {}).get(cell.column)

    def place(self, place):
        rows = self.table(place.table)
        return rows[place.index].get(place.column) if place.index < len(rows) else None

    def value(self, key):
        if isinstance(key, Cell):
            return self.cell(key)
        return self.place(key) if isinstance(key, Place) else self.fact(key)


def same(theirs, ours):
    if isinstance(ours, str) and isinstance(theirs, str):
        return ours.strip() == theirs.strip()
    if isinstance(theirs, bool) != isinstance(ours, bool):
        return False
    return theirs == ours


class Tally:
    """Counts claims by tool and topic; differences keep their explanation, or none."""

    def __init__(self, explanations):
        self.rules = []  # patterns of tool, drive, key, the tool's value, assay's; the reason
        self.used = collections.Counter()
        self.counts = collections.defaultdict(collections.Counter)
        self.unexplained = []
        with open(explanations, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    rule = tuple(line.rstrip("\n").split("\t"))
                    assert len(rule) == 6, f"{explanations}: {line}"
                    self.rules.append(rule)

    def explanation(self, *values):
        for rule in self.rules:
            if all(fnmatch.fnmatchcase(str(v), p) for v, p in zip(values, rule)):
                self.used[rule] += 1
                return rule[-1]
        return None

    def claim(self, tool, drive, key, theirs, document):
        ours = document.value(key)
        count = self.counts[tool, topic_of(key)]
        if same(theirs, ours):
            count["equal"] += 1
        elif self.explanation(tool, drive, key, theirs, ours):
            count["explained"] += 1
        else:
            count["unexplained"] += 1
            self.unexplained.append((tool, drive, str(key), theirs, ours))

    def total(self, *what):
        return sum(c[w] for c in self.counts.values() for w in what)

    def print_table(self):
        """As TAP comments: how many values were compared, by tool and topic."""
        line = "# {:<12} {:<22} {:>9} {:>9} {:>10} {:>12}".format
        print(line("tool", "topic", "compared", "equal", "explained", "unexplained"))
        for (tool, topic), c in sorted(self.counts.items()):
            compared = sum(c.values())
            print(line(tool, topic, compared, c["equal"], c["explained"], c["unexplained"]))
        print(line("all", "", self.total("equal", "explained", "unexplained"), self.total("equal"),
                   self.total("explained"), self.total("unexplained")))

    def print_reasons(self):
        for rule, times in self.used.most_common():
            print(f"# {times} times {rule[2]}: {rule[-1]}")

    def print_unexplained(self, most=40):
        for tool, drive, key, theirs, ours in self.unexplained[:most]:
            print(f"# {tool} {drive} {key}: {theirs}, assay: {ours}")
        if len(self.unexplained) > most:
            print(f"# and {len(self.unexplained) - most} more")
