Feature: If-touched orders
  If-touched orders wait for the price on the same side as a limit: a buy for a fall to its trigger, a sell for a rise.
  A touched market_if_touched order fills as a market order, and a touched limit_if_touched order becomes a limit.

  Background:
    Given 10000 in cash

  Scenario: A buy fills at its trigger when the price falls exactly to it
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 96  | 101   |
      | 2   | 101  | 102  | 95  | 97    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 touch 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 95    |

  Scenario: A sell fills at its trigger after a rise
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 104  | 90  | 101   |
      | 2   | 101  | 106  | 100 | 103   |
    When these orders are placed
      | bar | order             |
      | 0   | buy 10            |
      | 0   | sell 10 touch 105 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 10       | 105   |

  Scenario: A gap through the trigger fills at the open
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 92   | 94   | 91  | 93    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 touch 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 92    |

  Scenario: A touched market order has slippage
    # 95 + 0.95 = 95.95.
    Given slippage of 0.95 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 94  | 97    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 touch 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 95.95 |

  Scenario: After the touch, a limit beyond the trigger fills immediately, with slippage up to the limit
    Given slippage of 0.95 a unit
    And the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 94  | 97    |
    When these orders are placed
      | bar | order                      |
      | 0   | buy 10 touch 95 limit 95.5 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 95.5  |

  Scenario: A limit short of the trigger rests after the touch
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 101  | 94  | 97    |
      | 2   | 97   | 99   | 92  | 98    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10 touch 95 limit 93 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 93    |

  Scenario: A gap beyond the limit leaves the order resting until the price returns
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 110  | 112  | 103 | 104   |
    When these orders are placed
      | bar | order                       |
      | 0   | buy 10                      |
      | 0   | sell 10 touch 105 limit 111 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 110   |
      | 1   | sell | 10       | 111   |

  Scenario: The rest of a touched order fills at the next open
    Given fills may take 50% of the volume
    And the candles
      | bar | open | high | low | close | volume |
      | 0   | 100  | 101  | 99  | 100   | 100    |
      | 1   | 100  | 101  | 94  | 97    | 12     |
      | 2   | 98   | 99   | 97  | 98    | 100    |
    When these orders are placed
      | bar | order           |
      | 0   | buy 10 touch 95 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 6        | 95    |
      | 2   | buy  | 4        | 98    |

  Scenario: If the bar does not show the order of fall and rise, the worse outcome is booked
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 106  | 94  | 104   |
    When these orders are placed
      | bar | order                        |
      | 0   | buy 10 touch 95 stop-loss 94 |
    Then the fills are
      | bar | side | quantity | price | stamp |
      | 1   | buy  | 10       | 95    |       |
      | 1   | sell | 10       | 94    |       |
