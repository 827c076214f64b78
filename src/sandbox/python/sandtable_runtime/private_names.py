"""Private attributes of classes: `self.__value` in class A is `self._A__value`, as the Python compiler has it.

The guards read attributes by their name as a text, which the compiler leaves as it is.
"""

import ast


class _Mangler(ast.NodeTransformer):
    def __init__(self):
        self._class = ""

    def visit_ClassDef(self, node):
        # Decorators and bases belong to the code around the class.
        for part in (node.decorator_list, node.bases, node.keywords):
            part[:] = [self.visit(each) for each in part]
        around, self._class = self._class, node.name.lstrip("_")
        node.body = [self.visit(each) for each in node.body]
        self._class = around
        return node

    def visit_Attribute(self, node):
        self.generic_visit(node)
        if self._class and node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = f"_{self._class}{node.attr}"
        return node


def spell_out(tree):
    """The tree with every private attribute under its full name."""
    return _Mangler().visit(tree)
