Feature: Lots, ticks and rounding
  Quantities are whole lots, prices whole ticks. A quantity from an amount of money rounds down. A price never rounds in
  favour of the trader: a limit is never worse than requested, and a stop or market price rounds against the trader.

  Background:
    Given 10000 in cash

  Scenario: An amount of money rounds down to whole lots
    # 1000 / 30 is 33.3, which is three lots of 10.
    Given lots of 10
    And the candles
      | bar | open | high | low | close |
      | 0   | 30   | 31   | 29  | 30    |
      | 1   | 30   | 31   | 29  | 30    |
    When these orders are placed
      | bar | order     |
      | 0   | buy $1000 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 30       | 30    |

  Scenario: Lots may be fractions of a unit
    # 5000 / 300 is 16.666.
    Given lots of 0.01
    And the candles
      | bar | open | high | low | close |
      | 0   | 300  | 310  | 290 | 300   |
      | 1   | 300  | 310  | 290 | 300   |
    When these orders are placed
      | bar | order             |
      | 0   | buy 50% of equity |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 16.66    | 300   |

  Scenario: A quantity between two lots is refused, with both neighbours
    Given lots of 10
    And the candles
      | bar | open | high | low | close |
      | 0   | 30   | 31   | 29  | 30    |
      | 1   | 30   | 31   | 29  | 30    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 15 |
      | 0   | buy 5  |
    Then nothing fills
    And the order is refused, saying "Order 10 or 20."
    And these orders end without filling
      | bar | order | code               |
      | 0   |       | not_a_lot_multiple |
      | 0   |       | below_lot          |

  Scenario: A symbol may have its own lot size
    Given ZINC trades in lots of 100
    And the candles
      | bar | symbol | open | high | low | close |
      | 0   | ACME   | 20   | 21   | 19  | 20    |
      | 0   | ZINC   | 2    | 2.1  | 1.9 | 2     |
      | 1   | ACME   | 20   | 21   | 19  | 20    |
      | 1   | ZINC   | 2    | 2.1  | 1.9 | 2     |
    When these orders are placed
      | bar | order            |
      | 0   | buy $500 of ACME |
      | 0   | buy $500 of ZINC |
    Then the fills are
      | bar | symbol | side | quantity | price |
      | 1   | ACME   | buy  | 25       | 20    |
      | 1   | ZINC   | buy  | 200      | 2     |

  Scenario: A buy limit rounds down to its tick
    # 97.03 becomes 97.00.
    Given ticks of 0.05
    And the candles
      | bar | open | high | low   | close |
      | 0   | 100  | 101  | 99    | 100   |
      | 1   | 99   | 100  | 97.05 | 98    |
      | 2   | 98   | 99   | 97    | 98    |
    When these orders are placed
      | bar | order              |
      | 0   | buy 10 limit 97.03 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 97    |

  Scenario: A sell limit rounds up to its tick
    # 103.02 becomes 103.05.
    Given ticks of 0.05
    And the candles
      | bar | open | high   | low | close |
      | 0   | 100  | 101    | 99  | 100   |
      | 1   | 101  | 103    | 100 | 102   |
      | 2   | 102  | 103.05 | 101 | 102   |
    When these orders are placed
      | bar | order                |
      | 0   | sell 10 limit 103.02 |
    Then the fills are
      | bar | side | quantity | price  |
      | 2   | sell | 10       | 103.05 |

  Scenario: A buy stop rounds up to its tick
    # 105.02 becomes 105.05.
    Given ticks of 0.05
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 101  | 105  | 100 | 104   |
      | 2   | 104  | 106  | 103 | 105   |
    When these orders are placed
      | bar | order              |
      | 0   | buy 10 stop 105.02 |
    Then the fills are
      | bar | side | quantity | price  |
      | 2   | buy  | 10       | 105.05 |

  Scenario: A sell stop rounds down to its tick
    # 94.98 becomes 94.95.
    Given ticks of 0.05
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 99   | 100  | 95  | 96    |
      | 2   | 96   | 97   | 94  | 95    |
    When these orders are placed
      | bar | order              |
      | 0   | sell 10 stop 94.98 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | sell | 10       | 94.95 |

  Scenario: A market price between two ticks rounds against the trader
    Given ticks of 0.05
    And the candles
      | bar | open   | high | low | close |
      | 0   | 100    | 101  | 99  | 100   |
      | 1   | 100.02 | 101  | 99  | 100   |
      | 2   | 100.02 | 101  | 99  | 100   |
    When these orders are placed
      | bar | order   |
      | 0   | buy 10  |
      | 1   | sell 10 |
    Then the fills are
      | bar | side | quantity | price  |
      | 1   | buy  | 10       | 100.05 |
      | 2   | sell | 10       | 100    |

  Scenario: Slippage rounds to the tick against the trader
    # 10 basis points of 100 are 0.10: 100.10 becomes 100.25.
    Given ticks of 0.25
    And slippage of 10 basis points
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
    Then the fills are
      | bar | side | quantity | price  |
      | 1   | buy  | 10       | 100.25 |

  Scenario: A long's stop loss rounds down and its take profit up
    # 100 − 3.02 = 96.98 becomes 96.95; 100 + 5.02 = 105.02 becomes 105.05.
    Given ticks of 0.05
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 105  | 97  | 101   |
      | 2   | 101  | 102  | 96  | 97    |
      | 3   | 100  | 105  | 97  | 101   |
      | 4   | 101  | 106  | 97  | 105   |
    When these orders are placed
      | bar | order                                            |
      | 0   | buy 10 stop-loss 3.02 away take-profit 5.02 away |
      | 2   | buy 10 stop-loss 3.02 away take-profit 5.02 away |
    Then the fills are
      | bar | side | quantity | price  | reason      |
      | 1   | buy  | 10       | 100    |             |
      | 2   | sell | 10       | 96.95  | stop-loss   |
      | 3   | buy  | 10       | 100    |             |
      | 4   | sell | 10       | 105.05 | take-profit |

  Scenario: A short's stop loss rounds up and its take profit down
    # 100 + 3.02 = 103.02 becomes 103.05; 100 − 5.02 = 94.98 becomes 94.95.
    Given ticks of 0.05
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 95  | 101   |
      | 2   | 101  | 104  | 98  | 103   |
      | 3   | 100  | 103  | 95  | 101   |
      | 4   | 101  | 102  | 94  | 95    |
    When these orders are placed
      | bar | order                                             |
      | 0   | sell 10 stop-loss 3.02 away take-profit 5.02 away |
      | 2   | sell 10 stop-loss 3.02 away take-profit 5.02 away |
    Then the fills are
      | bar | side | quantity | price  | reason      |
      | 1   | sell | 10       | 100    |             |
      | 2   | buy  | 10       | 103.05 | stop-loss   |
      | 3   | sell | 10       | 100    |             |
      | 4   | buy  | 10       | 94.95  | take-profit |

  Scenario: A trailing level between two ticks fills against the trader
    # 105 − 10 % = 94.5; a sale at whole ticks of 1 is at 94.
    Given ticks of 1
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 105  | 99  | 105   |
      | 1   | 100  | 101  | 94  | 96    |
    When these orders are placed
      | bar | order             |
      | 0   | buy 10            |
      | 0   | sell 10 trail 10% |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 1   | sell | 10       | 94    |

  Scenario: An opening order below the minimum notional is refused, a closing order is not
    # 4 × 100 is below 500; 5 × 100 is not. The sale of 3 only closes.
    Given a minimum notional of 500
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 4  |
      | 0   | buy 5  |
      | 1   | sell 3 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 5        | 100   |
      | 2   | sell | 3        | 100   |
    And these orders end without filling
      | bar | order | code                   |
      | 0   |       | below_minimum_notional |
