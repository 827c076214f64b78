"""Results as JSON, and values as text."""

import datetime
import json
import math
import unittest

import numpy as np
import pandas as pd

from . import native  # noqa: F401

from sandtable_runtime import serialise
from sandtable_runtime.bounded_repr import bounded_repr, without_addresses
from sandtable_runtime.errors import ResultError


class Results(unittest.TestCase):
    def test_are_plain_json(self):
        for value in (
            1,
            "a",
            None,
            [1, {"a": (2, 3)}],
            np.float64(1.5),
            np.arange(3),
            pd.Series([1.0, 2.0]),
            pd.Timestamp("2024-01-02"),
            datetime.date(2024, 1, 2),
        ):
            with self.subTest(repr(value)):
                json.dumps(serialise.plain(value, 1_000), allow_nan=False)

    def test_hold_no_number_that_json_has_not(self):
        for value in (math.nan, math.inf, [-math.inf], pd.Series([math.nan])):
            with self.subTest(repr(value)):
                self.assertNotIn("NaN", json.dumps(serialise.plain(value, 1_000)))

    def test_have_a_cap(self):
        with self.assertRaises(ResultError):
            serialise.plain(list(range(1_000)), 100)

    def test_that_cannot_be_said_are_refused(self):
        for value in (object(), len, np):
            with self.subTest(repr(value)), self.assertRaises(ResultError):
                serialise.plain(value, 1_000)


class Texts(unittest.TestCase):
    def test_are_cut_at_their_limit(self):
        text, cut, length = bounded_repr(list(range(100)), 20)
        self.assertEqual((text, cut), (repr(list(range(100)))[:20], True))
        self.assertEqual(length, len(repr(list(range(100)))))

    def test_are_whole_where_they_fit(self):
        self.assertEqual(bounded_repr({"a": [1, 2]}, 100), ("{'a': [1, 2]}", False, 13))

    def test_have_no_addresses(self):
        self.assertNotIn("0x", without_addresses(repr(object())))


if __name__ == "__main__":
    unittest.main()
