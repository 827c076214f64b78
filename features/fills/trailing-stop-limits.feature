Feature: Trailing stop-limits and activation prices
  A trailing_stop_limit is a trailing stop that becomes a limit at its distance from the stop. A trail with an
  activationPrice begins when the price reaches it.

  Background:
    Given 10000 in cash

  Scenario: A trailing stop-limit fills at its stop when the price returns to the stop
    # Placed at the close of 109: stop 104, limit 103.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 110  | 100 | 109   |
      | 2   | 109  | 109  | 103 | 104   |
    When these orders are placed
      | bar | order                          |
      | 0   | buy 10                         |
      | 1   | sell 10 trail 5 limit 1 beyond |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 10       | 104   |

  Scenario: A gap beyond the limit leaves the order resting as a limit
    # Placed at 100: stop 95, limit 94. Bar 2 opens at 90, below both; bar 3 comes back to 94.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 100  | 97  | 98    |
      | 2   | 90   | 93   | 89  | 92    |
      | 3   | 92   | 96   | 91  | 95    |
    When these orders are placed
      | bar | order                          |
      | 0   | buy 10                         |
      | 0   | sell 10 trail 5 limit 1 beyond |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 3   | sell | 10       | 94    |

  Scenario: A trail is inactive until its activation price is reached
    # Bar 1 falls to 90 and does not stop the position. From 106 in bar 2 the level is 5 below the high, at 101, then at 103.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 90  | 101   |
      | 2   | 104  | 108  | 104 | 107   |
      | 3   | 107  | 107  | 100 | 101   |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10                   |
      | 0   | sell 10 trail 5 from 106 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 3   | sell | 10       | 103   |

  Scenario: A gap beyond the activation price starts the trail at the open
    # Opens at 110, the stop at 105, and goes straight down.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 102  | 98  | 101   |
      | 2   | 110  | 110  | 104 | 104   |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10                   |
      | 0   | sell 10 trail 5 from 106 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 2   | sell | 10       | 105   |

  Scenario: A price one cent short of the activation price does not start the trail
    Given the candles
      | bar | open | high   | low | close |
      | 0   | 100  | 101    | 99  | 100   |
      | 1   | 100  | 105.99 | 80  | 81    |
    When these orders are placed
      | bar | order                    |
      | 0   | buy 10                   |
      | 0   | sell 10 trail 5 from 106 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |

  Scenario: A close beyond the activation price starts the trail immediately
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 100  | 100  | 94  | 96    |
    When these orders are placed
      | bar | order                   |
      | 0   | buy 10                  |
      | 0   | sell 10 trail 5 from 99 |
    Then the fills are
      | bar | side | quantity | price |
      | 1   | buy  | 10       | 100   |
      | 1   | sell | 10       | 95    |

  Scenario: The trail of a buy is activated by a fall
    # Activated at 94, the stop at 99; the low of 92 makes it 97.
    Given the candles
      | bar | open | high | low | close |
      | 0   | 100  | 101  | 99  | 100   |
      | 1   | 95   | 95   | 92  | 95    |
      | 2   | 96   | 98   | 95  | 97    |
    When these orders are placed
      | bar | order                  |
      | 0   | buy 10 trail 5 from 94 |
    Then the fills are
      | bar | side | quantity | price |
      | 2   | buy  | 10       | 97    |
