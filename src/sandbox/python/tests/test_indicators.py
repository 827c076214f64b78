"""The indicators of `ta` against the pandas_ta oracle, with whatever numpy and pandas there are."""

import json
import os
import pathlib
import unittest

import numpy as np
import pandas as pd

from . import native  # noqa: F401

import ta
from ta._registry import parameters

ORACLES = pathlib.Path(os.environ.get("SANDTABLE_ORACLES", ""))
FOUND = bool(os.environ.get("SANDTABLE_ORACLES")) and (ORACLES / "expected.json").exists()
# Other versions of numpy add up in another order; in the sandbox the bound is 1e-8.
TOLERANCE = 1e-7
PRICES = ("open_", "high", "low", "close", "volume")


def first_frame(result):
    result = result[0] if isinstance(result, tuple) else result
    return result.to_frame() if isinstance(result, pd.Series) else result


@unittest.skipUnless(FOUND, "SANDTABLE_ORACLES names no folder with the pandas_ta oracle")
class Indicators(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.frame = pd.read_csv(ORACLES / "input.csv", index_col="date", parse_dates=True)
        cls.expected = json.loads((ORACLES / "expected.json").read_text())

    def test_columns_and_numbers(self):
        for name, wanted in self.expected.items():
            with self.subTest(name):
                given = {p: self.frame[p.rstrip("_")] for p in parameters(name) if p in PRICES}
                self.compare(first_frame(getattr(ta, name)(**given)), wanted)

    def test_the_accessor(self):
        for name, wanted in self.expected.items():
            with self.subTest(name):
                given = {p: p.rstrip("_") for p in parameters(name) if p in PRICES}
                self.compare(first_frame(getattr(self.frame.ta, name)(**given)), wanted)

    def test_an_indicator_does_not_look_ahead(self):
        shorter = self.frame.iloc[:400]
        for name in self.expected:
            # Those of pandas_ta that do, as their documentation says.
            if name in ("dpo", "ichimoku", "ssf", "tos_stdevall"):
                continue
            with self.subTest(name):
                whole, part = (
                    first_frame(getattr(ta, name)(**{p: df[p.rstrip("_")] for p in parameters(name) if p in PRICES}))
                    for df in (self.frame, shorter)
                )
                for column in part.columns.intersection(whole.columns):
                    one = part[column].to_numpy(float)
                    other = whole[column].to_numpy(float)[: len(one)]
                    np.testing.assert_allclose(one, other, rtol=TOLERANCE, atol=TOLERANCE, err_msg=column)

    def compare(self, result, wanted):
        self.assertEqual(list(result.columns), list(wanted))
        for column, values in wanted.items():
            want = np.array([np.nan if value is None else value for value in values])
            got = result[column].to_numpy(float)
            np.testing.assert_allclose(got, want, rtol=TOLERANCE, atol=TOLERANCE, err_msg=column)


if __name__ == "__main__":
    unittest.main()
