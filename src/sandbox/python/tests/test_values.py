"""Results as JSON, and values as text."""

import datetime
import json
import math
import os
import time
import unittest
import weakref

import numpy as np
import pandas as pd

from . import native  # noqa: F401

from sandtable_runtime import serialise
from sandtable_runtime.bounded_repr import bounded_repr
from sandtable_runtime.clean_text import clean, without_addresses
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

    def test_have_no_paths_of_the_runtime(self):
        class Own:
            pass

        own = Own()
        reference = weakref.ref(own)
        for text in (
            repr(own),
            repr([own, own.__init__]),
            repr(reference),
            repr(self.assertEqual),
            str(np.random.RandomState(3)),
            repr(np),
            f"cannot open {os.__file__}",
            f"file://{np.__file__}: not found",
            "at /srv/app/node_modules/pyodide/pyodide.asm.js:9:1",
            "/lib/python3.13/site-packages/pandas/core/frame.py",
        ):
            with self.subTest(text):
                self.assertNotRegex(clean(text), r"0x[0-9a-fA-F]|/lib/|/usr/|node_modules|site-packages")

    def test_keep_what_only_looks_like_an_address_or_a_path(self):
        for text in (
            "01/02/2020",
            "{'pair': 'BTC/USD/PERP'}",
            "'0x123456'",
            "hash 0xdeadbeef at 0x1234",
            "time data \"01/02/2020\" doesn't match format",
            "rate 1/2/2020",
            "/etc/data/bars.csv",
            "https://example.com/a/b/c",
            "a/b/c/d" * 50,
        ):
            with self.subTest(text):
                self.assertEqual(clean(text), text)

    def test_are_cleaned_in_linear_time(self):
        begin = time.perf_counter()
        for text in ("/a" * 100_000 + "/lib/python3", " at 0x1," * 50_000, "Generator(" * 50_000 + " at 0x1"):
            clean(text, 1_000_000)
        self.assertLess(time.perf_counter() - begin, 5)


if __name__ == "__main__":
    unittest.main()
