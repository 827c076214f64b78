Feature: Slippage and its caps
  Slippage moves market and stop prices against the trader, never beyond the bar's high or low. Limits have no slippage.

  Background:
    Given 10000 in cash

  Scenario: A fixed amount per unit applies to buys and sells
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 102  | 103  | 101 | 102   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 1   | close  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100.5 |
      | 2   | sell | 10       | 101.5 |

  Scenario: In a bar that opens at its high a buyer pays no slippage
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 100  | 95  | 96    |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |

  Scenario: A seller receives at least the low
    Given slippage of 5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 103  | 98  | 102   |
    When these orders are placed
      | bar | order   |
      | 0   | sell 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 98    |

  Scenario: A stop slips from its level, capped at the high
    # 105 + 0.5 would be above the high of 105.3.
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high  | low | close |
      | 0   | 100  | 101   | 99  | 100   |
      | 1   | 100  | 105.3 | 99  | 104   |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 stop 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 105.3 |

  Scenario: A trailing stop slips from its level
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 94  | 96    |
    When these orders are placed
      | bar | order          |
      | 0   | sell 10 trail 5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 94.5  |

  Scenario: A limit has no slippage, neither at its price nor at a better open
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 98   | 100  | 94  | 96    |
    When these orders are placed
      | bar | order          |
      | 0   | buy 5 limit 99 |
      | 0   | buy 5 limit 95 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 5        | 98    |
      | 1   | #2    | buy  | 5        | 95    |

  Scenario: A stop-limit has no slippage
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 103  | 106  | 101 | 105   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 103   |

  Scenario: A stop loss has slippage, a take profit does not
    # Entry at 100.5. The stop loss of 95 slips to 94.5; the take profit of 105 stays.
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 100  | 101  | 94  | 96    |
      | 3   | 100  | 106  | 99  | 105   |
    When these orders are placed
      | bar | order                               |
      | 0   | buy 10 stop-loss 95 take-profit 105 |
      | 2   | buy 10 stop-loss 95 take-profit 105 |
    Then the fills are
      | bar | side | quantity | price | reason      |
      | 1   | buy  | 10       | 100.5 |             |
      | 2   | sell | 10       | 94.5  | stop-loss   |
      | 3   | buy  | 10       | 100.5 |             |
      | 3   | sell | 10       | 105   | take-profit |

  Scenario: Exits by distance are measured from the fill with slippage
    # 100.5 − 4 = 96.5, and the stop slips to 96.
    Given slippage of 0.5 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 95  | 101   |
    When these orders are placed
      | bar | order                   |
      | 0   | buy 10 stop-loss 4 away |
    Then the fills are
      | bar | side | quantity | price | reason    |
      | 1   | buy  | 10       | 100.5 |           |
      | 1   | sell | 10       | 96    | stop-loss |

  Scenario: Half of the spread is paid on each side
    # 20 basis points of 100, halved, are 0.10.
    Given a spread of 20 basis points
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 100  | 101  | 99  | 100   |
    When these orders are placed
      | bar | order  |
      | 0   | buy 10 |
      | 1   | close  |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100.1 |
      | 2   | sell | 10       | 99.9  |

  Scenario: Volume impact grows with the share of the volume
    # 50 of 1000 is 5 %: 100 × 0.5 × 0.05 = 2.5. 10 of 1000 is 1 %: 0.5.
    Given a volume impact of 0.5
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 1000   |
      | 1   | 100  | 110  | 90  | 100   | 1000   |
      | 2   | 100  | 110  | 90  | 100   | 1000   |
    When these orders are placed
      | bar | order   |
      | 0   | buy 50  |
      | 1   | sell 10 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 50       | 102.5 |
      | 2   | sell | 10       | 99.5  |

  Scenario: The price with slippage decides if a size in money only reduces
    # 3000 at the open of 100 would be the whole position of 30. With slippage to 90 it is 33, which opens a short and waits its turn.
    Given slippage of 10 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 100  | 100 | 100   |
      | 1   | 100  | 100  | 100 | 100   |
      | 2   | 100  | 110  | 90  | 100   |
    When these orders are placed
      | bar | order      |
      | 0   | buy 30     |
      | 1   | buy 5      |
      | 1   | sell $3000 |
    Then the fills are
      | bar | order | side | quantity | price |
      | 1   | #1    | buy  | 30       | 100   |
      | 2   | #2    | buy  | 5        | 110   |
      | 2   | #3    | sell | 33       | 90    |
