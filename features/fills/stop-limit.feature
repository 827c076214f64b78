Feature: Stop-limit orders
  The stop activates a limit order. If the stop is within the limit, the order fills at the stop. Otherwise it fills
  when the price later reaches the limit.

  Background:
    Given 10000 in cash

  Scenario: Activated by an open within the limit, the order fills at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 103  | 106  | 101 | 105   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 103   |

  Scenario: A gap over both prices fills at the limit when the low comes back to it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 108  | 110  | 103 | 109   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 104   |

  Scenario: A gap over both prices that stays there rests as a limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 108  | 110  | 106 | 109   |
      | 2   | 107  | 108  | 103 | 105   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 104   |

  Scenario: Activated within the bar, with a stop within the limit, the order fills at the stop
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 107  | 99  | 106   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 102   |

  Scenario: Slippage applies at the stop, but never beyond the limit
    # 3 % of 102 would be 105.06.
    Given slippage of 300 basis points
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 107  | 99  | 106   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 104   |

  Scenario: Activated within the bar, with stop and close beyond the limit, the worse outcome is booked
    # The low of 99 may have been before the stop, and the order would rest; or after it, and the order filled on the way.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 107  | 99  | 102   |
      | 2   | 102  | 103  | 100 | 102   |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 104 limit 101 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 101   |

  Scenario: An activated order stays active if the price falls back below the stop
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 102  | 107  | 101 | 106   |
      | 2   | 96   | 98   | 95  | 97    |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 104 limit 100 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 96    |

  Scenario: Without its stop the order does not fill, even if the price is within the limit
    Given the candles
      | bar | open | high  | low | close |
      | 0   | 100  | 101   | 99  | 100   |
      | 1   | 100  | 101.9 | 95  | 98    |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 102 limit 104 |
    Then nothing fills
    And at the end these orders rest: #1

  Scenario: A limit below the stop waits for the price to return, which the close proves
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 104  | 99  | 100.5 |
    When these orders are placed
      | bar | order                     |
      | 0   | buy 10 stop 103 limit 101 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 101   |

  Scenario: A sell stop-limit does not sell below its limit after a gap
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 99  | 100   |
      | 2   | 90   | 92   | 88  | 91    |
      | 3   | 93   | 97   | 92  | 96    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10                   |
      | 1   | sell 10 stop 97 limit 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 3   | sell | 10       | 95    |

  Scenario: A sell stop-limit activated within the bar, with a stop within the limit, fills at the stop
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 94  | 96    |
    When these orders are placed
      | bar | order                    |
      | 0   | sell 10 stop 97 limit 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 97    |

  Scenario: A sell stop-limit with its limit above its stop waits for the price to rise to its limit
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 94  | 99    |
    When these orders are placed
      | bar | order                    |
      | 0   | sell 10 stop 95 limit 98 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | sell | 10       | 98    |
