"""evaluate_python: a restricted evaluator in the spirit of asteval, compiled rather than walked."""

from .operation import evaluate

__all__ = ["evaluate"]
