Feature: Several symbols
  Each symbol fills by its own bars. Orders of all symbols are in one queue, oldest first.

  Background:
    Given 1000 in cash

  Scenario: Each order fills at its own symbol's open
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 101  | 99  | 100   |
      | 0   | ZINC   | 50   | 51   | 49  | 50    |
      | 1   | ACME   | 102  | 103  | 101 | 102   |
      | 1   | ZINC   | 48   | 49   | 47  | 48    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 3 of ACME  |
      | 0   | sell 5 of ZINC |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ACME   | buy  | 3        | 102   |
      | 1   | ZINC   | sell | 5        | 48    |

  Scenario: The order placed first uses the cash first, whatever its symbol
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 100  | 100  | 100 | 100   |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 100  | 100  | 100 | 100   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 80% of equity of ZINC |
      | 0   | buy 80% of equity of ACME |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ZINC   | buy  | 8        | 100   |
      | 1   | ACME   | buy  | 2        | 100   |

  Scenario: The order placed first uses the cash first, whatever the order of the bars
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ZINC   | 100  | 100  | 100 | 100   |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 100  | 100  | 100 | 100   |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 80% of equity of ZINC |
      | 0   | buy 80% of equity of ACME |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ZINC   | buy  | 8        | 100   |
      | 1   | ACME   | buy  | 2        | 100   |

  Scenario: Selling one symbol makes room for another at the same open
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 0   | ZINC   | 50   | 50   | 50  | 50    |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
      | 2   | ACME   | 100  | 100  | 100 | 100   |
      | 2   | ZINC   | 50   | 50   | 50  | 50    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 10 of ACME |
      | 1   | close of ACME  |
      | 1   | buy 20 of ZINC |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ACME   | buy  | 10       | 100   |
      | 2   | ACME   | sell | 10       | 100   |
      | 2   | ZINC   | buy  | 20       | 50    |

  Scenario: A symbol without a first bar cannot be ordered
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ACME   | 100  | 100  | 100 | 100   |
      | 1   | ZINC   | 50   | 50   | 50  | 50    |
      | 2   | ACME   | 100  | 100  | 100 | 100   |
      | 2   | ZINC   | 51   | 52   | 50  | 51    |
    When these orders are placed
      | bar | order         |
      | 0   | buy 5 of ZINC |
      | 1   | buy 5 of ZINC |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 2   | ZINC   | buy  | 5        | 51    |
    And these orders end without filling
      | bar | order | code     |
      | 0   |       | no_price |

  Scenario: Exits of one symbol do not affect the position of another
    Given the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 100  | 101  | 99  | 100   |
      | 0   | ZINC   | 50   | 51   | 49  | 50    |
      | 1   | ACME   | 100  | 101  | 99  | 100   |
      | 1   | ZINC   | 50   | 51   | 49  | 50    |
      | 2   | ACME   | 100  | 101  | 94  | 96    |
      | 2   | ZINC   | 50   | 51   | 49  | 50    |
    When these orders are placed
      | bar | order                      |
      | 0   | buy 4 of ACME stop-loss 95 |
      | 0   | buy 4 of ZINC stop-loss 45 |
    Then the fills are
      | bar | symbol | side | quantity | price | reason    |
      | 1   | ACME   | buy  | 4        | 100   |           |
      | 1   | ZINC   | buy  | 4        | 50    |           |
      | 2   | ACME   | sell | 4        | 95    | stop-loss |
    And at the end the position is 4
