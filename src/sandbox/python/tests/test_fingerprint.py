"""The watch of `--paranoid` over what a call could leave behind."""

import decimal
import re
import types
import unittest

import numpy as np

from . import native  # noqa: F401

from sandtable_runtime.fingerprint import watch

# Outside the tests' functions, as the library's own objects are.
HELD = types.ModuleType("held")
HELD.values = {"a": 1}
HELD.numbers = np.arange(3.0)
HELD.objects = np.array([[], {}], dtype=object)


def function(given=1):
    return given


class Watch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # staticmethod: a function that hangs on a class would be called with the test.
        cls.changes = staticmethod(watch())
        cls.changes()

    def setUp(self):
        self.changes()

    def test_a_dictionary(self):
        HELD.values["b"] = 2
        self.addCleanup(HELD.values.pop, "b")
        self.assertNotEqual(self.changes(), "")

    def test_the_numbers_of_an_array(self):
        HELD.numbers[1] += 0.5
        self.assertNotEqual(self.changes(), "")

    def test_the_objects_of_an_array(self):
        HELD.objects[0] = "other"
        self.assertNotEqual(self.changes(), "")

    def test_the_default_of_a_function(self):
        function.__defaults__ = (2,)
        self.assertIn("function", self.changes())

    def test_an_entry_of_a_cache(self):
        key = (str, "[a-z]", 0)
        self.addCleanup(re._cache.pop, key, None)
        self.changes()
        re._cache[key] = re.compile("[a-z]")
        self.assertEqual(self.changes(), "")
        re._cache[key] = re.compile("other")
        self.assertIn("an entry of re._cache", self.changes())

    def test_a_setting_of_decimal(self):
        before = decimal.getcontext().prec
        decimal.getcontext().prec = before + 1
        self.addCleanup(setattr, decimal.getcontext(), "prec", before)
        self.assertIn("settings", self.changes())


if __name__ == "__main__":
    unittest.main()
