"""What agents' code may not use, and what the guards do with attributes at run time."""

import ast
import unittest

from . import native  # noqa: F401

from sandtable_runtime import door, guards, policy, rules
from sandtable_runtime.errors import PolicyError
from sandtable_runtime.evaluate import rules as expression_rules
from sandtable_runtime.rewrite import rewrite


class Policy(unittest.TestCase):
    def refused(self, check, code):
        with self.assertRaises(PolicyError) as caught:
            check(ast.parse(code))
        return caught.exception

    def test_analysis_code_is_allowed(self):
        for code in (
            "x = df.close.rolling(20).mean()",
            "result = [a * 2 for a in range(3) if a]",
            "def f(a, *rest, b=1):\n    return a + b\nf(1)",
            "class Point:\n    def __init__(self, x):\n        self.x = x",
            "try:\n    1 / 0\nexcept ZeroDivisionError:\n    pass",
        ):
            with self.subTest(code):
                policy.check(ast.parse(code))

    def test_the_way_out_of_the_language_is_refused(self):
        for code in (
            "().__dict__",
            "x.__class__ = y",
            "f.__globals__",
            "async def f(): pass",
            "class A(metaclass=B): pass",
        ):
            with self.subTest(code):
                self.refused(policy.check, code)

    def test_a_refusal_names_its_line(self):
        self.assertEqual(self.refused(policy.check, "x = 1\nasync def f(): pass").line, 2)

    def test_expressions_know_only_what_is_listed(self):
        expression_rules.check(ast.parse("round(math.sqrt(2), 3)"))
        for code in ("__import__('os')", "x.__class__", "import os"):
            with self.subTest(code):
                self.refused(expression_rules.check, code)

    def test_hidden_attributes_are_refused_at_run_time_too(self):
        with self.assertRaises(PolicyError):
            door.read((), "__class__")

    def test_a_class_may_not_define_what_python_calls_by_itself(self):
        def body():
            pass

        with self.assertRaises(PolicyError):
            guards.build_class(body, "A", metaclass=type)
        with self.assertRaises(PolicyError):
            guards.build_class(body, "A", type)
        self.assertNotIn("__del__", rules.DEFINABLE)

    def test_rewritten_code_asks_the_door(self):
        tree = rewrite(ast.parse("x = a._b"))
        self.assertIn("Call", ast.dump(tree))


if __name__ == "__main__":
    unittest.main()
