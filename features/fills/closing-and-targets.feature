Feature: Close, reduce-only and target orders
  A close trades the whole position, a reduce-only order at most the position, and a target the difference.

  Background:
    Given 10000 in cash

  Scenario: A close sells a long
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 104  | 105  | 103 | 104   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 1   | close  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 10       | 104   |

  Scenario: A close buys a short back
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 104  | 105  | 103 | 104   |
    When these orders are placed
      | bar | order   |
      | 0   | sell 10 |
      | 1   | close   |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 100   |
      | 2   | buy  | 10       | 104   |

  Scenario: A close without a position is refused
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order |
      | 0   | close |
    Then nothing fills
    And these orders end without filling
      | bar | order | code             |
      | 0   |       | nothing_to_close |

  Scenario: A close includes earlier market orders
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 102  | 103  | 101 | 102   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 0   | close  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 102   |
      | 1   | sell | 10       | 102   |

  Scenario: A close may have a limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 101  | 104  | 100 | 103   |
      | 3   | 103  | 106  | 102 | 104   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10          |
      | 1   | close limit 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 3   | sell | 10       | 105   |

  Scenario: Reduce-only sells at most the position
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 104  | 105  | 103 | 104   |
    When these orders are placed
      | bar | order               |
      | 0   | buy 6               |
      | 1   | sell 10 reduce-only |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 6        | 100   |
      | 2   | sell | 6        | 104   |
    And at the end the position is 0

  Scenario: Reduce-only without an opposite position is refused
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order              |
      | 0   | buy 5              |
      | 1   | buy 5 reduce-only  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 5        | 100   |
    And these orders end without filling
      | bar | order | code              |
      | 1   |       | nothing_to_reduce |

  Scenario: A reduce-only limit does not open a position after the position is closed
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
      | 3   | 100  | 106  | 99  | 105   |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10                       |
      | 1   | sell 10 limit 105 reduce-only |
      | 1   | close                        |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 10       | 100   |
      | 2   | #3    | sell | 10       | 100   |
    And at the end the position is 0
    And these orders end without filling
      | bar | order | code             |
      | 3   | #2    | nothing_to_close |

  Scenario: A target buys or sells the difference
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 101  | 102  | 100 | 101   |
      | 3   | 102  | 103  | 101 | 102   |
      | 4   | 103  | 104  | 102 | 103   |
    When these orders are placed
      | bar | order     |
      | 0   | target 10 |
      | 1   | target 4  |
      | 2   | target -5 |
      | 3   | target 0  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 6        | 101   |
      | 3   | sell | 9        | 102   |
      | 4   | buy  | 5        | 103   |

  Scenario: A reached target does nothing
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 101  | 102  | 100 | 101   |
    When these orders are placed
      | bar | order     |
      | 0   | buy 10    |
      | 1   | target 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
    And these orders end without filling
      | bar | order | code      |
      | 2   | #2    | at_target |

  Scenario: A target share of equity is calculated at the fill
    # Bar 1: half of 10000 at 102 is 49.01: 49 units. Bar 2 opens at 120: the equity is 10000 + 49 × 18 = 10882, half of
    # it at 120 is 45.3: 4 units too many.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 102  | 103  | 101 | 102   |
      | 2   | 120  | 121  | 119 | 120   |
    When these orders are placed
      | bar | order                |
      | 0   | target 50% of equity |
      | 1   | target 50% of equity |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 49       | 102   |
      | 2   | sell | 4        | 120   |

  Scenario: A target share that is less than a lot away counts as reached
    # Bar 2 opens at 101.5: the equity is 10000 − 49 × 0.5 = 9975.5, half of it at 101.5 is 49.1.
    Given the candles
      | bar | open  | high | low | close |
      | 0   | 100   | 101  | 99  | 100   |
      | 1   | 102   | 103  | 101 | 102   |
      | 2   | 101.5 | 102  | 100 | 101   |
    When these orders are placed
      | bar | order                |
      | 0   | target 50% of equity |
      | 1   | target 50% of equity |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 49       | 102   |
    And these orders end without filling
      | bar | order | code      |
      | 2   | #2    | at_target |

  Scenario: A negative target share turns a long into a short
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order                 |
      | 0   | target 100% of equity |
      | 1   | target -50% of equity |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 100      | 100   |
      | 2   | sell | 150      | 100   |
    And at the end the position is -50

  Scenario: A target can be traded at the close
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 102  | 105  | 101 | 104   |
    When these orders are placed
      | bar | order              |
      | 0   | target 10 on close |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 104   |

  Scenario: A target with a limit is refused, because its side is known only at the fill
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order              |
      | 0   | target 10 limit 99 |
    Then nothing fills
    And these orders end without filling
      | bar | order | code      |
      | 0   |       | bad_order |
