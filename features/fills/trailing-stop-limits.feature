Feature: Trailing stop-limits, and trails that wait to be woken
  A trailing_stop_limit is a trailing stop that becomes a limit at its distance from the stop. A trail with an
  activationPrice begins when the price reaches it.

  Background:
    Given 10000 in cash

  Scenario: It fills at its stop where the price comes back to it
    # From 100 the stop is at 95; bar 1's high makes it 105, its limit 104.
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

  Scenario: A gap beyond its limit leaves it resting as a limit
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

  Scenario: A trail sleeps until its price is reached
    # Bar 1 falls to 90 and stops nothing. Bar 2 reaches 106: from there on it trails 5 behind, at 101, then at 103.
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

  Scenario: A gap beyond the price that wakes it begins at the open
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

  Scenario: A price short of the one that wakes it by a cent does nothing
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

  Scenario: A close that has reached the price wakes it at once
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

  Scenario: A buy's trail is woken by a fall
    # Woken at 94, the stop at 99; the low of 92 makes it 97.
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
