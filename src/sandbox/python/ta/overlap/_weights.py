"""The weights of the fixed-weight averages, oldest bar first, adding up to 1."""

import numpy as np


def fibonacci(length):
    """The first `length` Fibonacci numbers 1, 1, 2, 3 …"""
    numbers = [1, 1]
    while len(numbers) < length:
        numbers.append(numbers[-1] + numbers[-2])
    return _scaled(numbers[:length])


def pascal(length):
    """The row of Pascal's triangle that has `length` entries."""
    row = [1]
    for k in range(length - 1):
        row.append(row[-1] * (length - 1 - k) // (k + 1))
    return _scaled(row)


def sine(length):
    """Half a wave of the sine."""
    return _scaled(np.sin(np.arange(1, length + 1) * np.pi / (length + 1)))


def triangle(length):
    """A symmetric triangle 1, 2 … 2, 1."""
    return _scaled([min(k + 1, length - k) for k in range(length)])


def _scaled(weights):
    array = np.array(weights, dtype=float)
    return array / array.sum()
